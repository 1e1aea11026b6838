import type { LastKnown } from '../../lib/last-known.ts';
import type { TickerAnswer } from './ticker-view.ts';

/** As many as the server lists for the bar. */
const MOST = 20;

/** The bar's list as this device last knew it, for a start that gets no answer (R-01: earlier data before samples). */
export function keptAnswer({ alerts, freshness, receivedAtMs }: LastKnown): TickerAnswer {
  const worst = [...alerts].sort((a, b) => b.hazard_rank - a.hazard_rank).slice(0, MOST);
  return {
    list: {
      breaking_alerts: worst.map((alert) => ({
        ...alert,
        // The bar leaves out a headline that only repeats the event.
        headline: alert.headline ?? `${alert.event}: ${alert.location}`,
        sample: false as const,
      })),
      total_active: alerts.length,
      generated_at: new Date(receivedAtMs).toISOString(),
      freshness,
    },
    receivedAtMs,
  };
}
