import Type, { type Static } from 'typebox';
import { oneOf, orNull, Ts } from './schema.ts';

export const FRESHNESS_STATUSES = ['live', 'stale', 'unknown', 'simulated'] as const;
export const FRESHNESS_REASONS = [
  'poll_failing',
  'upstream_frozen',
  'shrink_quarantined',
  'starting',
  'never_polled',
  'paused',
  'coverage_gap',
  'as_of_query',
] as const;
export const FEEDS = ['nws', 'simulator', 'replay'] as const;

/** How far the data can be relied on. An empty list means "none" only with status live or simulated. */
export const Freshness = Type.Object(
  {
    data_as_of: orNull(Ts),
    upstream_age_seconds: orNull(Type.Integer()),
    status: oneOf(FRESHNESS_STATUSES),
    reason: orNull(oneOf(FRESHNESS_REASONS)),
    feed: oneOf(FEEDS),
    simulated: Type.Boolean(),
  },
  { $id: 'Freshness' },
);
export type Freshness = Static<typeof Freshness>;
