import type { ImpactTags } from '../alert/message.ts';
import type { Instant, VtecAction } from '../alert/vocabulary.ts';
import type { Shape } from '../geo/shape.ts';
import { NO_TAGS, withEmergency } from './archive-tags.ts';
import type { ArchivedLife } from './lives.ts';
import { isTerminal } from './read-row.ts';
import type { PolygonRow, RawRow, WarningRow } from './rows.ts';

/** What one message must have said, as far as the archive tells. */
export interface Speech {
  sent: Instant;
  action: VtecAction;
  from: Instant;
  until: Instant;
  /** Empty = the archive names no zone of it. */
  ugcs: string[];
  polygon: Shape | null;
  tags: ImpactTags;
  rows: RawRow[];
}

/** A polygon and a change of zones within this time are one product. */
const SAME_PRODUCT_MS = 90_000;

/** The messages of a life in the order they were sent. */
export function speechesOf(life: ArchivedLife): Speech[] {
  const zones = life.rows.filter((row) => row.kind === 'warnings');
  const polygons = life.rows.filter((row) => row.kind !== 'warnings').toSorted((a, b) => a.sent - b.sent);
  const speeches = [...firstWords(zones), ...lastWords(zones)];
  const [partial, whole] = [polygons.filter((row) => isPartialEnd(row, polygons)), polygons.filter((row) => !isPartialEnd(row, polygons))];
  for (const [index, row] of whole.entries()) addPolygon(speeches, row, zones, index === whole.length - 1);
  for (const row of partial) keepWithNearest(speeches, row);
  return speeches.sort((a, b) => a.sent - b.sent || Number(isTerminal(b.action)) - Number(isTerminal(a.action)));
}

/** Zones that were named by one product for one time are one message. */
function firstWords(rows: readonly WarningRow[]): Speech[] {
  const first = Math.min(...rows.map((row) => row.productIssue));
  const groups = Map.groupBy(rows, (row) => `${row.productIssue} ${row.issue} ${plannedEndOf(row)}`);
  return [...groups.values()].map((group) => {
    const [row] = group as [WarningRow];
    const action = row.productIssue === first ? 'NEW' : 'EXA';
    const lasting = group.some((each) => each.emergency && !hasLastWord(each));
    const tags = lasting ? withEmergency(NO_TAGS, row.name.phenomenon) : NO_TAGS;
    return speech(row.productIssue, action, row.issue, plannedEndOf(row), group, tags);
  });
}

/**
 * The end as it was known from the beginning. When an extension came the archive does not tell: it counts as known from the start, since
 * the other error would show an event as over while it was in force.
 */
function plannedEndOf(row: WarningRow): Instant {
  if (isTerminal(row.status)) return row.plannedEnd ?? row.expire;
  return hasLastWord(row) ? Math.max(row.plannedEnd ?? row.expire, row.expire) : row.expire;
}

/** What was said last of each zone, where it is more than the first word. */
function lastWords(rows: readonly WarningRow[]): Speech[] {
  const spoken = rows.filter(hasLastWord);
  const groups = Map.groupBy(spoken, (row) => `${row.status} ${lastSentOf(row)} ${row.issue} ${lastEndOf(row)}`);
  return [...groups.values()].map((group) => {
    const [row] = group as [WarningRow];
    // Since when it was an emergency the archive by zone does not tell: the last message says it.
    const tags = group.some((each) => each.emergency) ? withEmergency(NO_TAGS, row.name.phenomenon) : NO_TAGS;
    return speech(lastSentOf(row), row.status, row.issue, lastEndOf(row), group, tags);
  });
}

const hasLastWord = (row: WarningRow): boolean => row.status !== 'NEW' && lastSentOf(row) > row.productIssue;

/** A cancel is sent when it ends the zone; any other last word when the row was last changed. */
const lastSentOf = (row: WarningRow): Instant => (isTerminal(row.status) ? row.expire : row.updated);

const lastEndOf = (row: WarningRow): Instant => (isTerminal(row.status) ? plannedEndOf(row) : row.expire);

function speech(sent: Instant, action: VtecAction, from: Instant, until: Instant, group: readonly WarningRow[], tags: ImpactTags): Speech {
  return {
    sent,
    action,
    from,
    until,
    ugcs: [...new Set(group.map((row) => row.ugc))].sort(),
    polygon: null,
    tags,
    rows: group.map((row) => row.raw),
  };
}

/** A polygon joins the message of its minute, else it is one of its own, for the zones that were affected then. */
function addPolygon(speeches: Speech[], row: PolygonRow, zones: readonly WarningRow[], isLast: boolean): void {
  const near = speeches.filter((each) => each.polygon === null && Math.abs(each.sent - row.sent) <= SAME_PRODUCT_MS);
  const own = near.find((each) => each.action === row.status) ?? near.find((each) => isTerminal(each.action) === isTerminal(row.status));
  if (own) {
    own.polygon = row.polygon;
    own.tags = { ...row.tags, emergency: row.tags.emergency ?? own.tags.emergency };
    own.rows.push(row.raw);
    return;
  }
  const ugcs = affectedAt(zones, row.sent);
  // Where the archive by zone is at hand, it tells the ends.
  const isTold = zones.length > 0 && (ugcs.length === 0 || isTerminal(row.status));
  if (isTold) {
    keepWithNearest(speeches, row);
    return;
  }
  const base = { from: row.issue, ugcs, polygon: row.polygon, tags: row.tags };
  speeches.push({ ...base, sent: row.sent, action: row.status, until: untilOf(row, isLast, zones.length > 0), rows: [row.raw] });
  if (endsUntold(row, isLast, zones.length > 0))
    speeches.push({ ...base, sent: row.expire, action: 'CAN', until: row.plannedEnd, rows: [] });
}

/** A part was cancelled and the rest went on: the next polygon is what is left. */
const isPartialEnd = (row: PolygonRow, all: readonly PolygonRow[]): boolean =>
  isTerminal(row.status) && all.some((other) => !isTerminal(other.status) && other.sent >= row.sent);

/** A row that says nothing of its own is kept all the same. */
function keepWithNearest(speeches: readonly Speech[], row: PolygonRow): void {
  const [nearest] = speeches.toSorted((a, b) => Math.abs(a.sent - row.sent) - Math.abs(b.sent - row.sent));
  nearest?.rows.push(row.raw);
}

/** The last polygon is in force until the end that the archive tells, whatever was planned when it was sent. */
function untilOf(row: PolygonRow, isLast: boolean, hasZones: boolean): Instant {
  if (isTerminal(row.status)) return row.plannedEnd;
  if (row.status === 'EXP') return row.expire;
  return isLast && !hasZones ? Math.max(row.plannedEnd, row.expire) : row.plannedEnd;
}

/** Ended before its planned end, and no row is the message that ended it. */
const endsUntold = (row: PolygonRow, isLast: boolean, hasZones: boolean): boolean =>
  isLast && !hasZones && !isTerminal(row.status) && row.status !== 'EXP' && row.expire < row.plannedEnd && row.expire > row.sent;

function affectedAt(zones: readonly WarningRow[], at: Instant): string[] {
  const open = zones.filter((row) => row.productIssue <= at + SAME_PRODUCT_MS && (!isTerminal(row.status) || row.expire > at));
  return [...new Set(open.map((row) => row.ugc))].sort();
}
