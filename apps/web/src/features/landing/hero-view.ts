import type { HeroAlert, HeroAnswer } from './hero-answer.ts';

interface Dated {
  asOfMs: number | null;
  ageSeconds: number | null;
}

export type HeroView =
  | { kind: 'loading' }
  | ({ kind: 'alert'; alert: HeroAlert; simulated: boolean; /** Whether its age allows to call it in force. */ current: boolean } & Dated)
  /** Only for a fresh, successful, empty answer. */
  | ({ kind: 'none' } & Dated)
  | ({ kind: 'unknown' } & Dated);

/** Own waiting beyond which an answer is not current any more: the server's own limit for stale data. */
const SILENT_AFTER_SECONDS = 180;

/** What the card may claim about the answer at `nowMs`; `failed`: the last try to renew it did. */
export function heroView(answer: HeroAnswer | null, failed: boolean, nowMs: number): HeroView {
  if (!answer) return failed ? { kind: 'unknown', asOfMs: null, ageSeconds: null } : { kind: 'loading' };
  const { freshness, alerts, total } = answer.body;
  const silentSeconds = Math.max(0, (nowMs - answer.receivedAtMs) / 1000);
  const dated: Dated = {
    asOfMs: freshness.data_as_of === null ? null : Date.parse(freshness.data_as_of),
    ageSeconds: freshness.upstream_age_seconds === null ? null : freshness.upstream_age_seconds + silentSeconds,
  };
  const good = freshness.status === 'live' || freshness.status === 'simulated';
  const current = good && !failed && silentSeconds <= SILENT_AFTER_SECONDS;
  const [alert] = alerts;
  if (alert) {
    // What has ended meanwhile is not shown as in force, whatever the answer said.
    const over =
      alert.in_force_until !== null &&
      dated.asOfMs !== null &&
      Date.parse(alert.in_force_until) < dated.asOfMs + (dated.ageSeconds ?? 0) * 1000;
    return over ? { kind: 'unknown', ...dated } : { kind: 'alert', alert, simulated: freshness.simulated, current, ...dated };
  }
  return { kind: current && total === 0 ? 'none' : 'unknown', ...dated };
}
