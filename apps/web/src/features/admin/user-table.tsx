import type { AdminUser } from '@nwms/contract';
import { useServices } from '../../api/services.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Initials } from './initials.tsx';
import { RowActions, type UserDeeds } from './row-actions.tsx';
import { UserFlags } from './user-flags.tsx';
import type { UserSort } from './users-search.ts';

export interface UserTableProps {
  users: readonly AdminUser[];
  sort: UserSort;
  onSort: (sort: UserSort) => void;
  deeds: UserDeeds;
  /** Account of whoever looks. */
  ownId: string | undefined;
  /** Older than the question: shown, but not as the answer. */
  dimmed: boolean;
}

/** A dash while the record of requests cannot be read. */
const n = (value: number | null): string => (value === null ? '—' : value.toLocaleString('en-US'));

const columnsOf = (deeds: UserDeeds, ownId: string | undefined): readonly Column<AdminUser>[] => [
  { id: 'username', header: 'User', cell: (user) => <Who user={user} onOpen={deeds.edit} />, sortable: true, width: '28%' },
  { id: 'role', header: 'Role & Status', cell: (user) => <UserFlags user={user} status />, width: '17%' },
  { id: 'limits', header: 'API Limits', cell: (user) => <Limits user={user} />, width: '15%' },
  { id: 'last_login', header: 'Last Login', cell: (user) => <LastLogin user={user} />, sortable: true, width: '12%' },
  { id: 'total_api_requests', header: 'Usage', cell: (user) => <Usage user={user} />, sortable: true, width: '14%' },
  { id: 'actions', header: 'Actions', cell: (user) => <RowActions user={user} own={user.id === ownId} deeds={deeds} />, width: '14%' },
];

/** USER-03, one row per account; a press on it opens the form, as the edit button does. */
export function UserTable({ users, sort, onSort, deeds, ownId, dimmed }: UserTableProps) {
  const descending = sort.startsWith('-');
  const id = descending ? sort.slice(1) : sort;
  return (
    <DataTable
      label="Users"
      columns={columnsOf(deeds, ownId)}
      rows={users}
      rowId={(user) => user.id}
      sort={{ id, descending }}
      // Names read best from A, figures and dates from the largest.
      onSort={(next) => onSort(orderOf(next.id, next.id === id ? next.descending : next.id !== 'username'))}
      onOpen={deeds.edit}
      empty={null}
      dimmed={dimmed}
    />
  );
}

const orderOf = (id: string, descending: boolean): UserSort => `${descending ? '-' : ''}${id}` as UserSort;

/** The same rows for narrow screens. */
export function UserCards({ users, deeds, ownId, dimmed }: Omit<UserTableProps, 'sort' | 'onSort'>) {
  return (
    <ul aria-label="Users" className={`divide-y divide-line ${dimmed ? 'opacity-60' : ''}`}>
      {users.map((user) => (
        <li key={user.id} className="flex flex-col gap-3 px-4 py-3">
          <div className="flex items-start justify-between gap-3">
            <Who user={user} onOpen={deeds.edit} />
            <UserFlags user={user} status />
          </div>
          <dl className="tnum grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-3 gap-y-1.5 text-[13px]">
            <dt className="text-muted">API Limits</dt>
            <dd>
              <Limits user={user} />
            </dd>
            <dt className="text-muted">Last Login</dt>
            <dd>
              <LastLogin user={user} />
            </dd>
            <dt className="text-muted">Usage</dt>
            <dd>
              <Usage user={user} />
            </dd>
          </dl>
          <RowActions user={user} own={user.id === ownId} deeds={deeds} />
        </li>
      ))}
    </ul>
  );
}

function Who({ user, onOpen }: { user: AdminUser; onOpen: (user: AdminUser) => void }) {
  return (
    <div className="flex min-w-0 items-center gap-3">
      <Initials user={user} />
      <div className="min-w-0">
        <button
          type="button"
          onClick={() => onOpen(user)}
          className="block max-w-full truncate rounded-sm text-left font-semibold hover:text-accent hover:underline"
        >
          {user.username}
        </button>
        {user.full_name ? <p className="truncate text-[13px]">{user.full_name}</p> : null}
        <p className="truncate text-[13px] text-muted" title={user.email}>
          {user.email}
        </p>
      </div>
    </div>
  );
}

function Limits({ user }: { user: AdminUser }) {
  return (
    <div className="tnum text-[13px]">
      <p className="font-medium">{n(user.api_rate_limit_per_minute)}/min</p>
      <p className="text-muted">{n(user.api_daily_limit)}/day</p>
      <p className="text-muted">{n(user.api_monthly_limit)}/month</p>
    </div>
  );
}

function LastLogin({ user }: { user: AdminUser }) {
  const { labels } = useServices();
  if (user.last_login === null) return <span className="text-muted">Never</span>;
  const atMs = Date.parse(user.last_login);
  return (
    <time dateTime={user.last_login} title={labels.full(atMs, labels.viewerZone)} className="tnum block text-[13px]">
      {user.last_login.slice(0, 10)}
      <span className="block text-muted">{user.last_login.slice(11, 16)} UTC</span>
    </time>
  );
}

function Usage({ user }: { user: AdminUser }) {
  return (
    <div className="tnum text-[13px]">
      <p className="font-medium">{n(user.total_api_requests)} total</p>
      <p className="text-muted">{n(user.current_day_requests)} today</p>
      <p className="text-muted">{n(user.current_month_requests)} this month</p>
    </div>
  );
}

export function UserSkeleton({ rows = 8 }: { rows?: number }) {
  return (
    <div aria-busy="true" className="divide-y divide-line">
      <span className="sr-only">Loading users</span>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} aria-hidden="true" className="flex items-center gap-4 px-4 py-3.5">
          <div className="skeleton size-9 shrink-0 rounded-full" />
          <div className="skeleton h-10 flex-1" />
          <div className="skeleton h-10 flex-1 max-sm:hidden" />
          <div className="skeleton h-10 w-24 max-sm:hidden" />
        </div>
      ))}
    </div>
  );
}
