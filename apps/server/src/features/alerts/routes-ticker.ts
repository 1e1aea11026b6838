import { alerts } from '@nwms/contract';
import { type TickerRow, tickerOrder } from '@nwms/domain';
import type { Serve } from '../../platform/http/serve.ts';
import { lastAlertedAt } from './board/alerted.ts';
import type { Row } from './board/row.ts';
import type { RouteDeps } from './deps.ts';
import { ownTime } from './wire-time.ts';

const DEFAULT_LIMIT = 20;

type Item = alerts.Ticker['breaking_alerts'][number];

/** The most dangerous alerts in force, from memory. Empty only when no event is active. */
export function registerTickerRoute(serve: Serve, { answers, board, clock }: RouteDeps): void {
  serve(alerts.breakingNewsTicker, ({ query, request, reply }) => {
    const limit = query.limit ?? DEFAULT_LIMIT;
    return answers.answer({
      key: `ticker ${limit}`,
      request,
      reply,
      build: () => {
        const rows = board.rows().map(tickerRow);
        const total = rows.filter((row) => row.isActive && row.countable).length;
        const items = tickerOrder(rows, clock.now(), limit).map(({ row }) => present(row));
        return {
          alerts: items.length,
          head: Buffer.from(`{"breaking_alerts":${JSON.stringify(items)},"total_active":${total}`),
          tail: (freshness) => `"generated_at":"${ownTime(clock.now())}","freshness":${JSON.stringify(freshness)}`,
        };
      },
    });
  });
}

function tickerRow(row: Row): TickerRow & { row: Row } {
  const { evaluation, slim } = row.presented;
  return {
    row,
    eventId: slim.event_id,
    state: slim.state,
    isActive: slim.is_active,
    hazardRank: slim.hazard_rank,
    inForceUntil: evaluation.inForceUntil,
    endedAt: evaluation.endedAt,
    event: slim.event,
    severity: slim.severity,
    countable: row.countable,
    lastAlertedAt: lastAlertedAt(row.event),
  };
}

function present({ presented: { slim } }: Row): Item {
  return {
    id: slim.id,
    event_id: slim.event_id,
    location: slim.location,
    headline: slim.headline ?? `${slim.event}: ${slim.location}`,
    severity: slim.severity,
    emoji: slim.emoji,
    timestamp: slim.timestamp,
    event: slim.event,
    source: slim.source,
    expires: slim.expires,
    in_force_until: slim.in_force_until,
    state: slim.state,
    is_active: slim.is_active,
    hazard_rank: slim.hazard_rank,
    sample: false,
  };
}
