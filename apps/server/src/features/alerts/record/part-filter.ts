import type { Places } from '../../places/types.ts';
import type { FilterSubject } from '../board/row.ts';
import { type AlertFilter, compileFilter } from '../query/filter.ts';
import type { StoredSubject } from '../storage/part-rows.ts';
import { subjectOf } from './known-parts.ts';
import type { StoredPart } from './store-parts.ts';

/** A light filter over stored parts. */
export interface PartJudge {
  /** False when the filter asks only whether a version counts: then subjects need not be read. */
  readsSubjects: boolean;
  matches(part: StoredPart): boolean;
}

/** The one predicate of all filters, asked once per kind of version: thousands of parts have a few hundred subjects between them. */
export function judgeOf(filter: AlertFilter, places: Places): PartJudge {
  const compiled = compileFilter(filter, places);
  const readsSubjects = Object.values(filter).some((value) => value !== undefined);
  const verdicts = new Map<string, boolean>();
  return {
    readsSubjects,
    matches(part) {
      const key = readsSubjects ? `${Number(part.countable)}${part.severity} ${part.subject}` : String(part.countable);
      let verdict = verdicts.get(key);
      if (verdict === undefined) verdicts.set(key, (verdict = compiled.matches(subjectIn(part, readsSubjects))));
      return verdict;
    },
  };
}

function subjectIn({ subject, severity, countable }: StoredPart, isRead: boolean): FilterSubject {
  // Without a member of a filter only `countable` is asked.
  if (!isRead) return { alert: {} as FilterSubject['alert'], countable, shape: () => null, folded: () => '' };
  return subjectOf({ ...(JSON.parse(subject) as StoredSubject), severity }, countable);
}
