import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { bench } from './fixture.ts';
import { evaluate, evaluateMessage, evaluateZone, isTerminal, typeOf } from '../index.ts';
import type { AlertMessage } from './message.ts';
import { parseFeature } from './parse-feature.ts';
import type { State } from './vocabulary.ts';

const root = process.env['NWMS_SHARED_DATA'] ?? resolve(import.meta.dirname, '../../../../../shared/data');
const present = existsSync(join(root, 'alerts'));
if (!present) console.info('recorded NWS alerts are not on this machine: golden tests of captures are skipped');

function capture(file: string, at: string): { now: number; messages: AlertMessage[]; failures: string[] } {
  const bytes = readFileSync(join(root, 'alerts', file));
  const { features } = JSON.parse((file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()) as { features: unknown[] };
  const now = Date.parse(at);
  const messages: AlertMessage[] = [];
  const failures: string[] = [];
  for (const [i, feature] of features.entries()) {
    const parsed = parseFeature(feature, { source: 'nws', receivedAt: now, contentHash: String(i) });
    if (parsed.ok) messages.push(parsed.message);
    else failures.push(parsed.reason);
  }
  return { now, messages, failures };
}

/** Deterministic shuffle: pages come in any order. */
function shuffled<T>(items: readonly T[], seed: number): T[] {
  const out = [...items];
  let state = seed;
  for (let i = out.length - 1; i > 0; i--) {
    state = (state * 1103515245 + 12345) % 2147483648;
    const j = state % (i + 1);
    [out[i], out[j]] = [out[j] as T, out[i] as T];
  }
  return out;
}

const CAPTURES = [
  { file: 'active-us-2025-12-15T2155Z.json.gz', at: '2025-12-15T21:55:00Z', total: 529, terminal: 3 },
  { file: 'active-us-2024-12-08.json.gz', at: '2024-12-08T22:47:00Z', total: 444, terminal: 1 },
  { file: 'active-iowa-2024-05-21T1934Z.json', at: '2024-05-21T19:34:00Z', total: 48, terminal: 0 },
];

describe.skipIf(!present)('national captures', () => {
  it.each(CAPTURES)('$file: every listed alert is active, no terminal notice is', ({ file, at, total, terminal }) => {
    const { now, messages, failures } = capture(file, at);
    expect(failures).toEqual([]);
    expect(messages).toHaveLength(total);
    const b = bench();
    b.apply(messages, { now });
    const contradictions: string[] = [];
    let terminals = 0;
    for (const m of messages) {
      const event = b.index.byMessage(m.id);
      if (!event) {
        contradictions.push(`${m.id} belongs to no event`);
        continue;
      }
      if (isTerminal(m)) {
        terminals++;
        if (evaluateMessage(event, m.id, now).isActive) contradictions.push(`${m.id} is terminal and active`);
      } else {
        if (!evaluate(event, now).isActive) contradictions.push(`${m.id} is listed and not active`);
        for (const zone of m.zones)
          if (!evaluateZone(event, zone.code, now).isActive) contradictions.push(`${m.id} ${zone.code} is not active`);
      }
      if (typeOf(m).hazardRank === 100) contradictions.push(`${m.event} is not in the registry`);
    }
    expect(contradictions).toEqual([]);
    expect(terminals).toBe(terminal);
  });

  it.each(CAPTURES)('$file: the result does not depend on the order of the list', ({ file, at }) => {
    const { now, messages } = capture(file, at);
    const outcome = (seed: number) => {
      const b = bench();
      b.apply(shuffled(messages, seed), { now });
      return b.index.events().sort((x, y) => (x.eventId < y.eventId ? -1 : 1));
    };
    expect(outcome(7)).toEqual(outcome(1234567));
  });

  it.each(CAPTURES)('$file: the same list again tells nothing', ({ file, at }) => {
    const { now, messages } = capture(file, at);
    const b = bench();
    b.apply(messages, { now });
    expect(b.apply(messages, { now: now + 30_000 })).toEqual([]);
  });

  it('529 messages of December 2025 are 326 events; 71 rows are older forecasts of the same hazard', () => {
    const { now, messages } = capture(CAPTURES[0]!.file, CAPTURES[0]!.at);
    const b = bench();
    b.apply(messages, { now });
    const events = b.index.events();
    const states: Partial<Record<State, number>> = {};
    for (const m of messages) {
      const { state } = evaluateMessage(b.index.byMessage(m.id)!, m.id, now);
      states[state] = (states[state] ?? 0) + 1;
    }
    expect(events).toHaveLength(326);
    expect(events.filter((e) => e.identity === 'weak')).toHaveLength(100);
    expect(states).toMatchObject({ superseded: 71, cancelled: 2, upgraded: 1 });
    const weak = messages.filter((m) => b.index.byMessage(m.id)?.identity === 'weak');
    expect(weak).toHaveLength(170);
  });

  it('trap 2, 4: the freeze watch upgraded in 26 zones and cancelled in 10 is over and points to its warning', () => {
    const { now, messages } = capture(CAPTURES[0]!.file, CAPTURES[0]!.at);
    const b = bench();
    b.apply(messages, { now });
    const watch = b.index.event('KTAE.FZ.A.0004.2025')!;
    expect(evaluate(watch, now)).toMatchObject({ state: 'upgraded', isActive: false });
    expect(watch.zones.filter((z) => z.over?.how === 'upgraded')).toHaveLength(26);
    expect(watch.zones.filter((z) => z.over?.how === 'cancelled')).toHaveLength(10);
    expect(watch.upgradedTo).toBe('KTAE.FZ.W.0013.2025');
    expect(b.index.event('KTAE.FZ.W.0013.2025')?.upgradedFrom).toBe('KTAE.FZ.A.0004.2025');
  });

  it('the keep-alive message is kept and never counts', () => {
    const { now, messages } = capture(CAPTURES[1]!.file, CAPTURES[1]!.at);
    const b = bench();
    const entries = b.apply(messages, { now });
    const test = entries.filter((e) => e.event.event === 'Test Message');
    expect(test).toHaveLength(1);
    expect(test[0]).toMatchObject({ channels: [], event: { countable: false } });
  });
});
