import type { IncomingMessage } from 'node:http';
import type { ReadyReply } from '../../platform/http/fast-path.ts';
import type { Serve } from '../../platform/http/serve.ts';
import { createAnswers } from './answers/answers.ts';
import { type Board, createBoard } from './board/board.ts';
import { createWaiters } from './changes/waiters.ts';
import type { AlertsDeps, RouteDeps } from './deps.ts';
import { createTimelineFace, type TimelineFace } from './record/timeline-rows.ts';
import type { AlertRecord } from './record/types.ts';
import { createLiveFace, type LiveFace } from './live-board.ts';
import { registerChangesRoute } from './routes-changes.ts';
import { registerListRoutes } from './routes-list.ts';
import { registerOneRoutes } from './routes-one.ts';
import { registerPlaceRoutes } from './routes-place.ts';
import { registerTickerRoute } from './routes-ticker.ts';
import { registerTileRoutes } from './tiles/routes.ts';

export { createFormats } from './formats/index.ts';
export { matchesEtag } from './answers/etag.ts';
export { freshnessHeaders } from './answers/freshness.ts';
export {
  type AlertHistory,
  createAlertHistory,
  type HistoricEvent,
  type OwnEvent,
  type RecordedEvent,
  StaleHistory,
} from './record/history.ts';
export { createAlertRecord } from './record/index.ts';
export type { FullTimelineRow, TimelineFace, TimelineRow, TimelineRows } from './record/timeline-rows.ts';
export type { AlertRecord, AreaInfo, EventFacts, EventReigns, FactFilter, Reign, Reigns } from './record/types.ts';
export { type AlertStorage, createAlertStorage } from './storage/storage.ts';
export { createAlertEncoder, type EncodeAlert } from './encode.ts';
export type { AlertsDeps } from './deps.ts';
export type { FormatInput, Formats } from './format-hook.ts';
export type { Board } from './board/board.ts';
export type { FilterSubject, Row } from './board/row.ts';
export { coverageScopeOf } from './query/coverage-scope.ts';
export { type AlertFilter, compileFilter, type CompiledFilter } from './query/filter.ts';

/** Counts for the health page, from memory. */
export interface ActiveCounts {
  active: number;
  inForce: number;
  bySeverity: { Extreme: number; Severe: number; Moderate: number; Minor: number; Unknown: number };
}

export interface Alerts {
  board: Board;
  /** What was in force over a time, from the stored record. */
  timeline(record: AlertRecord): TimelineFace;
  live: LiveFace;
  registerRoutes(serve: Serve): void;
  /** A whole answer that lies ready for this request, for the HTTP layer's fast path; null when there is none. */
  ready(request: IncomingMessage): ReadyReply | null;
  /** Something can be concluded from lists; while it is false they are 503 data.unavailable. */
  loaded(): boolean;
  /** Null while nothing was loaded: 0 would read as "no alerts". */
  counts(): ActiveCounts | null;
  /** Loads the board; answers are 503 data.unavailable until then. */
  start(): Promise<void>;
  /** Answers every long-poll now. Before the HTTP server closes, which waits for what is under way (I3). */
  releaseWaiters(): void;
  /** Lets long-polls go and stops listening. */
  stop(): Promise<void>;
}

/** Reading side of alerts: the board in memory and everything that answers from it. */
export function createAlerts(deps: AlertsDeps): Alerts {
  const board = createBoard(deps);
  const answers = createAnswers({ clock: deps.clock, board, freshness: deps.freshness });
  const waiters = createWaiters(deps);
  const routeDeps: RouteDeps = { ...deps, board, answers };
  return {
    board,
    timeline: (record) => createTimelineFace(routeDeps, record, () => record.facts.since()),
    live: createLiveFace({ board, places: deps.places }),
    registerRoutes(serve) {
      registerListRoutes(serve, routeDeps);
      registerPlaceRoutes(serve, routeDeps);
      registerOneRoutes(serve, routeDeps);
      registerChangesRoute(serve, routeDeps, waiters);
      registerTickerRoute(serve, routeDeps);
      registerTileRoutes(serve, routeDeps);
    },
    ready: (request) => answers.ready(request),
    loaded: answers.loaded,
    counts: () => (answers.loaded() ? countActive(board) : null),
    start: () => board.load(),
    releaseWaiters: () => waiters.stop(),
    async stop() {
      waiters.stop();
      board.close();
    },
  };
}

function countActive(board: Board): ActiveCounts {
  const active = board.rows().filter((row) => row.countable && row.alert.is_active);
  const bySeverity = { Extreme: 0, Severe: 0, Moderate: 0, Minor: 0, Unknown: 0 };
  for (const row of active) bySeverity[row.alert.severity] += 1;
  return { active: active.length, inForce: active.filter((row) => row.alert.state !== 'upcoming').length, bySeverity };
}
