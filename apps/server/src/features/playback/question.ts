import type { BodyOf, playback } from '@nwms/contract';
import { DAY_MS, type Instant } from '@nwms/domain';
import { AppError } from '../../platform/app-error.ts';
import { fieldFault } from '../../platform/http/field-fault.ts';
import { parseInstant } from '../../platform/http/instant.ts';
import type { AlertFilter } from '../alerts/index.ts';

type Asked = BodyOf<typeof playback.playbackTimeline>;

export interface TimelineQuestion {
  from: Instant;
  to: Instant;
  all: boolean;
  view: 'intervals' | 'frames' | 'entries';
  known: 'then' | 'final';
  /** Instants from, from + step, ... up to `to`; only asked for by frames. */
  instants: Instant[];
  filter: AlertFilter;
  geometry: 'none' | 'label' | 'display';
  limit: number;
  cursor: string | null;
  /** What the answer depends on, for cursors. */
  identity: Record<string, unknown>;
}

const RANGE_DAYS = { '24h': 1, '7d': 7, '30d': 30 } as const;
const MAX_DAYS = 366;
const MAX_STEPS = 500;
const DEFAULT_FRAMES = 100;
const DEFAULT_LIMIT = 1_000;

/** @throws AppError request.invalid, query.window_too_large, playback.storm_not_found */
export async function readQuestion(asked: Asked, now: Instant, since: () => Promise<Instant | null>): Promise<TimelineQuestion> {
  const { range, from: fromText, to: toText, view = 'intervals', frames, step_seconds: stepSeconds, known = 'then' } = asked;
  const { geometry = 'label', order: _order, limit = DEFAULT_LIMIT, cursor = null, storm, ...filter } = asked;
  if (storm !== undefined) throw new AppError('playback.storm_not_found', { public: `No test storm ${storm} of yours is known.` });
  for (const name of ['range', 'from', 'to', 'view', 'frames', 'step_seconds', 'known'] as const) delete filter[name];
  const { from, to, all } = await rangeOf({ range, fromText, toText }, now, since);
  const instants = view === 'frames' ? instantsOf(from, to, frames, stepSeconds) : [];
  return { from, to, all, view, known, instants, filter, geometry, limit, cursor, identity: { ...asked, cursor: undefined } };
}

async function rangeOf(
  { range, fromText, toText }: { range: Asked['range']; fromText: string | undefined; toText: string | undefined },
  now: Instant,
  since: () => Promise<Instant | null>,
): Promise<{ from: Instant; to: Instant; all: boolean }> {
  if (fromText === undefined && toText !== undefined) throw fieldFault('from', 'required', 'to needs from.');
  if (fromText !== undefined) {
    if (range !== undefined) throw fieldFault('range', 'conflict', 'Give range, or from and to.');
    const from = parseInstant('from', fromText);
    const to = Math.min(toText === undefined ? now : parseInstant('to', toText), now);
    if (from >= to) throw fieldFault('to', 'range', 'to must be later than from, and from must be past.');
    if (to - from > MAX_DAYS * DAY_MS) {
      throw fieldFault('to', 'range', `from and to are more than ${MAX_DAYS} days apart.`, 'query.window_too_large');
    }
    return { from, to, all: false };
  }
  if (range === 'all') return { from: Math.min((await since()) ?? now - DAY_MS, now - 1), to: now, all: true };
  return { from: now - RANGE_DAYS[range ?? '24h'] * DAY_MS, to: now, all: false };
}

function instantsOf(from: Instant, to: Instant, frames: number | undefined, stepSeconds: number | undefined): Instant[] {
  if (stepSeconds === undefined) {
    const steps = frames ?? DEFAULT_FRAMES;
    return Array.from({ length: steps + 1 }, (_, k) => from + Math.round((k * (to - from)) / steps));
  }
  if (frames !== undefined) throw fieldFault('step_seconds', 'conflict', 'Give frames or step_seconds.');
  const steps = Math.floor((to - from) / (stepSeconds * 1000));
  if (steps > MAX_STEPS) {
    throw fieldFault('step_seconds', 'range', `That is ${steps} steps; at most ${MAX_STEPS} are given.`, 'query.window_too_large');
  }
  return Array.from({ length: steps + 1 }, (_, k) => from + k * stepSeconds * 1000);
}
