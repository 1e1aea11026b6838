import type { AdminUser, Dashboard } from '@nwms/contract';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useServices } from '../../api/services.ts';
import { Initials } from './initials.tsx';
import { UserFlags } from './user-flags.tsx';

/** A titled card with a list, its own skeleton and its own words for "nothing" and for "not known". */
export function ListCard(props: { title: string; note: string; link?: ReactNode; children: ReactNode }) {
  return (
    <section className="card flex min-w-0 flex-col" aria-label={props.title}>
      <div className="border-b border-line px-4 py-3">
        <h2 className="text-base font-semibold">{props.title}</h2>
        <p className="text-[13px] text-muted">{props.note}</p>
      </div>
      <div className="flex-1">{props.children}</div>
      {props.link ? <div className="border-t border-line px-2 py-1">{props.link}</div> : null}
    </section>
  );
}

export function Nothing({ children }: { children: ReactNode }) {
  return <p className="px-4 py-8 text-center text-muted">{children}</p>;
}

export function ListSkeleton({ rows = 5 }: { rows?: number }) {
  return (
    <div aria-hidden="true" className="flex flex-col gap-3 px-4 py-3">
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="skeleton h-9" />
      ))}
    </div>
  );
}

/** ADMN-06: who used the API most. */
export function TopUsers({ users }: { users: Dashboard['top_users_by_requests'] }) {
  if (users.length === 0) return <Nothing>No user activity data available</Nothing>;
  const most = Math.max(...users.map(({ requests }) => requests), 1);
  return (
    <ol className="tnum py-1.5">
      {users.map(({ user_id: id, username, requests }, place) => (
        <li key={id} className="grid grid-cols-[1rem_minmax(0,1fr)_minmax(3rem,7rem)_4.5rem] items-center gap-3 px-4 py-2">
          <span className="text-[13px] text-muted">{place + 1}</span>
          <Link to="/admin/users" search={{ q: username }} className="truncate font-medium hover:text-accent hover:underline">
            {username}
          </Link>
          <span aria-hidden="true" className="h-2 overflow-hidden rounded-full bg-skeleton">
            <span className="block h-full rounded-full bg-bar" style={{ width: `${Math.max(3, (100 * requests) / most)}%` }} />
          </span>
          <span className="text-right font-semibold">{requests.toLocaleString('en-US')}</span>
        </li>
      ))}
    </ol>
  );
}

/** ADMN-06, R-43: the newest accounts. */
export function RecentUsers({ users }: { users: readonly AdminUser[] }) {
  const { labels } = useServices();
  if (users.length === 0) return <Nothing>No users registered yet</Nothing>;
  return (
    <ul className="py-1.5">
      {users.map((user) => (
        <li key={user.id} className="flex items-center gap-3 px-4 py-2">
          <Initials user={user} />
          <div className="min-w-0 flex-1">
            <Link to="/admin/users" search={{ q: user.username }} className="block truncate font-medium hover:text-accent hover:underline">
              {user.full_name ?? user.username}
            </Link>
            <p className="truncate text-[13px] text-muted">{user.email}</p>
          </div>
          <div className="flex shrink-0 flex-col items-end gap-0.5">
            <UserFlags user={user} />
            <time
              dateTime={user.created_at}
              title={labels.full(Date.parse(user.created_at), labels.viewerZone)}
              className="tnum text-xs text-muted"
            >
              {user.created_at.slice(0, 10)}
            </time>
          </div>
        </li>
      ))}
    </ul>
  );
}

const PRINCIPALS = [
  ['session', 'Signed-in web app'],
  ['key', 'API keys'],
  ['anonymous', 'Visitors'],
] as const;

/** Where the requests of the day came from. */
export function RequestsToday({ figures }: { figures: Dashboard }) {
  const { requests_today_by_principal: by, total_api_requests_today: total } = figures;
  if (total === 0) return <Nothing>No usage data available</Nothing>;
  return (
    <dl className="tnum py-1.5">
      {PRINCIPALS.map(([name, label]) => (
        <div key={name} className="grid grid-cols-[8.5rem_minmax(0,1fr)_4.5rem] items-center gap-3 px-4 py-2">
          <dt className="text-muted">{label}</dt>
          <dd aria-hidden="true" className="h-2 overflow-hidden rounded-full bg-skeleton">
            <span className="block h-full rounded-full bg-bar" style={{ width: `${(100 * by[name]) / total}%` }} />
          </dd>
          <dd className="text-right font-semibold">{by[name].toLocaleString('en-US')}</dd>
        </div>
      ))}
    </dl>
  );
}
