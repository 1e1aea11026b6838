import { useNavigate, useSearch } from '@tanstack/react-router';
import { readUsageSearch, type UsageSearch } from './usage-search.ts';

/** What the address says, and how to change it. */
export function useUsageSearch(): { search: UsageSearch; change: (next: UsageSearch) => void } {
  const navigate = useNavigate();
  const search = readUsageSearch(useSearch({ strict: false }));
  return {
    search,
    change: (next) => void navigate({ to: '.', search: (old: object) => ({ ...old, ...next }), replace: true, resetScroll: false }),
  };
}
