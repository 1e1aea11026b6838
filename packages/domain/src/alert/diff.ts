import { areaKm2 } from './polygon-measure.ts';
import { formatTimestamp, SECOND_MS } from '../time/timestamp.ts';
import type { Diff, FromTo } from './entry.ts';
import type { Evaluation } from './evaluate.ts';
import type { AlertMessage, ImpactTags } from './message.ts';
import { hazardRank } from './types.ts';
import type { Instant } from './vocabulary.ts';

/** One side of a comparison. `message` speaks for the meaning, the evaluation for state and times. */
export interface Side {
  evaluation: Evaluation;
  message: AlertMessage | undefined;
}

/** Wire names of the tags that can be compared. */
const TAG_NAMES: readonly [keyof ImpactTags, string][] = [
  ['emergency', 'emergency'],
  ['tornadoDetection', 'tornado_detection'],
  ['tornadoDamageThreat', 'tornado_damage_threat'],
  ['thunderstormDamageThreat', 'thunderstorm_damage_threat'],
  ['flashFloodDetection', 'flash_flood_detection'],
  ['flashFloodDamageThreat', 'flash_flood_damage_threat'],
  ['snowSquallDetection', 'snow_squall_detection'],
  ['snowSquallImpact', 'snow_squall_impact'],
  ['waterspoutDetection', 'waterspout_detection'],
  ['windThreat', 'wind_threat'],
  ['maxWindGustKmh', 'max_wind_gust_kmh'],
  ['hailThreat', 'hail_threat'],
  ['maxHailSizeMm', 'max_hail_size_mm'],
];

/** What changed from one version to the next; `{}` = a plain re-issue. */
export function diffOf(from: Side, to: Side, area: Diff['area']): Diff {
  const diff: Diff = { ...stateDiff(from.evaluation, to.evaluation) };
  const times = timesDiff(from.evaluation, to.evaluation);
  if (times) diff.times = times;
  if (area && area.added.length + area.removed.length > 0) diff.area = area;
  return from.message && to.message ? { ...diff, ...meaningDiff(from.message, to.message) } : diff;
}

function stateDiff(from: Evaluation, to: Evaluation): Diff {
  return from.state === to.state ? {} : { state: { from: from.state, to: to.state } };
}

function timesDiff(from: Evaluation, to: Evaluation): Diff['times'] {
  const times: NonNullable<Diff['times']> = {};
  const put = (field: string, a: Instant | null, b: Instant | null) => {
    if (a === b) return;
    times[field] = {
      from: a === null ? null : formatTimestamp(a),
      to: b === null ? null : formatTimestamp(b),
      delta_seconds: a === null || b === null ? null : Math.round((b - a) / SECOND_MS),
    };
  };
  put('in_force_from', from.inForceFrom, to.inForceFrom);
  put('in_force_until', from.inForceUntil, to.inForceUntil);
  return Object.keys(times).length > 0 ? times : undefined;
}

function meaningDiff(from: AlertMessage, to: AlertMessage): Diff {
  const diff: Diff = {};
  if (from.severity !== to.severity) diff.severity = { from: from.severity, to: to.severity };
  if (from.urgency !== to.urgency) diff.urgency = { from: from.urgency, to: to.urgency };
  if (from.certainty !== to.certainty) diff.certainty = { from: from.certainty, to: to.certainty };
  const ranks = { from: hazardRank(from), to: hazardRank(to) };
  if (ranks.from !== ranks.to) diff.hazard_rank = ranks;
  if (from.event !== to.event) diff.event = { from: from.event, to: to.event };
  const tags = tagsDiff(from.tags, to.tags);
  if (tags) diff.tags = tags;
  const geometry = geometryDiff(from, to);
  if (geometry) diff.geometry = geometry;
  const text = {
    headline: from.headline !== to.headline,
    description: from.description !== to.description,
    instruction: from.instruction !== to.instruction,
  };
  if (text.headline || text.description || text.instruction) diff.text = text;
  return diff;
}

function tagsDiff(from: ImpactTags, to: ImpactTags): Diff['tags'] {
  const tags: Record<string, FromTo<string | number | null>> = {};
  for (const [member, name] of TAG_NAMES) {
    const a = from[member];
    const b = to[member];
    if (a !== b && typeof a !== 'object' && typeof b !== 'object') tags[name] = { from: a, to: b };
    else if (a !== b && (a === null || b === null)) tags[name] = { from: primitive(a), to: primitive(b) };
  }
  return Object.keys(tags).length > 0 ? tags : undefined;
}

function primitive(value: ImpactTags[keyof ImpactTags]): string | number | null {
  return typeof value === 'object' ? null : value;
}

/** Only issuer polygons are compared here; shapes made from zones are told by `located`. */
function geometryDiff(from: AlertMessage, to: AlertMessage): Diff['geometry'] {
  if (!from.polygon && !to.polygon) return undefined;
  if (JSON.stringify(from.polygon) === JSON.stringify(to.polygon)) return undefined;
  const source = (message: AlertMessage) => (message.polygon ? 'polygon' : message.zones.length > 0 ? 'zones' : 'none');
  const area = (message: AlertMessage) => (message.polygon ? Math.round(areaKm2(message.polygon) * 10) / 10 : null);
  return { source: { from: source(from), to: source(to) }, area_km2: { from: area(from), to: area(to) }, overlap_share: null };
}

/** Members that say the same thing again when they are all that is there. */
export function isReissue(diff: Diff): boolean {
  return Object.keys(diff).every((member) => member === 'state');
}
