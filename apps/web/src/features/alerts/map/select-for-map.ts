import { SEVERITIES, type Severity } from '@nwms/domain/alert/vocabulary';
import { readSeverities } from '../../../lib/severities.ts';
import type { SlimAlert } from '@nwms/contract';
import type { BoardRow } from '../alert-book.ts';
import { alertMatcher } from '../filter-alerts.ts';
import { orderRows } from '../order-alerts.ts';
import { type MapSearch } from './map-search.ts';

export interface MapSelection {
  /** Drawn and listed: the most dangerous first, at most the limit. */
  rows: readonly BoardRow[];
  /** Rows that match, those beyond the limit among them. */
  matching: number;
  figures: MapFigures;
}

/** Of the rows that are shown. */
export interface MapFigures {
  active: number;
  upcoming: number;
  extreme: number;
  severeOrExtreme: number;
  /** A shape or at least a place is known. */
  drawn: number;
  bySource: Record<SlimAlert['geometry_source'], number>;
}

/** What the map shows of what this page knows (MAP-06 to MAP-08, R-03: `is_active` alone says what is active). */
export function selectForMap(rows: Iterable<BoardRow>, search: MapSearch, found: ReadonlySet<string> | null): MapSelection {
  const on = readSeverities(search.on);
  const matches = alertMatcher({ severity: null, event: search.event ?? null, q: search.q ?? '' }, found);
  const all = [...rows].filter(
    ({ alert }) =>
      on.has(knownSeverity(alert.severity)) &&
      (search.scope === 'all' || alert.is_active) &&
      (!search.polygon || alert.geometry_source === 'polygon') &&
      matches(alert),
  );
  const ordered = orderRows(all, 'rank');
  const shown = search.limit ? ordered.slice(0, search.limit) : ordered;
  return { rows: shown, matching: all.length, figures: figuresOf(shown) };
}

/** A severity this page does not know yet counts as Unknown, never as switched off. */
const knownSeverity = (severity: string): Severity => SEVERITIES.find((name) => name === severity) ?? 'Unknown';

function figuresOf(rows: readonly BoardRow[]): MapFigures {
  const bySource: MapFigures['bySource'] = { polygon: 0, zones: 0, counties: 0, none: 0 };
  const figures = { active: 0, upcoming: 0, extreme: 0, severeOrExtreme: 0, drawn: 0 };
  for (const { alert } of rows) {
    if (alert.is_active) figures.active += 1;
    if (alert.state === 'upcoming') figures.upcoming += 1;
    if (alert.severity === 'Extreme') figures.extreme += 1;
    if (alert.severity === 'Extreme' || alert.severity === 'Severe') figures.severeOrExtreme += 1;
    if (alert.label_point) figures.drawn += 1;
    bySource[alert.geometry_source] = (bySource[alert.geometry_source] ?? 0) + 1;
  }
  return { ...figures, bySource };
}
