import type { Freshness } from '@nwms/contract';
import type { CoverageScope, Instant } from '@nwms/domain';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Places } from '../places/types.ts';
import type { Answers } from './answers/answers.ts';
import type { Board } from './board/board.ts';
import type { Formats } from './format-hook.ts';
import type { AlertArchive, AlertBoot, AlertLog } from './types.ts';

export interface AlertsDeps {
  clock: Clock;
  log: Log;
  places: Places;
  alertLog: AlertLog;
  archive: AlertArchive;
  boot: AlertBoot;
  /** How far the data can be relied on now. */
  freshness: () => Freshness;
  /** Do polls cover the whole of [from, to], or imports for the hazards and offices in question? Without it nothing counts as covered. */
  covered?: (from: Instant, to: Instant, scope?: CoverageScope) => Promise<boolean>;
  formats?: Formats;
  /** Street tiles that maps may draw under the alerts; absent: none. */
  streetTiles?: { url: string; maxZoom: number; attribution: { text: string; url: string | null } } | null;
}

/** What the routes of this slice share. */
export interface RouteDeps extends AlertsDeps {
  board: Board;
  answers: Answers;
}
