import { ALERT_TYPES } from '../alert/types.ts';
import { CODE_SYNONYMS } from '../alert/types-table.ts';
import type { Instant } from '../alert/vocabulary.ts';
import type { Span } from '../trends/days.ts';

/** How closely events of an import are placed: by the counties and zones they name, by any zones, or by a polygon alone. */
export const PLACINGS = ['none', 'zones', 'counties'] as const;
export type Placing = (typeof PLACINGS)[number];

/** What an import was declared to be complete for: one hazard, in the area of one office or (null) in the whole country. */
export interface ImportedSpan {
  from: Instant;
  to: Instant;
  /** Phenomenon and significance, e.g. TOW; SPS for statements. */
  code: string;
  office: string | null;
  areas: Placing;
}

/** What a question is about, as far as it matters for coverage. */
export interface CoverageScope {
  /** Event names in any letter case; absent = all hazards. */
  events?: readonly string[] | undefined;
  /** Area codes; absent = the whole country. Four letters name an office, two a state, six digits a county. */
  codes?: readonly string[] | undefined;
  /** `then`: only the time in which somebody looked counts, or whose messages are dated to when they were sent. Default `final`: by what is on record now. */
  known?: 'then' | 'final' | undefined;
  /** What the answer needs to know of places, whatever was asked for. */
  placing?: Placing | undefined;
}

/**
 * The parts of [from, to) in which imports hold everything a question asks about. A question about all hazards is never answered by an
 * import (no archive has them all), one about a name needs every code of that name, one about places needs the whole country or the offices
 * it names, and events that name those places: what was not imported, or cannot be found by its place, must not read as calm.
 */
export function importedSpans(
  imports: readonly ImportedSpan[],
  from: Instant,
  to: Instant,
  { events, codes = [], placing = 'none' }: CoverageScope,
): Span[] {
  if (!events || events.length === 0 || imports.length === 0) return [];
  if (events.some((name) => codesOfEvent(name).length === 0)) return [];
  const areas: (string | null)[] = codes.length > 0 && codes.every(isOffice) ? [...codes] : [null];
  const needed = Math.max(PLACINGS.indexOf(placing), ...codes.map((code) => PLACINGS.indexOf(placingOf(code))));
  let spans: Span[] = [{ from, to }];
  for (const code of new Set(events.flatMap(codesOfEvent))) {
    for (const office of areas) {
      const held = imports.filter((each) => each.code === code && holdsArea(each, office) && PLACINGS.indexOf(each.areas) >= needed);
      spans = intersect(spans, union(held));
      if (spans.length === 0) return [];
    }
  }
  return spans;
}

/** Watches are issued for the whole country by one centre: that all are there says nothing about what offices issued. */
const holdsArea = (held: ImportedSpan, office: string | null): boolean =>
  held.office === office || (held.office === null && held.areas !== 'none');

const isOffice = (code: string): boolean => /^[A-Z]{4}$/.test(code);

/** A county is found by events that name counties; a state by any zone in it. */
function placingOf(code: string): Placing {
  if (isOffice(code)) return 'none';
  return /^[A-Z]{2}(Z\d{0,3})?$/.test(code) ? 'zones' : 'counties';
}

/** All codes under which events of a name are issued; empty when the name is unknown or comes without a code. */
export function codesOfEvent(name: string): string[] {
  const types = ALERT_TYPES.filter((type) => type.event.toLowerCase() === name.trim().toLowerCase());
  if (types.length === 0 || types.some((type) => type.eventCode === null)) return [];
  const own = types.flatMap((type) => type.eventCode ?? []);
  return [...own, ...Object.keys(CODE_SYNONYMS).filter((code) => own.includes(CODE_SYNONYMS[code] ?? ''))];
}

/** In order and apart from each other. */
function union(spans: readonly Span[]): Span[] {
  const joined: Span[] = [];
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else if (to > from) joined.push({ from, to });
  }
  return joined;
}

function intersect(a: readonly Span[], b: readonly Span[]): Span[] {
  return a.flatMap((one) =>
    b.flatMap((other) => {
      const span = { from: Math.max(one.from, other.from), to: Math.min(one.to, other.to) };
      return span.to > span.from ? [span] : [];
    }),
  );
}
