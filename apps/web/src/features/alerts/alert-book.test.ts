import type { AlertMessageOut, LiveAlert, UpdateMessageOut } from '@nwms/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AlertBook, applyEntries, ENDED_STAYS_SECONDS, mergeList, NEW_FOR_SECONDS, settle } from './alert-book.ts';
import { alertFixture } from './alert-fixture.ts';

const NOW = Date.parse('2026-05-01T13:00:00Z');
const alert = (event_id: string, over: Partial<LiveAlert> = {}) => alertFixture({ event_id, ...over });
const list = (seq: number, ...alerts: LiveAlert[]) => ({ alerts, epoch: 'e', seq });
const issued = (seq: number, row: LiveAlert): AlertMessageOut => ({
  type: 'alert',
  seq,
  cursor: `e:${seq}`,
  at: '',
  kind: 'issued',
  channels: ['alerts'],
  alert: row,
});
const updated = (seq: number, row: LiveAlert): UpdateMessageOut => {
  const { event_id, id, version, state, state_reason, is_active } = row;
  const update = { kind: 'revised' as const, event_id, id, version, state, state_reason, is_active, summary: '', diff: null, alert: row };
  return { type: 'update', seq, cursor: `e:${seq}`, at: '', kind: 'revised', channels: ['updates'], update };
};
const applyEntry = (book: AlertBook, message: AlertMessageOut | UpdateMessageOut, nowMs: number) => applyEntries(book, [message], nowMs);
const over = (event_id: string, version = 2) => alert(event_id, { is_active: false, state: 'cancelled', version });
const activeIds = (book: AlertBook) => [...book.rows.values()].filter((row) => row.alert.is_active).map((row) => row.alert.event_id);

describe('the book of alerts', () => {
  test('an older list never takes away an alert that a newer live entry brought', () => {
    const live = applyEntry(mergeList(undefined, list(5, alert('A')), NOW), issued(9, alert('B')), NOW);
    expect(activeIds(mergeList(live, list(7, alert('A')), NOW)).sort()).toEqual(['A', 'B']);
  });
  test('an older list never revives an alert that a newer live entry ended', () => {
    const ended = applyEntry(mergeList(undefined, list(5, alert('A')), NOW), updated(9, over('A')), NOW);
    const merged = mergeList(ended, list(7, alert('A')), NOW);
    expect(activeIds(merged)).toEqual([]);
    expect(merged.rows.get('A')?.alert.state).toBe('cancelled');
  });
  test('a newer list is believed: what it does not name is gone, what it names is there', () => {
    const book = applyEntry(mergeList(undefined, list(5, alert('A'), alert('B')), NOW), issued(6, alert('C')), NOW);
    expect(activeIds(mergeList(book, list(8, alert('B'), alert('D')), NOW)).sort()).toEqual(['B', 'D']);
  });
  test('a list that was overtaken by a newer list brings nothing back', () => {
    const book = mergeList(mergeList(undefined, list(5, alert('A'), alert('B')), NOW), list(8, alert('B')), NOW);
    expect(activeIds(mergeList(book, list(6, alert('A'), alert('B')), NOW))).toEqual(['B']);
  });
  test('a list of another epoch replaces everything: sequence numbers of two logs cannot be compared', () => {
    const book = mergeList(undefined, list(500, alert('A')), NOW);
    const merged = mergeList(book, { alerts: [alert('B')], epoch: 'other', seq: 3 }, NOW);
    expect(activeIds(merged)).toEqual(['B']);
    expect(applyEntry(merged, issued(4, alert('C')), NOW).rows.size).toBe(2);
  });
  test('an ended alert stays to be seen, with its state, then leaves', () => {
    const book = applyEntry(mergeList(undefined, list(5, alert('A')), NOW), updated(6, over('A')), NOW);
    expect(book.rows.get('A')?.alert.state).toBe('cancelled');
    const during = settle(book, NOW + (ENDED_STAYS_SECONDS - 1) * 1000);
    expect(during).toBe(book);
    expect(settle(book, NOW + ENDED_STAYS_SECONDS * 1000).rows.size).toBe(0);
  });
  test('an ended alert that becomes active again does not leave', () => {
    const ended = applyEntry(mergeList(undefined, list(5, alert('A')), NOW), updated(6, over('A')), NOW);
    const back = applyEntry(ended, updated(7, alert('A', { version: 3 })), NOW);
    expect(activeIds(settle(back, NOW + 3_600_000))).toEqual(['A']);
  });
  test('rows of the first list are not new, what comes later is', () => {
    const book = mergeList(undefined, list(5, alert('A')), NOW);
    expect(book.rows.get('A')?.arrivedAtMs).toBeNull();
    expect(applyEntry(book, issued(6, alert('B')), NOW + 5).rows.get('B')?.arrivedAtMs).toBe(NOW + 5);
    expect(mergeList(book, list(6, alert('A'), alert('C')), NOW + 9).rows.get('C')?.arrivedAtMs).toBe(NOW + 9);
  });
  test('a new row is new for a while, not for ever', () => {
    const book = applyEntry(mergeList(undefined, list(5, alert('A')), NOW), issued(6, alert('B')), NOW);
    expect(settle(book, NOW + NEW_FOR_SECONDS * 1000)).toBe(book);
    expect(settle(book, NOW + NEW_FOR_SECONDS * 1000 + 1).rows.get('B')?.arrivedAtMs).toBeNull();
  });
  test('a repeated or older entry changes nothing', () => {
    const book = applyEntry(mergeList(undefined, list(5, alert('A')), NOW), updated(8, alert('A', { version: 3 })), NOW);
    expect(applyEntry(book, updated(8, alert('A', { version: 3 })), NOW)).toBe(book);
    expect(applyEntry(book, updated(6, over('A')), NOW)).toBe(book);
  });
});

/** A log: at each position one event is issued, revised or ended. */
const logOf = fc.array(fc.record({ event: fc.constantFrom('A', 'B', 'C', 'D', 'E'), ends: fc.boolean() }), { minLength: 1, maxLength: 30 });

test('whatever the order in which lists interrupt the entries, the active rows are those of the log', () => {
  fc.assert(
    fc.property(logOf, fc.array(fc.nat(29), { maxLength: 8 }), fc.nat(29), (log, listsAt, startAt) => {
      const truth = (seq: number): LiveAlert[] => {
        const active = new Map<string, LiveAlert>();
        for (const [index, entry] of log.slice(0, seq).entries()) {
          if (entry.ends) active.delete(entry.event);
          else active.set(entry.event, alert(entry.event, { version: index + 1 }));
        }
        return [...active.values()];
      };
      const start = Math.min(startAt, log.length);
      let book = mergeList(undefined, list(start, ...truth(start)), NOW);
      for (let seq = start + 1; seq <= log.length; seq += 1) {
        const { event, ends } = log[seq - 1]!;
        book = applyEntry(book, updated(seq, ends ? over(event, seq) : alert(event, { version: seq })), NOW);
        // Lists that were asked for earlier, or later than what was delivered so far, arrive in between.
        for (const at of listsAt) if (at % 7 === seq % 7 && at <= log.length) book = mergeList(book, list(at, ...truth(at)), NOW);
      }
      expect(activeIds(book).sort()).toEqual(
        truth(log.length)
          .map((row) => row.event_id)
          .sort(),
      );
    }),
    { numRuns: 500 },
  );
});

test('a burst leaves what its entries leave one by one, repeats and late ones among them, and touches no book of before', () => {
  fc.assert(
    fc.property(logOf, fc.array(fc.nat(40), { minLength: 1, maxLength: 30 }), (log, seqs) => {
      const before = mergeList(undefined, list(5, alert('A'), alert('B')), NOW);
      const entries = seqs.map((seq) => {
        const { event, ends } = log[seq % log.length]!;
        return updated(seq, ends ? over(event, seq) : alert(event, { version: seq }));
      });
      const burst = applyEntries(before, entries, NOW);
      expect(burst).toEqual(entries.reduce((book, entry) => applyEntry(book, entry, NOW), before));
      expect([...before.rows.values()].map(({ seq }) => seq)).toEqual([5, 5]);
    }),
  );
});
