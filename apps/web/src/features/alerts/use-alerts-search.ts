import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useDeferredValue, useMemo } from 'react';
import { type AlertsSearch, readAlertsSearch } from './search-params.ts';

/** Changes of the address that keep the page number. */
const KEEPS_PAGE = new Set<string>(['page', 'alert', 'details', 'map', 'place']);

/** Notes changes in the address; `replace` false: as a step that the way back undoes. */
export type ChangeAlerts = (next: Partial<AlertsSearch>, replace?: boolean) => void;

/**
 * What the address says, and `shown`, the same a moment later. What was pressed answers in the next frame; rows and map follow in slices that
 * leave the page free for the next press. `change` begins from the address, never from what is shown, so that no press is lost in between.
 * `filters` is what `search` says of the rows, the same object while that is the same: an alert that is opened renders no filter anew.
 */
export function useAlertsSearch(): { search: AlertsSearch; filters: AlertsSearch; shown: AlertsSearch; change: ChangeAlerts } {
  const given = useSearch({ strict: false });
  const search = useMemo(() => readAlertsSearch(given), [given]);
  const { q, severity, event, scope, order, page, size } = search;
  const filters = useMemo(() => ({ q, severity, event, scope, order, page, size }), [q, severity, event, scope, order, page, size]);
  const shown = useDeferredValue(search);
  const navigate = useNavigate();
  const change = useCallback<ChangeAlerts>(
    (next, replace = true) => {
      const page = Object.keys(next).every((name) => KEEPS_PAGE.has(name)) ? {} : { page: undefined };
      void navigate({ to: '.', search: (old: AlertsSearch) => ({ ...old, ...page, ...next }), replace, resetScroll: false });
    },
    [navigate],
  );
  return { search, filters, shown, change };
}
