import type { Entry, playback } from '@nwms/contract';
import { AppError } from '../../platform/app-error.ts';
import { decodeKeyset, encodeKeyset } from '../../platform/http/keyset-cursor.ts';
import { coverageScopeOf, type TimelineRow } from '../alerts/index.ts';
import { coverageOf } from './coverage.ts';
import type { PlaybackDeps } from './deps.ts';
import { framesOf, noSeverities, presentItem, type Presented, sparklineOf } from './present.ts';
import type { TimelineQuestion } from './question.ts';

export type TimelineReply = Omit<playback.Timeline, 'freshness'>;

/** Versions one timeline may look at: three months of a busy country. */
const MAX_VERSIONS = 250_000;
/** Items, and entries of the log, that are given as one stream. */
export const MAX_STREAMED = 50_000;

export interface WholeTimeline {
  reply: TimelineReply;
  rows: readonly TimelineRow[];
  /** Items from `start` up to `end`. */
  present(start: number, end: number): Promise<Presented[]>;
}

/** The whole answer; `page` cuts it for JSON. */
export async function readTimeline(deps: PlaybackDeps, question: TimelineQuestion, signal: AbortSignal): Promise<WholeTimeline> {
  const { from, to, all, view, known, filter, instants } = question;
  if (deps.freshness().data_as_of === null && (await deps.timeline.since()) === null) {
    throw new AppError('data.unavailable', { public: 'No alert data was loaded yet: nothing can be concluded. This is not "no alerts".' });
  }
  const coverage = await coverageOf(deps, from, to, { ...coverageScopeOf(filter), known });
  const { rows, full } = await deps.timeline.rows({ from, to, known, filter, limit: MAX_VERSIONS, signal });
  const log = view === 'entries' ? await deps.timeline.entries({ from, to, filter, limit: MAX_STREAMED, signal }) : null;
  const by_severity = noSeverities();
  for (const { severity } of rows) by_severity[severity] += 1;
  const last = new Map<string, TimelineRow>();
  for (const row of rows) if (row.shownFrom >= (last.get(row.eventId)?.shownFrom ?? 0)) last.set(row.eventId, row);
  const place = new Map(rows.map((row, i) => [keyOf(row), i]));
  const present = async (start: number, end: number): Promise<Presented[]> =>
    (await full(start, end)).map((row) => {
      const i = place.get(keyOf(row)) ?? start;
      return presentItem(row, i, last.get(row.eventId) === rows[i], question.geometry);
    });
  return {
    rows,
    present,
    reply: {
      range: { from: new Date(from).toISOString(), to: new Date(to).toISOString(), all },
      view,
      known,
      total: log ? log.entries.length : rows.length,
      by_severity,
      items: [],
      frames: view === 'frames' ? framesOf(rows, instants, to, coverage.spans) : null,
      entries: log ? log.entries : null,
      shapes: null,
      sparkline: sparklineOf(rows, from, to, coverage.spans),
      truncated: false,
      next_cursor: null,
      coverage: coverage.wire,
      insufficient:
        log && !log.complete
          ? [
              {
                path: 'entries',
                reason: 'source_unavailable',
                need: 'the log of the whole range',
                have: 'the log is kept for 30 days; intervals and frames reach back further',
              },
            ]
          : [],
      warnings:
        coverage.wire.gaps.length > 0
          ? [{ code: 'coverage_gap', message: 'Our record has gaps in this time: alerts may be missing there.' }]
          : [],
    },
  };
}

/** A revision may be in force in several parts. */
const keyOf = ({ eventId, seq, shownFrom }: TimelineRow): string => `${eventId} ${seq} ${shownFrom}`;

/** One page: rows (or entries) after the cursor, and the shapes these rows need. */
export async function pageOf({ reply, present, rows }: WholeTimeline, question: TimelineQuestion): Promise<TimelineReply> {
  const { limit, cursor, identity, view } = question;
  const start = cursor === null ? 0 : decodeKeyset(cursor, identity).at;
  const total = view === 'entries' ? (reply.entries?.length ?? 0) : rows.length;
  const end = Math.min(total, start + limit);
  const shown = view === 'entries' || end <= start ? [] : await present(start, end);
  const entries: Entry[] | null = reply.entries && reply.entries.slice(start, end);
  return {
    ...reply,
    items: shown.map(({ item }) => item),
    entries,
    shapes:
      question.geometry === 'display'
        ? Object.fromEntries(shown.flatMap(({ shape }) => (shape ? [[shape.id, shape.geometry]] : [])))
        : null,
    truncated: end < total || start > 0,
    next_cursor: end < total ? encodeKeyset({ at: end, id: 'row' }, identity) : null,
  };
}
