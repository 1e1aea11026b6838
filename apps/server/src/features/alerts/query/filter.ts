import type { alerts, QueryOf } from '@nwms/contract';
import type { Places } from '../../places/types.ts';
import type { FilterSubject } from '../board/row.ts';
import { type AreaTest, compileArea } from './area.ts';
import { foldText } from './fold.ts';
import { compileTag } from './tag.ts';

/** Members of the list filter that judge one alert; live filters are a subset. `status` absent = what counts (A5). */
export type AlertFilter = Pick<
  QueryOf<typeof alerts.listAlerts>,
  | ('event' | 'event_code' | 'family' | 'severity' | 'certainty' | 'message_type' | 'category' | 'response' | 'lifecycle' | 'q')
  | ('ugc' | 'same' | 'office' | 'zone_type' | 'vtec' | 'phenomenon' | 'significance' | 'tag' | 'min_rank' | 'geometry_source')
  | ('bbox' | 'polygon' | 'lat' | 'lon' | 'radius_km' | 'status' | 'source')
> & { active_only?: boolean | undefined };

export interface CompiledFilter {
  matches(subject: FilterSubject): boolean;
  /** The part that asks where, null when none does. */
  area: AreaTest | null;
  /** Everything but the area: to tell what an unknown shape may have hidden. */
  matchesApart(subject: FilterSubject): boolean;
}

type Test = (subject: FilterSubject) => boolean;

/**
 * Compiles the filters of one request or subscription: different members are joined by AND, values of one by OR. The same predicate
 * serves list, stats, near, within, changes and the live feed.
 * @param given an area that came as GeoJSON, in place of the parameters'
 * @throws AppError request.invalid, geo.invalid_shape
 */
export function compileFilter(filter: AlertFilter, places: Places, given?: AreaTest): CompiledFilter {
  const tests = [...statusTests(filter), ...wordTests(filter), ...codeTests(filter), ...vtecTests(filter)];
  const area = given ?? compileArea(filter, places);
  const matchesApart: Test = (subject) => {
    for (const test of tests) if (!test(subject)) return false;
    return true;
  };
  return {
    area,
    matchesApart,
    matches: area ? (subject) => matchesApart(subject) && area.touches(subject) : matchesApart,
  };
}

function statusTests({ status, active_only: activeOnly, lifecycle, source }: AlertFilter): Test[] {
  const tests: Test[] = [];
  if (status) tests.push(oneOf(status, (subject) => subject.alert.status));
  else tests.push((subject) => subject.countable);
  if (activeOnly) tests.push((subject) => subject.alert.is_active);
  if (lifecycle) tests.push(oneOf(lifecycle, (subject) => subject.alert.state));
  if (source) tests.push(oneOf(source, (subject) => subject.alert.source));
  return tests;
}

function oneOf(values: readonly string[], of: (subject: FilterSubject) => string | null): Test {
  const wanted = new Set(values);
  return (subject) => {
    const value = of(subject);
    return value !== null && wanted.has(value);
  };
}

/** Exact, any letter case. */
function oneOfWords(values: readonly string[], of: (subject: FilterSubject) => string | null): Test {
  const wanted = new Set(values.map((value) => value.trim().toLowerCase()));
  return (subject) => {
    const value = of(subject);
    return value !== null && wanted.has(value.toLowerCase());
  };
}

function wordTests(filter: AlertFilter): Test[] {
  const tests: Test[] = [];
  if (filter.event) tests.push(oneOfWords(filter.event, ({ alert }) => alert.event));
  if (filter.event_code) tests.push(oneOfWords(filter.event_code, ({ alert }) => alert.event_code));
  if (filter.family) tests.push(oneOfWords(filter.family, ({ alert }) => alert.family));
  if (filter.category) tests.push(oneOfWords(filter.category, ({ alert }) => alert.category));
  if (filter.response) tests.push(oneOfWords(filter.response, ({ alert }) => alert.response));
  if (filter.severity) tests.push(oneOf(filter.severity, ({ alert }) => alert.severity));
  if (filter.certainty) tests.push(oneOf(filter.certainty, ({ alert }) => alert.certainty));
  if (filter.message_type) tests.push(oneOf(filter.message_type, ({ alert }) => alert.message_type));
  if (filter.geometry_source) tests.push(oneOf(filter.geometry_source, ({ alert }) => alert.geometry_source));
  const { min_rank: minRank, q } = filter;
  if (minRank !== undefined) tests.push(({ alert }) => alert.hazard_rank >= minRank);
  if (q !== undefined) {
    const words = foldText(q)
      .split(/\s+/)
      .filter((word) => word !== '');
    tests.push((subject) => words.every((word) => subject.folded().includes(word)));
  }
  return tests;
}

function codeTests(filter: AlertFilter): Test[] {
  const tests: Test[] = [];
  const { zone_type: zoneTypes } = filter;
  if (filter.ugc) {
    const prefixes = filter.ugc.map((code) => code.toUpperCase());
    tests.push(({ alert }) => alert.ugc.some((code) => prefixes.some((prefix) => code.startsWith(prefix))));
  }
  if (filter.same) {
    const exact = new Set(filter.same);
    // Five digits are a FIPS code: SAME without its part-of-county digit (trap 22).
    tests.push(({ alert }) => alert.same.some((code) => exact.has(code) || exact.has(code.slice(1))));
  }
  if (filter.office) {
    const prefixes = filter.office.map((code) => code.toUpperCase());
    tests.push(({ alert }) => prefixes.some((prefix) => alert.office?.startsWith(prefix)));
  }
  if (zoneTypes) {
    tests.push(({ alert }) => {
      const affected = new Set(alert.ugc);
      return alert.zones.some((zone) => zoneTypes.includes(zone.type) && (affected.has(zone.ugc) || zone.ugc.startsWith('SAME')));
    });
  }
  return tests;
}

function vtecTests(filter: AlertFilter): Test[] {
  const tests: Test[] = [];
  if (filter.vtec) {
    const keys = filter.vtec.map((text) => vtecKeyOf(text));
    tests.push(({ alert }) =>
      alert.event_ids.some((id) => keys.some((key) => id === key || id.startsWith(`${key}.`) || id.startsWith(`${key}-`))),
    );
  }
  const { phenomenon, significance } = filter;
  if (phenomenon || significance) {
    const phenomena = phenomenon && new Set(phenomenon.map((text) => text.toUpperCase()));
    const significances = significance && new Set(significance.map((text) => text.toUpperCase()));
    // Both together mean one VTEC string that has both: `SV` with `W` is no tornado warning beside a thunderstorm watch.
    tests.push(({ alert }) =>
      alert.vtec.some((vtec) => (!phenomena || phenomena.has(vtec.phenomenon)) && (!significances || significances.has(vtec.significance))),
    );
  }
  for (const test of filter.tag ? [compileTag(filter.tag)] : []) tests.push(test);
  return tests;
}

/** `kdmx.sv.w.106` is read as `KDMX.SV.W.0106`; a year may follow. */
function vtecKeyOf(text: string): string {
  const [office = '', phenomenon = '', significance = '', etn = '', ...rest] = text.trim().toUpperCase().split('.');
  const parts = [office, phenomenon, significance, etn && etn.padStart(4, '0'), ...rest];
  return parts.filter((part) => part !== '').join('.');
}
