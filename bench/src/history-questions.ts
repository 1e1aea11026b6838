import type { EventState } from '@nwms/domain';
import { systemClock } from '@nwms/server/platform/clock';
import type { Database } from '@nwms/server/platform/db/types';
import { createShapeCache } from '@nwms/server/features/alerts/board/shapes';
import { createPartsFill } from '@nwms/server/features/alerts/record/store-parts-fill';
import { createPartStore } from '@nwms/server/features/alerts/record/store-parts';
import { createEventReigns } from '@nwms/server/features/alerts/record/store-reigns';
import { createTimelineFace } from '@nwms/server/features/alerts/record/timeline-rows';
import { createAlertArchive } from '@nwms/server/features/alerts/storage/archive';
import { messageIdsOf } from '@nwms/server/features/alerts/storage/batch';
import { createPause } from '@nwms/server/features/alerts/storage/pause';
import type pg from 'pg';
import { noPlaces } from '../../apps/server/src/features/alerts/storage/storage-fixture.ts';
import { seeded } from './board-messages.ts';

export const KINDS = [
  'list by event and state',
  'list of a day',
  'in force at T',
  'event history',
  'timeline, a day',
  'the same day again',
] as const;
export type Kind = (typeof KINDS)[number];
export interface Question {
  from: number;
  to: number;
  area: string;
  code: string;
  eventId: string;
}
/** Names of the rows that answer it, once they are read and parsed. */
export type Ask = (kind: Kind, question: Question) => Promise<string[]>;

const DAY_MS = 86_400_000;
const LIMIT = 20_000;
/** A range that holds both ends, whichever comes first: what was cancelled before it began ends before it begins. */
const rangeOf = (from: string, until: string) => `int8range(least(${from}, ${until}), greatest(${from}, ${until}), '[]')`;
const inForce = (from: string, to: string) =>
  `${rangeOf('e.in_force_from', 'e.over_at')} && int8range(${from}, ${to}) and e.in_force_from < ${to} and e.over_at > ${from}`;

/** What plain SQL would want for these questions and we do not have. */
export const IDEAL_INDEXES: readonly string[] = [
  `create index ideal_events on log.events using gist (${rangeOf('in_force_from', 'over_at')})`,
  'create index ideal_events_code on log.events (event_code, in_force_from)',
  `create index ideal_revisions on log.revisions using gist (${rangeOf('known_from', 'shown_until')}) where state is not null`,
  `create unlogged table log.ideal_reigns as select r.event_id, r.seq, r.known_from, r.known_until, r.shown_until,
     m.parsed::json->>'severity' as severity, m.sent from log.revisions r join log.messages m on m.id = r.message_id where r.state is not null`,
  `create index ideal_reigns_shown on log.ideal_reigns using gist (${rangeOf('known_from', 'shown_until')})`,
  'analyze log.ideal_reigns',
  'analyze log.events',
  'analyze log.revisions',
];

/** Questions as people ask them: any day of the record, event types and states that occur. */
export async function questions(client: pg.Client, span: { from: number; to: number }, count: number): Promise<Record<Kind, Question[]>> {
  const random = seeded(11);
  const codes = await listOf(
    client,
    'select event_code as name from log.events where event_code is not null group by 1 order by count(*) desc limit 8',
  );
  const areas = await listOf(
    client,
    'select area as name from log.event_areas where length(area) = 2 group by 1 order by count(*) desc limit 20',
  );
  const ids = await listOf(client, `select event_id as name from log.revisions group by 1 order by md5(event_id) limit ${count}`);
  const pick = (names: readonly string[]) => names[Math.floor(random() * names.length)] ?? '';
  const days = (length: number) => {
    const from = Math.floor(span.from + random() * Math.max(DAY_MS, span.to - span.from - length * DAY_MS));
    return { from, to: from + length * DAY_MS };
  };
  const make = (length: number) =>
    Array.from({ length: count }, (_, n): Question => ({ ...days(length), area: pick(areas), code: pick(codes), eventId: ids[n] ?? '' }));
  const day = make(1);
  return {
    'list by event and state': make(7),
    'list of a day': make(1),
    'in force at T': make(1),
    'event history': make(1),
    'timeline, a day': day,
    'the same day again': day,
  };
}

async function listOf(client: pg.Client, text: string): Promise<string[]> {
  return (await client.query<{ name: string }>(text)).rows.map(({ name }) => name);
}

/** The product's own stores, as its routes ask them. */
export function askProduct(database: Database): Ask {
  const pause = createPause(systemClock);
  const archive = createAlertArchive({ reads: database.reads.log, pause });
  const reigns = createEventReigns({ reads: database.reads.log, pause });
  const board = { message: () => undefined, shapes: createShapeCache() };
  const deps = { clock: systemClock, places: noPlaces, board, alertLog: null, archive };
  const parts = createPartStore(database);
  const timeline = createTimelineFace(
    deps as never,
    { reigns, parts, fillParts: createPartsFill(database, systemClock, pause) },
    async () => null,
  );
  const names = (events: readonly EventState[]) => events.map((event) => event.eventId);
  return async (kind, { from, to, area, code, eventId }) => {
    switch (kind) {
      case 'list by event and state':
        return names(
          (await archive.find({ from, to, timeField: 'in_force', eventCodes: [code], ugcPrefixes: [area], limit: LIMIT })).events,
        );
      case 'list of a day':
        return names((await archive.find({ from, to, timeField: 'in_force', limit: LIMIT })).events);
      case 'in force at T':
        return names((await archive.asOf(from, { activeOnly: true, limit: LIMIT })).events);
      case 'event history':
        return (await archive.revisions(eventId)).map(({ seq }) => String(seq));
      default: {
        const signal = new AbortController().signal;
        const { rows } = await timeline.rows({ from, to, known: 'then', filter: {}, limit: 250_000, signal });
        return [...new Set(rows.map(({ seq }) => String(seq)))];
      }
    }
  };
}

/** The same rows by plain statements over ideal indexes, read into the same objects. */
export function askSql(client: pg.Client): Ask {
  const statesOf = async (name: string, text: string, values: unknown[]): Promise<EventState[]> => {
    const { rows } = await client.query<{ state: string }>({ name, text, values });
    const events = rows.map(({ state }) => JSON.parse(state) as EventState);
    const ids = [...new Set(events.flatMap(messageIdsOf))];
    const found = await client.query<{ parsed: string }>({
      name: 'messages',
      text: 'select parsed from log.messages where id = any($1)',
      values: [ids],
    });
    for (const { parsed } of found.rows) JSON.parse(parsed);
    return events;
  };
  const names = (events: readonly EventState[]) => events.map((event) => event.eventId);
  return async (kind, { from, to, area, code, eventId }) => {
    switch (kind) {
      case 'list by event and state':
        return names(
          await statesOf(
            kind,
            `select e.state from log.events e where e.event_code = $1 and ${inForce('$2::bigint', '$3::bigint')}
               and exists (select 1 from log.event_areas a where a.area = $4 and a.event_id = e.event_id)`,
            [code, from, to, area],
          ),
        );
      case 'list of a day':
        return names(await statesOf(kind, `select e.state from log.events e where ${inForce('$1::bigint', '$2::bigint')}`, [from, to]));
      case 'in force at T':
        return names(
          await statesOf(
            kind,
            `select state from log.revisions where state is not null and known_from <= $1 and known_until > $1 and shown_until > $1 and ${rangeOf('known_from', 'shown_until')} @> $1::bigint`,
            [from],
          ),
        );
      case 'event history': {
        const text = `select r.seq, r.at, r.kind, r.version, r.message_id, r.summary, r.diff, e.state from log.revisions r join log.events e using (event_id) where r.event_id = $1 order by r.seq`;
        const { rows } = await client.query<{ seq: number; state: string; diff: string | null }>({ name: kind, text, values: [eventId] });
        if (rows[0]) JSON.parse(rows[0].state);
        return rows.map(({ seq, diff }) => (diff === null ? null : JSON.parse(diff), String(seq)));
      }
      default: {
        const text = `select event_id, seq, known_from, known_until, severity, sent from log.ideal_reigns where ${rangeOf('known_from', 'shown_until')} && int8range($1, $2) and known_from < $2 and shown_until > $1 order by sent`;
        const { rows } = await client.query<{ seq: number }>({ name: 'timeline', text, values: [from, to + 1] });
        return rows.map(({ seq }) => String(seq));
      }
    }
  };
}
