import type { Freshness } from '@nwms/contract';
import type { Clock } from '../../platform/clock.ts';
import type { AlertRecord } from '../alerts/index.ts';
import type { CoveredSpans } from './covered.ts';

export interface TrendsDeps {
  clock: Clock;
  record: Pick<AlertRecord, 'facts' | 'area'>;
  freshness: () => Freshness;
  /** The observed parts of a time, from the slice that polls, and what imports add for the hazards of a question. */
  coveredSpans: CoveredSpans;
  /** Delay from sent to seen over the last day, and active events without a shape; null where nobody measures it. */
  measured: () => { delayP90Seconds: number | null; delayCount: number; active: number; withoutShape: number } | null;
}
