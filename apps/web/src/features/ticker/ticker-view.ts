import type { Ticker } from '@nwms/contract';
import { SAMPLE_ITEMS, type TickerItem } from './ticker-item.ts';

/** The last good answer, and when (by this device's clock) it was received. */
export interface TickerAnswer {
  list: Ticker;
  receivedAtMs: number;
}

export interface TickerKnowledge {
  answer: TickerAnswer | undefined;
  /** What went wrong since: null while the last try succeeded. TICK-05: `HTTP 503`, or a word for no answer at all. */
  failure: string | null;
}

interface Dated {
  /** Instant of the last good data by the server's clock; null when it never said. */
  asOfMs: number | null;
  ageSeconds: number | null;
  simulated: boolean;
}

export type TickerView =
  | { kind: 'loading' }
  /** The list was read and is current. */
  | ({ kind: 'alerts'; items: readonly TickerItem[] } & Dated)
  /** only a fresh, successful, empty answer. */
  | ({ kind: 'clear' } & Dated)
  /** The server answers, but its own data is old: alerts are shown with their age, their absence means nothing. */
  | ({ kind: 'stale'; items: readonly TickerItem[] } & Dated)
  /** No connection; what was known before, or samples (`sample`) when nothing ever was. */
  | ({ kind: 'lost'; items: readonly TickerItem[]; sample: boolean; failure: string } & Dated);

/** A successful list older than this by our own waiting (missed refetches) is not current any more: the server's own limit. */
const SILENT_AFTER_SECONDS = 600;

/** What the bar may claim at `nowMs`. It never shows more confidence than the answer had. */
export function viewTicker({ answer, failure }: TickerKnowledge, nowMs: number): TickerView {
  if (!answer) {
    if (failure === null) return { kind: 'loading' };
    return { kind: 'lost', items: SAMPLE_ITEMS, sample: true, failure, asOfMs: null, ageSeconds: null, simulated: false };
  }
  const { freshness } = answer.list;
  const silentSeconds = Math.max(0, (nowMs - answer.receivedAtMs) / 1000);
  const dated: Dated = {
    asOfMs: freshness.data_as_of === null ? null : Date.parse(freshness.data_as_of),
    ageSeconds: freshness.upstream_age_seconds === null ? null : freshness.upstream_age_seconds + silentSeconds,
    simulated: freshness.simulated,
  };
  const items = stillInForce(answer, nowMs);
  if (failure !== null) return { kind: 'lost', items, sample: false, failure, ...dated };
  const current = freshness.status === 'live' || freshness.status === 'simulated';
  if (!current || silentSeconds > SILENT_AFTER_SECONDS) return { kind: 'stale', items, ...dated };
  if (items.length > 0) return { kind: 'alerts', items, ...dated };
  // Alerts that ran out since then may have been prolonged: only an answer that was empty itself says all clear.
  return answer.list.total_active === 0 && answer.list.breaking_alerts.length === 0
    ? { kind: 'clear', ...dated }
    : { kind: 'stale', items, ...dated };
}

/** The server's clock decides what has ended: its own instant of the answer plus the time that passed here. */
function stillInForce({ list, receivedAtMs }: TickerAnswer, nowMs: number): readonly TickerItem[] {
  const serverNowMs = Date.parse(list.generated_at) + Math.max(0, nowMs - receivedAtMs);
  return list.breaking_alerts.filter(({ in_force_until }) => in_force_until === null || Date.parse(in_force_until) > serverNowMs);
}
