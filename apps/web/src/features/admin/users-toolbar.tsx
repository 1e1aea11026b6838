import { Download, Plus, RefreshCw, Search, X } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import { DEFAULT_SORT, type UsersSearch, type UserSort } from './users-search.ts';

const ROLES = [
  { value: 'all', label: 'All roles' },
  { value: 'admin', label: 'Admin' },
  { value: 'user', label: 'User' },
];
const STATUSES = [
  { value: 'all', label: 'All statuses' },
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive' },
];
const SORTS: { value: UserSort; label: string }[] = [
  { value: '-created_at', label: 'Newest first' },
  { value: 'created_at', label: 'Oldest first' },
  { value: 'username', label: 'Name, A to Z' },
  { value: '-username', label: 'Name, Z to A' },
  { value: '-last_login', label: 'Last login, latest first' },
  { value: 'last_login', label: 'Last login, longest ago' },
  { value: '-total_api_requests', label: 'Most requests' },
  { value: 'total_api_requests', label: 'Fewest requests' },
];

export interface UsersToolbarProps {
  text: string;
  onText: (text: string) => void;
  search: UsersSearch;
  change: (next: Partial<UsersSearch>) => void;
  refreshing: boolean;
  refresh: () => void;
  /** Share of the export that is done, 0 to 1; null when none runs. */
  exporting: number | null;
  onExport: () => void;
  onAdd: () => void;
}

/** USER-01, USER-02. */
export function UsersToolbar(props: UsersToolbarProps) {
  const { search, change, exporting } = props;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <search className="min-w-0 grow basis-64 sm:max-w-96">
        <label className="target flex items-center gap-2 rounded-lg border border-line-strong bg-surface px-3 focus-within:border-accent">
          <Search size={16} aria-hidden="true" className="shrink-0 text-muted" />
          <input
            type="search"
            aria-label="Search users"
            placeholder="Name or email"
            maxLength={100}
            value={props.text}
            onChange={(event) => props.onText(event.target.value)}
            className="min-w-0 grow bg-transparent text-sm outline-none placeholder:text-muted [&::-webkit-search-cancel-button]:hidden"
          />
          {props.text === '' ? null : (
            <button type="button" aria-label="Clear the search" onClick={() => props.onText('')} className="text-muted hover:text-text">
              <X size={16} aria-hidden="true" />
            </button>
          )}
        </label>
      </search>
      <Select
        label="Role"
        value={search.role ?? 'all'}
        className="max-sm:flex-1"
        options={ROLES}
        onChange={(value) => change({ role: value === 'all' ? undefined : (value as UsersSearch['role']) })}
      />
      <Select
        label="Status"
        value={search.status ?? 'all'}
        className="max-sm:flex-1"
        options={STATUSES}
        onChange={(value) => change({ status: value === 'all' ? undefined : (value as UsersSearch['status']) })}
      />
      <Select
        label="Order"
        value={search.sort ?? DEFAULT_SORT}
        className="max-sm:flex-1"
        options={SORTS}
        onChange={(value) => change({ sort: value === DEFAULT_SORT ? undefined : (value as UserSort) })}
      />
      <div className="flex flex-wrap items-center gap-2 max-sm:w-full max-sm:justify-between sm:ml-auto">
        <Button onClick={props.onExport} aria-label={exporting === null ? 'Export all matching users as CSV' : undefined}>
          <Download size={15} aria-hidden="true" />
          <span className="tnum">{exporting === null ? 'CSV' : `Stop export (${Math.floor(exporting * 100)} %)`}</span>
        </Button>
        <Button onClick={props.refresh} disabled={props.refreshing}>
          <RefreshCw size={15} aria-hidden="true" className={props.refreshing ? 'motion-safe:animate-spin' : ''} /> Refresh
        </Button>
        <Button kind="primary" onClick={props.onAdd}>
          <Plus size={16} aria-hidden="true" /> Add User
        </Button>
      </div>
    </div>
  );
}
