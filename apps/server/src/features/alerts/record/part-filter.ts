import type { Places } from '../../places/types.ts';
import { type AlertFilter, compileFilter } from '../query/filter.ts';
import type { StoredSubject } from '../storage/part-rows.ts';
import { subjectOf } from './known-parts.ts';
import type { PartsAsk, StoredPart } from './store-parts.ts';

/** A light filter over stored parts. */
export interface PartJudge {
  /** Nothing but whether a version counts is asked by a filter without members: then the database answers it. */
  reads: Pick<PartsAsk, 'countableOnly' | 'subjects'>;
  matches(part: StoredPart): boolean;
}

/** The one predicate of all filters, asked once per kind of version: thousands of parts have a few hundred subjects between them. */
export function judgeOf(filter: AlertFilter, places: Places): PartJudge {
  const hasMembers = Object.values(filter).some((value) => value !== undefined);
  if (!hasMembers) return { reads: { countableOnly: true, subjects: false }, matches: ({ countable }) => countable };
  const compiled = compileFilter(filter, places);
  const verdicts = new Map<string, boolean>();
  return {
    reads: { countableOnly: false, subjects: true },
    matches({ countable, severity, subject }) {
      const key = `${Number(countable)}${severity} ${subject}`;
      let verdict = verdicts.get(key);
      if (verdict === undefined) {
        verdict = compiled.matches(subjectOf({ ...(JSON.parse(subject) as StoredSubject), severity }, countable));
        verdicts.set(key, verdict);
      }
      return verdict;
    },
  };
}
