import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorld, message, vtec, type World } from '../../../../test/alerts-world.ts';

const T0 = Date.parse('2026-05-21T19:00:00Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const KEY = 'KDMX.SV.W.0106';

interface List {
  alerts: { id: string; event_id: string; state: string }[];
  total: number;
  total_exact: boolean;
}

/** A warning and its update, told before the reading side starts: of the first message the board never sees the words. */
let world: World;
beforeEach(async () => {
  world = await createWorld({ at: T0, start: false });
  const first = message({ vtec: vtec('NEW', KEY, T0, T0 + HOUR), id: 'urn:oid:first', sent: T0, ends: T0 + HOUR }, T0);
  world.apply([first]);
  await world.clock.advance(10 * MINUTE);
  const at = T0 + 10 * MINUTE;
  world.apply([message({ vtec: vtec('CON', KEY, null, T0 + HOUR), id: 'urn:oid:second', sent: at, ends: T0 + HOUR }, at)]);
  await world.alerts.start();
});
afterEach(() => world.close());

describe('a superseded message whose words the board does not keep', () => {
  it('is answered by its id, from the archive', async () => {
    expect(world.alerts.board.message('urn:oid:first')).toBeUndefined();
    const { status, body } = await world.get('/alerts/urn:oid:first');
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: 'urn:oid:first', state: 'superseded', superseded_by: 'urn:oid:second', is_active: false });
    expect(body['description']).toContain('HAZARD');
  });

  it('leads to the history of its event', async () => {
    const { status, body } = await world.get<{ versions: { id: string }[]; current: { id: string } }>('/alerts/urn:oid:first/history');
    expect(status).toBe(200);
    expect(body.versions.map(({ id }) => id)).toEqual(['urn:oid:first', 'urn:oid:second']);
    expect(body.current.id).toBe('urn:oid:second');
  });

  it('is listed among the messages', async () => {
    const { body } = await world.get<List>('/alerts?view=messages&from=2026-05-21T18:00:00Z');
    expect(body.alerts.map(({ id, state }) => [id, state]).sort()).toEqual([
      ['urn:oid:first', 'superseded'],
      ['urn:oid:second', 'in_force'],
    ]);
    expect(body.total_exact).toBe(true);
  });

  it('is neither read nor listed where only active alerts are asked for', async () => {
    const { body } = await world.get<List>('/alerts?view=messages&active_only=true');
    expect(body.alerts.map(({ id }) => id)).toEqual(['urn:oid:second']);
  });
});

it('the place that stands for no zone at all is never shown as a code', async () => {
  const bare = message({ event: 'Special Weather Statement', vtec: null, id: 'urn:oid:bare', sent: T0, ugc: [], same: [] }, T0);
  world.apply([bare]);
  const { status, body } = await world.get<{ ugc: string[]; zones: unknown[] }>('/alerts/urn:oid:bare');
  expect(status).toBe(200);
  expect([body.ugc, body.zones]).toEqual([[], []]);
});
