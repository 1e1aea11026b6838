import type { Api } from '../../api/call.ts';
import type { AlertsSearch } from './search-params.ts';

/** ALRT-03: the export holds active alerts only, by the filters on screen, all of them and not one page. */
export function csvLink(api: Api, search: AlertsSearch, nowMs: number): { url: string; name: string } {
  const url = api.url('/alerts', {
    format: 'csv',
    active_only: true,
    severity: search.severity,
    event: search.event,
    // The server wants two characters or none.
    q: search.q && search.q.length >= 2 ? search.q : undefined,
  });
  return { url, name: `active-weather-alerts-${new Date(nowMs).toISOString().slice(0, 10)}.csv` };
}
