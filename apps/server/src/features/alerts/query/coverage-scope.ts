import type { CoverageScope } from '@nwms/domain';
import type { AlertFilter } from './filter.ts';

/** Members that archives answer as fully as what was heard live. Any other may ask for what an import does not have (words, tags, shapes, CAP terms). */
const ANSWERED = new Set(['event', 'office', 'ugc', 'lifecycle', 'active_only']);
/** Members of a list question that judge no alert. */
const FORMAL = [
  'from',
  'to',
  'at',
  'in_force_at',
  'limit',
  'offset',
  'cursor',
  'view',
  'detail',
  'format',
  'order_by',
  'geometry',
  'include',
];

/** What a question is about, as far as imports may answer it; no events = not at all. */
export function coverageScopeOf(filter: AlertFilter & { time_field?: string | undefined }): CoverageScope {
  const { time_field: field = 'in_force', ...asked } = filter;
  const named = Object.entries(asked).filter(([, value]) => value !== undefined);
  const isAnswered = named.every(([name]) => ANSWERED.has(name) || FORMAL.includes(name));
  if (!isAnswered || !['in_force', 'ended', 'sent'].includes(field)) return {};
  const codes = [...(filter.office ?? []), ...(filter.ugc ?? [])].map((code) => code.toUpperCase());
  return { events: filter.event, codes };
}
