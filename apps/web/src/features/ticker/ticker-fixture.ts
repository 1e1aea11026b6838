import type { Freshness, Ticker } from '@nwms/contract';

/** The instant at which the test answers were made. */
export const NOW_MS = Date.parse('2026-11-21T14:00:00Z');

type Item = Ticker['breaking_alerts'][number];

export function tickerRow(eventId: string, change: Partial<Item> = {}): Item {
  return {
    id: `urn:${eventId}`,
    event_id: eventId,
    location: 'Grady, OK',
    headline: 'Tornado Warning issued by NWS Norman OK',
    severity: 'Extreme',
    emoji: '',
    timestamp: '2026-11-21T13:55:00Z',
    event: 'Tornado Warning',
    source: 'NWS Norman OK',
    expires: null,
    in_force_until: '2026-11-21T14:45:00Z',
    state: 'in_force',
    is_active: true,
    hazard_rank: 9000,
    sample: false,
    ...change,
  };
}

export function tickerList(rows: Item[], freshness: Partial<Freshness> = {}): Ticker {
  return {
    breaking_alerts: rows,
    total_active: rows.length,
    generated_at: new Date(NOW_MS).toISOString(),
    freshness: {
      data_as_of: new Date(NOW_MS - 20_000).toISOString(),
      upstream_age_seconds: 20,
      status: 'live',
      reason: null,
      feed: 'nws',
      simulated: false,
      ...freshness,
    },
  };
}
