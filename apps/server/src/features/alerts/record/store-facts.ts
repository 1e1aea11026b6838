import type { AlertMessage, EventFact, EventState, Instant } from '@nwms/domain';
import { DAY_MS } from '@nwms/domain';
import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import { insertRows, replaceOnConflict, type SqlValue } from '../../../platform/db/bulk.ts';
import type { Database, Part } from '../../../platform/db/types.ts';
import { inLists } from '../storage/messages-store.ts';
import { classStarts, spanClassOf } from '../storage/spans.ts';
import { type AlertTables, FOREVER } from '../storage/tables.ts';
import type { KnownState } from './build-fact.ts';
import type { DayCount, FactFilter } from './types.ts';

type FactTables = AlertTables & {
  event_facts: {
    event_id: string;
    event: string;
    event_lower: string;
    source: string;
    /** 0 unknown to 4 extreme. */
    severity: number;
    begin_at: number;
    /** Days since 1970 and hour in the zone of the event. */
    local_day: number;
    local_hour: number;
    span_class: number;
    /** Earlier of first known and in force; with over_at the life that windows are asked for. */
    span_from: number;
    over_at: number;
    /** Two-letter states between blanks. */
    states: string;
    /** Area codes, zones, states and office between blanks, for `like`. */
    codes: string;
    detail: string;
  };
};

const COLUMNS = [
  'event_id',
  'event',
  'event_lower',
  'source',
  'severity',
  'begin_at',
  'local_day',
  'local_hour',
  'span_class',
  'span_from',
  'over_at',
  'states',
  'codes',
  'detail',
] as const;
/** Rows per page of a scan: some megabytes. */
const PAGE_ROWS = 4_000;

/** Up to where the facts follow the events: the last change taken over. */
export interface FactMark {
  updatedAt: Instant;
  eventId: string;
}

export interface Changed {
  event: EventState;
  known: KnownState[];
}

/** Facts in SQL: reads off the request thread, one transaction per batch written. Throws the database's own errors. */
export interface FactStore {
  mark(): Promise<FactMark | null>;
  changedAfter(mark: FactMark, limit: number): Promise<{ changed: Changed[]; messages: Map<string, AlertMessage> }>;
  save(facts: readonly EventFact[], mark: FactMark): Promise<void>;
  meeting(from: Instant, to: Instant, filter: FactFilter): AsyncIterable<string[]>;
  counts(
    fromDay: number,
    toDay: number,
    filter: FactFilter,
    by: { hour?: boolean; event?: boolean; states?: boolean },
  ): Promise<DayCount[]>;
  since(): Promise<Instant | null>;
}

/** A later form of the facts has another name and is built anew. */
const MARK_KEY = 'facts-1';

export function createFactStore(database: Database, pause: () => Promise<void>): FactStore {
  const reads = database.reads.log.withTables<FactTables>();
  const writes = database.log.withTables<FactTables>();
  return {
    async mark() {
      const row = await writes.selectFrom('meta').select('value').where('key', '=', MARK_KEY).executeTakeFirst();
      return row ? (JSON.parse(row.value) as FactMark) : null;
    },
    changedAfter: (mark, limit) => changedAfter(reads, mark, limit, pause),
    save: (facts, mark) => save(database, facts, mark, pause),
    meeting: (from, to, filter) => meeting(reads, from, to, filter),
    counts: (fromDay, toDay, filter, by) => counts(reads, fromDay, toDay, filter, by),
    async since() {
      const row = await reads
        .selectFrom('event_facts')
        .select((e) => e.fn.min('span_from').as('first'))
        .executeTakeFirst();
      return row?.first === null || row?.first === undefined ? null : Number(row.first);
    },
  };
}

type Reads = Kysely<FactTables>;

async function changedAfter(db: Reads, mark: FactMark, limit: number, pause: () => Promise<void>) {
  const rows = await db
    .selectFrom('events')
    .select('state')
    .where((e) =>
      e.or([e('updated_at', '>', mark.updatedAt), e.and([e('updated_at', '=', mark.updatedAt), e('event_id', '>', mark.eventId)])]),
    )
    .orderBy('updated_at')
    .orderBy('event_id')
    .limit(limit)
    .execute();
  const events: EventState[] = [];
  for (const row of rows) {
    events.push(JSON.parse(row.state) as EventState);
    await pause();
  }
  const ids = events.map((event) => event.eventId);
  const revisions = await inLists(ids, (part) =>
    db
      .selectFrom('revisions')
      .select(['event_id', 'known_from', 'state'])
      .where('event_id', 'in', part)
      .where('state', 'is not', null)
      .orderBy('event_id')
      .orderBy('seq')
      .execute(),
  );
  const known = new Map<string, KnownState[]>();
  for (const row of revisions) {
    const own = known.get(row.event_id) ?? [];
    own.push({ knownFrom: row.known_from ?? 0, state: JSON.parse(row.state ?? 'null') as EventState });
    known.set(row.event_id, own);
    await pause();
  }
  const wanted = events.flatMap((event) => event.versions.map((version) => version.messageId));
  const messages = new Map<string, AlertMessage>();
  for (const { parsed } of await inLists(wanted, (part) => db.selectFrom('messages').select('parsed').where('id', 'in', part).execute())) {
    const message = JSON.parse(parsed) as AlertMessage;
    messages.set(message.id, message);
    await pause();
  }
  return { changed: events.map((event) => ({ event, known: known.get(event.eventId) ?? [] })), messages };
}

async function save(database: Database, facts: readonly EventFact[], mark: FactMark, pause: () => Promise<void>): Promise<void> {
  const value = JSON.stringify(mark);
  await database.log.transaction().execute(async (tx) => {
    await insertFacts(database, tx, facts, pause);
    await tx
      .withTables<FactTables>()
      .insertInto('meta')
      .values({ key: MARK_KEY, value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
      .execute();
  });
}

/** Writes facts within a transaction. */
export async function insertFacts(database: Database, tx: Part, facts: readonly EventFact[], pause: () => Promise<void>): Promise<void> {
  const table = { name: database.table('log', 'event_facts'), columns: COLUMNS, suffix: replaceOnConflict(['event_id'], COLUMNS) };
  await insertRows(tx, database.engine.kind, table, facts.map(factRow), pause);
}

function factRow(fact: EventFact): SqlValue[] {
  const spanFrom = Math.min(fact.firstSeen, fact.begin);
  const overAt = Math.max(fact.overAt ?? FOREVER, spanFrom);
  const local = fact.begin + fact.offsetMinutes * 60_000;
  const day = Math.floor(local / DAY_MS);
  return [
    fact.eventId,
    fact.event,
    fact.event.toLowerCase(),
    fact.source,
    fact.severity,
    fact.begin,
    day,
    Math.floor((local - day * DAY_MS) / 3_600_000),
    spanClassOf(spanFrom, overAt),
    spanFrom,
    overAt,
    fact.states.join(' '),
    ` ${factCodes(fact).join(' ')} `,
    JSON.stringify(fact),
  ];
}

/** What an event can be asked for by place: area codes, zones, states, office. */
export function factCodes(fact: EventFact): string[] {
  return [...fact.areas.map(([code]) => code), ...fact.zones, ...fact.states, ...(fact.office === null ? [] : [fact.office])];
}

type Builder = ExpressionBuilder<FactTables, 'event_facts'>;

function conditions(e: Builder, { sources, events, codes }: FactFilter) {
  const all = [e('source', 'in', [...sources])];
  if (events) all.push(e('event_lower', 'in', events.length > 0 ? events.map((name) => name.trim().toLowerCase()) : ['']));
  // Codes are letters and digits only (checked by the contract), so nothing in them is a wildcard.
  if (codes) all.push(e.or(codes.map((code) => e('codes', 'like', `% ${code} %`))) as never);
  return e.and(all);
}

/** Class by class in the order of the index, so that every page is one range of it. */
async function* meeting(db: Reads, from: Instant, to: Instant, filter: FactFilter): AsyncIterable<string[]> {
  for (const { spanClass, earliest } of classStarts(from)) {
    let last: { span_from: number; event_id: string } | undefined;
    for (;;) {
      const after = last;
      const rows = await db
        .selectFrom('event_facts')
        .select(['span_from', 'event_id', 'detail'])
        .where('span_class', '=', spanClass)
        .where('span_from', '<', to)
        .where('over_at', '>', from)
        .$if(earliest !== null, (query) => query.where('span_from', '>=', earliest ?? 0))
        .$if(after !== undefined, (query) =>
          query
            .where('span_from', '>=', after?.span_from ?? 0)
            .where((e) => e.or([e('span_from', '>', after?.span_from ?? 0), e('event_id', '>', after?.event_id ?? '')])),
        )
        .where((e) => conditions(e, filter))
        .orderBy('span_from')
        .orderBy('event_id')
        .limit(PAGE_ROWS)
        .execute();
      if (rows.length > 0) yield rows.map((row) => row.detail);
      last = rows.at(-1);
      if (rows.length < PAGE_ROWS) break;
    }
  }
}

async function counts(
  db: Reads,
  fromDay: number,
  toDay: number,
  filter: FactFilter,
  by: { hour?: boolean; event?: boolean; states?: boolean },
): Promise<DayCount[]> {
  const groups = [
    'local_day',
    'severity',
    ...(by.hour ? ['local_hour'] : []),
    ...(by.event ? ['event'] : []),
    ...(by.states ? ['states'] : []),
  ];
  const rows = await db
    .selectFrom('event_facts')
    .select((e) => e.fn.countAll<number>().as('n'))
    .select(groups.map((name) => sql.ref<string | number>(name).as(name)))
    .where('local_day', '>=', fromDay)
    .where('local_day', '<=', toDay)
    .where((e) => conditions(e, filter))
    .groupBy(groups.map((name) => sql.ref(name)))
    .execute();
  return rows.map((row) => {
    const each = row as unknown as Record<string, string | number> & { n: number };
    return {
      day: Number(each['local_day']),
      severity: Number(each['severity']),
      hour: by.hour ? Number(each['local_hour']) : null,
      event: by.event ? String(each['event']) : null,
      states: by.states ? String(each['states']) : null,
      count: Number(each.n),
    };
  });
}
