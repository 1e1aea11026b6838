import { ALERT_TYPES, fipsOfCountyUgc, UGC_PREFIXES, ZONE_TYPES } from '@nwms/domain';
import type { AlertFilter } from './filter.ts';
import type { QueryDeps, Selection, Unplaced } from './select.ts';

export interface Warning {
  code: string;
  message: string;
}

/** What the asker should know before reading an empty answer as "none". */
export function warningsOf(deps: QueryDeps, filter: AlertFilter, selection: Pick<Selection, 'unplaced' | 'complete'>): Warning[] {
  const warnings = [...eventWarnings(deps, filter), ...zoneWarnings(deps, filter)];
  if (selection.unplaced.length > 0) warnings.push(unplacedWarning(selection.unplaced));
  if (!selection.complete) {
    const message = 'More older alerts match than are read without a time range: total is a floor. Give from and to for history.';
    warnings.push({ code: 'history_left_out', message });
  }
  return warnings;
}

function eventWarnings({ board }: QueryDeps, filter: AlertFilter): Warning[] {
  const unknown = (asked: readonly string[] | undefined, known: Iterable<string | null>, what: string): Warning[] => {
    if (!asked) return [];
    const names = new Set([...known].map((name) => name?.toLowerCase()));
    return asked
      .filter((name) => !names.has(name.trim().toLowerCase()))
      .map((name) => ({ code: 'event_unknown', message: `No ${what} named "${name}" is known; see /api/v1/alerts/types.` }));
  };
  const rows = filter.event || filter.event_code ? board.rows() : [];
  return [
    ...unknown(filter.event, [...ALERT_TYPES.map((type) => type.event), ...rows.map((row) => row.alert.event)], 'event'),
    ...unknown(filter.event_code, [...ALERT_TYPES.map((type) => type.eventCode), ...rows.map((row) => row.alert.event_code)], 'event code'),
    ...unknown(filter.family, [...ALERT_TYPES.map((type) => type.family), 'other'], 'family'),
  ];
}

/** A whole code is checked against the known zones, a prefix against the states and waters. */
function zoneWarnings({ places, board }: QueryDeps, filter: AlertFilter): Warning[] {
  return (filter.ugc ?? [])
    .map((code) => code.toUpperCase())
    .filter((code) => {
      if (!UGC_PREFIXES.has(code.slice(0, 2))) return true;
      if (code.length < 6) return false;
      return ZONE_TYPES.every((type) => places.zoneInfo(code, type) === null) && board.rowsOfZone(code).length === 0;
    })
    .map((code) => {
      const kind = fipsOfCountyUgc(code) === null ? 'zone' : 'county';
      return { code: 'zone_unknown', message: `No ${kind} ${code} is known here. Check the code before reading this as "no alerts".` };
    });
}

function unplacedWarning(rows: readonly Unplaced[]): Warning {
  const names = rows.slice(0, 5).map((row) => `${row.alert.event} ${row.alert.event_id}`);
  const more = rows.length > names.length ? ` and ${rows.length - names.length} more` : '';
  const message = `The shapes of ${rows.length} active alerts are not completely known, they may touch the area: ${names.join('; ')}${more}.`;
  return { code: 'shape_unknown', message };
}
