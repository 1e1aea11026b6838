import { type AlertMessage, type EventState, overAt } from '@nwms/domain';
import { testEngines } from '@nwms/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, message, vtec, type World } from '../../../test/alerts-world.ts';
import { type Opened, openStorage, T0 } from './storage/storage-fixture.ts';
import { alertTables, type AlertTables } from './storage/tables.ts';

const engines = (await testEngines()).filter((engine) => engine.skip === null);
const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
/** More than is read at once without a time, and no multiple of any page. */
const OLD = 2_307;
const SEVERITIES = ['Extreme', 'Severe', 'Moderate'] as const;

interface List {
  alerts: { event_id: string; severity: string; sent: string }[];
  total: number;
  total_exact: boolean;
  has_more: boolean;
  truncated: boolean;
  next_cursor: string | null;
  warnings: { code: string }[];
}

/** Copies of one event that is over, each with an end and an id of its own; a third of them per severity. Answers who has which. */
async function fillRecord(opened: Opened): Promise<{ event: EventState; severity: string }[]> {
  const db = alertTables(opened.database.log);
  const rows = await db.selectFrom('events').selectAll().where('countable', '=', 1).execute();
  const model = rows.find((row) => (JSON.parse(row.state) as EventState).versions.length === 1);
  if (!model) throw new Error('no event to copy');
  const { currentId } = JSON.parse(model.state) as EventState;
  const spoken = await db.selectFrom('messages').selectAll().where('id', '=', currentId).executeTakeFirstOrThrow();
  const messageId = (severity: string) => `${currentId}-${severity}`;
  for (const severity of SEVERITIES) {
    const id = messageId(severity);
    const parsed = JSON.stringify({ ...(JSON.parse(spoken.parsed) as AlertMessage), id, upstreamId: id, severity });
    await db
      .insertInto('messages')
      .values({ ...spoken, id, upstream_id: id, content_hash: id, parsed })
      .execute();
  }
  const copies: { event: EventState; severity: string }[] = [];
  const values: AlertTables['events'][] = [];
  for (let n = 0; n < OLD; n += 1) {
    const severity = SEVERITIES[n % SEVERITIES.length] ?? '';
    const event = JSON.parse(model.state.replaceAll(currentId, messageId(severity))) as EventState;
    // Three end at a time: equals must not be lost at the edge of a page.
    const until = T0 - 8 * DAY - Math.floor(n / 3) * MINUTE;
    const eventId = `KXYZ.SV.W.${String((n * 7) % OLD).padStart(4, '0')}.2020`;
    Object.assign(event, { eventId, from: until - 60 * MINUTE, until, expires: until });
    for (const zone of event.zones) Object.assign(zone, { from: event.from, until, over: null });
    copies.push({ event, severity });
    values.push({ ...model, event_id: eventId, in_force_from: event.from, over_at: overAt(event) ?? 0, state: JSON.stringify(event) });
  }
  for (let start = 0; start < OLD; start += 500)
    await db
      .insertInto('events')
      .values(values.slice(start, start + 500))
      .execute();
  return copies;
}

describe.each(engines)('a record of more than 2,000 events on $name', (engine) => {
  let opened: Opened;
  let world: World;
  let copies: { event: EventState; severity: string }[];
  let dispose: () => Promise<void>;
  beforeAll(async () => {
    const place = await engine.place();
    dispose = () => place.dispose();
    opened = await openStorage(place.config);
    const now = opened.clock.now();
    const incoming = [1, 2].map((number) => {
      const key = `KDMX.SV.W.000${number}`;
      return {
        message: message({ id: `urn:oid:${number}`, vtec: vtec('NEW', key, now - DAY, now + DAY), ends: now + DAY }, now),
        raw: '{}',
      };
    });
    await opened.storage.writer.applySnapshot({ source: 'nws', poll: null, incoming, listed: null });
    copies = await fillRecord(opened);
    const { log: alertLog, archive, boot } = opened.storage;
    world = await createWorld({ at: opened.clock.now(), deps: { alertLog, archive, boot } });
  }, 60_000);
  afterAll(async () => {
    await world.close();
    await opened.close();
    await dispose();
  });

  async function walk(query: string): Promise<{ pages: List[]; ids: string[] }> {
    const pages: List[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const answer: { status: number; body: List } = await world.get<List>(`/alerts?${query}${cursor && `&cursor=${cursor}`}`);
      const { status, body } = answer;
      expect(status).toBe(200);
      pages.push(body);
      cursor = body.next_cursor;
      expect(body.has_more).toBe(cursor !== null);
    }
    return { pages, ids: pages.flatMap((page) => page.alerts.map((alert) => alert.event_id)) };
  }
  const here = () => world.alerts.board.rows().filter((row) => row.countable).length;

  it('API-23: is paged to its end by cursor, every event once, with the exact total on every page', async () => {
    const { pages, ids } = await walk('detail=slim&limit=900');
    const total = here() + OLD;
    expect(pages.map((page) => [page.total, page.total_exact])).toEqual(pages.map(() => [total, true]));
    expect(ids.length).toBe(total);
    expect(new Set(ids).size).toBe(total);
    expect(pages.every((page) => !page.warnings.some(({ code }) => code === 'history_left_out'))).toBe(true);
    // Newest end first, equals by id: as the rank order says of what is over.
    const events = copies.map(({ event }) => event);
    const expected = events
      .toSorted((a, b) => (b.until ?? 0) - (a.until ?? 0) || (a.eventId < b.eventId ? -1 : 1))
      .map((event) => event.eventId);
    expect(ids.slice(-OLD)).toEqual(expected);
  });

  it('has the same rows at an offset as behind a cursor', async () => {
    const { ids } = await walk('detail=slim&limit=1000');
    for (const offset of [0, here() - 1, 2_000, here() + OLD - 3]) {
      const { body } = await world.get<List>(`/alerts?detail=slim&limit=7&offset=${offset}`);
      expect(body.alerts.map((alert) => alert.event_id)).toEqual(ids.slice(offset, offset + 7));
      expect([body.total, body.has_more]).toEqual([ids.length, offset + 7 < ids.length]);
    }
  });

  it('is read to its end in the orders that have an index, either way round', async () => {
    const { ids } = await walk('detail=slim&limit=1000');
    for (const by of ['-sent', 'updated_at']) {
      const walked = await walk(`detail=slim&limit=1000&order_by=${by}`);
      expect(walked.ids.toSorted()).toEqual(ids.toSorted());
    }
  });

  it('answers a filter that only the alerts themselves can tell piece by piece, and says that its total is a floor until then', async () => {
    const wanted = copies.filter(({ severity }) => severity === 'Extreme').map(({ event }) => event.eventId);
    const { pages, ids } = await walk('detail=slim&limit=200&severity=Extreme');
    expect(ids.filter((id) => id.startsWith('KXYZ')).toSorted()).toEqual(wanted.toSorted());
    expect(new Set(ids).size).toBe(ids.length);
    expect(pages[0]).toMatchObject({ total_exact: false, truncated: true });
    expect(pages[0]?.warnings.map(({ code }) => code)).toContain('total_is_floor');
  });

  it('ends a page of a rare filter after so many events, and goes on behind its cursor until the record ends', async () => {
    const { pages, ids } = await walk('detail=slim&limit=50&event=No such event');
    expect(ids).toEqual([]);
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.length).toBeLessThan(5);
  });

  it('says what it leaves out in an order that no index has', async () => {
    const { body } = await world.get<List>('/alerts?detail=slim&limit=5&order_by=area');
    expect(body).toMatchObject({ total_exact: false, truncated: true });
    expect(body.warnings.map(({ code }) => code)).toContain('history_left_out');
  });
});
