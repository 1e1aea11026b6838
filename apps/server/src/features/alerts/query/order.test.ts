import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Row } from '../board/row.ts';
import { NO_END } from '../board/row.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { ORDERS } from '@nwms/contract/filters';
import { type OrderBy, orderOf, sortRows } from './order.ts';
import { MAX_LIMIT, pageOf } from './page.ts';

const severity = fc.constantFrom('Extreme', 'Severe', 'Moderate', 'Minor', 'Unknown');
const instant = fc.integer({ min: 0, max: 5 });
const arbitraryRow = fc
  .record({
    n: fc.integer({ min: 0, max: 10_000 }),
    class: fc.constantFrom(0, 1, 2),
    rank: fc.integer({ min: 0, max: 3 }),
    until: fc.option(instant, { nil: NO_END }),
    at: instant,
    severity,
    event: fc.constantFrom('Ärger', 'alert', 'Blizzard'),
  })
  .map(({ n, class: group, rank, until, at, severity: word, event }) => ({
    order: { class: group, until, endedAt: at, sent: at, effective: at, onset: until, expires: at, updatedAt: at },
    alert: { event_id: `e${n}`, id: `m${n}`, hazard_rank: rank, severity: word, event, area_desc: event },
  })) as unknown as fc.Arbitrary<Row>;
const arbitraryRows = fc.uniqueArray(arbitraryRow, { selector: (row) => row.alert.event_id, maxLength: 40 });
const orderBy = fc.constantFrom<OrderBy>(...ORDERS);

describe('orders', () => {
  it('are total: no two different rows are equal, and sorting does not depend on where a row stood', () => {
    fc.assert(
      fc.property(arbitraryRows, orderBy, (rows, by) => {
        const order = orderOf(by, 'events');
        const sorted = sortRows(rows, order);
        expect(sortRows([...rows].reverse(), order)).toEqual(sorted);
        sorted.slice(1).forEach((row, index) => expect(order.compare(sorted[index]!, row)).toBeLessThan(0));
        for (const row of rows) expect(order.key(row).map((part) => typeof part)).toEqual(order.parts);
      }),
    );
  });

  it('put what is in force first, then what is coming, then what is over, and open ends last', () => {
    fc.assert(
      fc.property(arbitraryRows, (rows) => {
        const sorted = sortRows(rows, orderOf('rank', 'events'));
        const classes = sorted.map((row) => row.order.class);
        expect(classes).toEqual([...classes].sort());
        const ends = sortRows(rows, orderOf('in_force_until', 'events')).map((row) => row.order.until);
        expect(ends).toEqual([...ends].sort((a, b) => a - b));
      }),
    );
  });
});

describe('cursors', () => {
  it('never repeat or skip a row that did not change, whatever comes and goes between the pages', () => {
    const limit = fc.integer({ min: 1, max: 7 });
    fc.assert(
      fc.property(arbitraryRows, arbitraryRows, orderBy, limit, (stable, others, by, size) => {
        const order = orderOf(by, 'events');
        const stays = new Set(stable.map((row) => row.alert.event_id));
        const foreign = others.filter((row) => !stays.has(row.alert.event_id));
        const seen: string[] = [];
        let cursor: string | undefined;
        for (let turn = 0; turn < 100; turn += 1) {
          // A different half of the others exists at every page.
          const present = foreign.filter((_, index) => (index + turn) % 2 === 0);
          const page = pageOf(sortRows([...stable, ...present], order), { limit: size, cursor }, order, 'q');
          seen.push(...page.rows.map((row) => row.alert.event_id).filter((id) => stays.has(id)));
          if (page.nextCursor === null) break;
          cursor = page.nextCursor;
        }
        expect(seen).toEqual(sortRows(stable, order).map((row) => row.alert.event_id));
      }),
    );
  });

  it('are bound to their question and refuse made-up text', () => {
    const order = orderOf('rank', 'events');
    const cursor = encodeCursor([0, -700, NO_END, 'KDMX.SV.W.0106.2026'], 'a');
    expect(decodeCursor(cursor, 'a', order)).toEqual([0, -700, NO_END, 'KDMX.SV.W.0106.2026']);
    expect(() => decodeCursor(cursor, 'b', order)).toThrowError(/query\.cursor_mismatch/);
    expect(() => decodeCursor(cursor, 'a', orderOf('event', 'events'))).toThrowError(/query\.cursor_invalid/);
    fc.assert(fc.property(fc.string(), (text) => void expect(() => decodeCursor(text, 'a', order)).toThrowError(/query\.cursor/)));
  });

  it('take limit 0 and no limit as the maximum (R-28)', () => {
    const order = orderOf('rank', 'events');
    expect(pageOf([], {}, order, 'q').limit).toBe(MAX_LIMIT);
    expect(pageOf([], { limit: 0 }, order, 'q').limit).toBe(MAX_LIMIT);
    expect(() => pageOf([], { cursor: 'x', offset: 1 }, order, 'q')).toThrowError(/request\.invalid/);
  });
});
