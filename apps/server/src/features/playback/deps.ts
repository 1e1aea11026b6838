import type { Freshness } from '@nwms/contract';
import type { CoveredSpan, CoverageScope, Instant } from '@nwms/domain';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { TimelineFace } from '../alerts/index.ts';

export interface PlaybackDeps {
  clock: Clock;
  log: Log;
  random: () => number;
  timeline: TimelineFace;
  freshness: () => Freshness;
  /** The observed parts of a time, from the slice that polls, and what imports add for the hazards of a question. */
  coveredSpans: (from: Instant, to: Instant, scope?: CoverageScope) => Promise<CoveredSpan[]>;
}
