import type { CoverageScope } from '@nwms/domain';
import type { AlertFilter } from './filter.ts';

/** What a filter lets a question be about, as far as imports may have it: other members only narrow it further. */
export function coverageScopeOf({ event, office }: Pick<AlertFilter, 'event' | 'office'>): CoverageScope {
  return { events: event, codes: office?.map((code) => code.toUpperCase()) };
}
