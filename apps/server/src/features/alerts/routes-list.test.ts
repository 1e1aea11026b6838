import { alerts } from '@nwms/contract';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { conforms } from '../../../test/conforms.ts';
import { createWorld, loadCapture, message, vtec, type World } from '../../../test/alerts-world.ts';

const CAPTURES = [
  ['active-us-2025-12-15T2155Z.json.gz', '2025-12-15T21:55:00Z'],
  ['active-us-2024-12-08.json.gz', '2024-12-08T22:47:00Z'],
  ['active-iowa-2024-05-21T1934Z.json', '2024-05-21T19:34:00Z'],
] as const;

const worlds: World[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

async function worldOf(name: string, at: string): Promise<World | null> {
  const instant = Date.parse(at);
  const messages = loadCapture(name, instant);
  if (!messages) return null;
  const world = await createWorld({ at: instant });
  worlds.push(world);
  world.apply(messages);
  return world;
}

describe.each(CAPTURES)('capture %s', (name, at) => {
  it('lists every countable event once, and answers what the contract says', async () => {
    const world = await worldOf(name, at);
    if (!world) return;
    const { status, body } = await world.get<alerts.AlertList>('/alerts');
    expect(status).toBe(200);
    conforms(alerts.AlertList, body);
    const ids = body.alerts.map((alert) => alert.event_id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(body.total).toBe(world.alerts.board.rows().filter((row) => row.countable).length);
    expect(body.freshness.status).toBe('live');
    expect(body.position.seq).toBe(world.log.length);
  });

  it('counts so that all sums agree with each other and with the list', async () => {
    const world = await worldOf(name, at);
    if (!world) return;
    const total = await sumsAgree(world, '');
    for (const filter of ['?active_only=true', '?severity=severe', '?family=marine', '?lifecycle=upcoming']) {
      expect(await sumsAgree(world, filter)).toBeLessThanOrEqual(total);
    }
  });
});

describe('generated boards', () => {
  it('keep every sum of the statistics true through issues, cancels, upgrades of the clock and absences', async () => {
    const begin = Date.parse('2026-05-21T19:00:00Z');
    const world = await createWorld({ at: begin });
    worlds.push(world);
    const step = fc.record({
      act: fc.constantFrom('issue', 'issue', 'cancel', 'advance', 'poll'),
      number: fc.integer({ min: 1, max: 30 }),
      minutes: fc.integer({ min: 1, max: 90 }),
      severity: fc.constantFrom('Extreme', 'Severe', 'Moderate', 'Minor', 'Unknown'),
    });
    let sequence = 0;
    for (const { act, number, minutes, severity } of fc.sample(step, { numRuns: 60, seed: 20_261_121 })) {
      const now = world.clock.now();
      const key = `KDMX.SV.W.${String(number).padStart(4, '0')}`;
      const base = { id: `urn:oid:${(sequence += 1)}`, sent: now, ends: now + minutes * 60_000, properties: { severity } };
      if (act === 'issue')
        world.apply([message({ ...base, vtec: vtec('NEW', key, now, base.ends), onset: now + (number % 3) * 600_000 }, now)]);
      if (act === 'cancel') world.apply([message({ ...base, vtec: vtec('CAN', key, null, base.ends) }, now)]);
      if (act === 'advance') await world.clock.advance(minutes * 60_000);
      if (act === 'poll') world.poll([]);
      await sumsAgree(world, '');
    }
    expect(world.alerts.board.rows().length).toBeGreaterThan(10);
  });
});

/** Answers how many events were counted. */
async function sumsAgree(world: World, filter: string): Promise<number> {
  const stats = (await world.get<alerts.AlertStats>(`/alerts/stats${filter}`)).body;
  const list = (await world.get<alerts.AlertList>(`/alerts${filter}`)).body;
  const sum = (counts: Record<string, number>) => Object.values(counts).reduce((total, count) => total + count, 0);
  expect(list.alerts).toHaveLength(list.total);
  expect(stats.total).toBe(list.total);
  expect(sum(stats.by_event)).toBe(stats.total);
  expect(sum(stats.by_severity)).toBe(stats.total);
  expect(sum(stats.by_state)).toBe(stats.total);
  expect(stats.active + stats.over).toBe(stats.total);
  expect(stats.in_force + stats.upcoming).toBe(stats.active);
  expect(stats.active).toBe(list.alerts.filter((alert) => alert.is_active).length);
  conforms(alerts.AlertStats, stats);
  return stats.total;
}
