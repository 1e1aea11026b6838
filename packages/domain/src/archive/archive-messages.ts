import { canonicalJson } from '../text/canonical-json.ts';
import type { AffectedZone, AlertMessage, Vtec } from '../alert/message.ts';
import { typeOf, typeOfVtec } from '../alert/types.ts';
import { fipsOfCountyUgc, zoneTypeOf } from '../alert/ugc.ts';
import type { Instant, ZoneType } from '../alert/vocabulary.ts';
import type { ArchivedLife } from './lives.ts';
import type { RawRow, StatementRow, VtecName } from './rows.ts';
import { type Speech, speechesOf } from './speeches.ts';

/** A message as it is stored: with the archive's own words beside it. */
export interface ArchivedMessage {
  message: AlertMessage;
  /** JSON: the rows it was made of, each with the first message that needs it. */
  raw: string;
}

/** What the rules cannot know by themselves. */
export interface ArchiveContext {
  /** Hex SHA-256. */
  hash(text: string): string;
  /** Name of a zone, e.g. "Polk, IA"; null when it is not known. */
  areaName(code: string, type: ZoneType): string | null;
  /** Minutes east of UTC that clocks in these zones showed. */
  offsetMinutes(zones: readonly AffectedZone[], at: Instant): number;
}

/** Messages of one VTEC event. Texts the archive does not have stay null; the severity is the one of the event's type. */
export function messagesOfLife(life: ArchivedLife, eventId: string, context: ArchiveContext): ArchivedMessage[] {
  const [{ name }] = life.rows as [ArchivedLife['rows'][number]];
  const type = typeOfVtec(name.phenomenon, name.significance);
  const told = new Set<RawRow>();
  const ids = new Set<string>();
  return speechesOf(life).map((speech) => {
    const vtec = vtecOf(name, speech);
    const rows = speech.rows.filter((row) => !told.has(row));
    for (const row of rows) told.add(row);
    return archived(
      {
        id: freeId(ids, `import:${eventId}:${compact(speech.sent)}:${speech.action}`),
        event: type?.event ?? `${name.phenomenon}.${name.significance}`,
        eventCode: name.phenomenon + name.significance,
        severity: type?.defaultSeverity ?? 'Unknown',
        office: name.office,
        sent: speech.sent,
        onset: speech.from,
        expires: null,
        ends: speech.until,
        zones: speech.ugcs.map((code) => ({ code, type: zoneTypeOf(null, code), partial: false })),
        vtec: [vtec],
        tags: speech.tags,
        polygon: speech.polygon,
      },
      rows,
      context,
    );
  });
}

/** A statement is one message; its zones are forecast zones. */
export function messageOfStatement(row: StatementRow, context: ArchiveContext): ArchivedMessage {
  const facts: MessageFacts = {
    id: `import:${row.productId}:${row.segment}`,
    event: 'Special Weather Statement',
    eventCode: 'SPS',
    severity: typeOf({ event: 'Special Weather Statement', eventCode: 'SPS' }).defaultSeverity,
    office: row.office,
    sent: row.issue,
    onset: null,
    expires: row.expire,
    ends: null,
    zones: row.ugcs.map((code) => ({ code, type: forecastZone(code), partial: false })),
    vtec: [],
    tags: row.tags,
    polygon: row.polygon,
  };
  return archived(facts, [row.raw], context);
}

const forecastZone = (code: string): ZoneType => {
  const type = zoneTypeOf(null, code);
  return type === 'unknown' ? 'public' : type;
};

type MessageFacts = Pick<
  AlertMessage,
  'id' | 'event' | 'eventCode' | 'severity' | 'office' | 'sent' | 'onset' | 'expires' | 'ends' | 'zones' | 'vtec' | 'tags' | 'polygon'
>;

function archived(facts: MessageFacts, rows: readonly RawRow[], context: ArchiveContext): ArchivedMessage {
  const same = facts.zones.flatMap(({ code }) => fipsOfCountyUgc(code) ?? []).map((fips) => `0${fips}`);
  // Codes under the names that upstream gives them, so that CAP answers carry them.
  const properties = {
    eventCode: { NationalWeatherService: [facts.eventCode] },
    geocode: { UGC: facts.zones.map(({ code }) => code), SAME: same },
    parameters: facts.vtec.length > 0 ? { VTEC: facts.vtec.map((vtec) => vtec.raw) } : {},
  };
  const raw = canonicalJson({ archive: 'import', properties, rows });
  const message: AlertMessage = {
    ...facts,
    upstreamId: facts.id,
    contentHash: context.hash(canonicalJson(facts) + raw),
    source: 'import',
    status: 'Actual',
    isTest: false,
    testSuspected: false,
    messageType: null,
    sameEventCode: null,
    category: 'Met',
    urgency: null,
    certainty: null,
    response: null,
    headline: null,
    description: null,
    instruction: null,
    areaDesc: facts.zones.map(({ code, type }) => context.areaName(code, type) ?? code).join('; '),
    sender: null,
    senderName: '',
    language: 'en-US',
    effective: null,
    eventEndingTime: null,
    sentOffsetMinutes: context.offsetMinutes(facts.zones, facts.sent),
    same,
    references: [],
    replacedBy: null,
    wea: null,
    sourceUrl: null,
    bulletin: null,
    receivedAt: facts.sent,
  };
  return { message, raw };
}

/** The string is put together from the archive's fields; the archive keeps no strings. */
function vtecOf(name: VtecName, { action, from, until, sent }: Speech): Vtec {
  const { office, phenomenon, significance, etn } = name;
  // After the beginning NWS writes zeros for it; the instant stays known.
  const begins = action === 'NEW' || from > sent ? vtecTime(from) : '000000T0000Z';
  const raw = `/O.${action}.${office}.${phenomenon}.${significance}.${String(etn).padStart(4, '0')}.${begins}-${vtecTime(until)}/`;
  return { raw, class: 'O', action, office, phenomenon, significance, etn, beginsAt: from, endsAt: until };
}

/** 240521T1930Z */
const vtecTime = (at: Instant): string => `${compact(at).slice(2, 13)}Z`;

/** 20240521T1930Z */
function compact(at: Instant): string {
  return `${new Date(at).toISOString().slice(0, 16).replaceAll(/[-:]/g, '')}Z`;
}

function freeId(taken: Set<string>, wanted: string): string {
  let id = wanted;
  for (let n = 2; taken.has(id); n += 1) id = `${wanted}.${n}`;
  taken.add(id);
  return id;
}
