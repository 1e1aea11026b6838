import type { AlertHistory } from '@nwms/contract';

type Diff = NonNullable<AlertHistory['versions'][number]['diff']>;

export interface DiffWords {
  /** An instant in the alert's own zone. */
  moment: (iso: string) => string;
  /** Name of a zone by its code; the code where none is known. */
  zone: (ugc: string) => string;
  /** A tag's value with its unit. */
  tag: (name: string, value: string | number | null) => string;
}

const FIELDS: Record<string, string> = { in_force_from: 'Start', in_force_until: 'End' };
const REASONS: Record<string, string> = { cancelled: 'cancelled', upgraded: 'upgraded', expired: 'expired', dropped: 'no longer named' };
/** Longest list of places that is written out. */
const MOST_PLACES = 8;

/** Every change of one revision, one line each, with what was before and what is now. */
export function diffLines(diff: Diff, words: DiffWords): string[] {
  const lines: string[] = [];
  const change = (what: string, from: string, to: string) => lines.push(`${what}: ${from} → ${to}`);
  if (diff.event) change('Event', diff.event.from, diff.event.to);
  if (diff.severity) change('Severity', diff.severity.from, diff.severity.to);
  if (diff.urgency) change('Urgency', diff.urgency.from ?? 'Unknown', diff.urgency.to ?? 'Unknown');
  if (diff.certainty) change('Certainty', diff.certainty.from ?? 'Unknown', diff.certainty.to ?? 'Unknown');
  for (const [field, { from, to }] of Object.entries(diff.times ?? {})) {
    const at = (iso: string | null) => (iso === null ? 'further notice' : words.moment(iso));
    change(FIELDS[field] ?? field, at(from), at(to));
  }
  lines.push(...areaLines(diff.area, words));
  for (const [name, { from, to }] of Object.entries(diff.tags ?? {})) change(tagLabel(name), words.tag(name, from), words.tag(name, to));
  if (diff.geometry) {
    const { from, to } = diff.geometry.area_km2;
    lines.push(from === null || to === null ? 'Shape changed' : `Shape: ${square(from)} → ${square(to)}`);
  }
  const texts = (['headline', 'description', 'instruction'] as const).filter((name) => diff.text?.[name]);
  if (texts.length > 0) lines.push(`Reworded: ${texts.join(', ')}`);
  return lines;
}

function areaLines(area: Diff['area'], { zone }: DiffWords): string[] {
  if (!area) return [];
  const lines = area.added.length > 0 ? [`Added: ${places(area.added.map(zone))}`] : [];
  for (const reason of new Set(area.removed.map((each) => each.reason))) {
    const gone = area.removed.filter((each) => each.reason === reason).map(({ ugc }) => zone(ugc));
    lines.push(`Out of it (${REASONS[reason] ?? reason}): ${places(gone)}`);
  }
  return lines;
}

const places = (names: readonly string[]): string =>
  names.length > MOST_PLACES ? `${names.slice(0, MOST_PLACES).join('; ')} and ${names.length - MOST_PLACES} more` : names.join('; ');

const square = (km2: number): string => `${Math.round(km2).toLocaleString('en-US')} km²`;

const LABELS: Record<string, string> = { max_wind_gust_kmh: 'Wind gusts up to', max_hail_size_mm: 'Hail up to' };

/** "Tornado damage threat" of `tornado_damage_threat`. */
export function tagLabel(name: string): string {
  const words = name.replaceAll('_', ' ');
  return LABELS[name] ?? words.charAt(0).toUpperCase() + words.slice(1);
}
