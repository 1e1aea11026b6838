import type { UsageLimits, UsageUser, UsageUsers } from '@nwms/contract';
import { Link } from '@tanstack/react-router';
import { Badge } from '../../../ui/badge.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { Facts } from '../dashboard-blocks.tsx';
import { EndpointName, ErrorShare, Milliseconds } from '../endpoint-table.tsx';
import { requestsAt } from '../requests-link.ts';
import { diversityOf, isPowerUser } from './monitoring-words.ts';

const count = (value: number): string => value.toLocaleString('en-US');
const nothing = (words: string) => <p className="px-4 py-8 text-center text-muted">{words}</p>;
const TYPE_WORDS: Record<UsageUser['user_type'], string> = {
  bot: 'Bots',
  power_user: 'Power users',
  api_client: 'API clients',
  regular: 'Regular',
  casual: 'Casual',
};

type Limited = UsageLimits['users'][number];
const limitColumns: Column<Limited>[] = [
  {
    id: 'user',
    header: 'User',
    cell: (row) => (
      <Link to="/admin/users" search={{ q: row.username }} className="font-medium hover:text-accent hover:underline">
        {row.username}
      </Link>
    ),
  },
  {
    id: 'minute',
    header: 'This minute',
    numeric: true,
    wideOnly: true,
    cell: (row) => `${count(row.current_usage.this_minute)} of ${count(row.limits.per_minute)}`,
  },
  { id: 'day', header: 'Today', numeric: true, cell: (row) => `${count(row.current_usage.today)} of ${count(row.limits.per_day)}` },
  {
    id: 'month',
    header: 'This month',
    numeric: true,
    wideOnly: true,
    cell: (row) => `${count(row.current_usage.this_month)} of ${count(row.limits.per_month)}`,
  },
  {
    id: 'status',
    header: 'Status',
    cell: (row) => {
      if (!row.is_active) return <Badge>Inactive</Badge>;
      const words = `${row.used_percent}% used`;
      if (row.refused_today > 0) return <Badge tone="bad">{`${words}, ${count(row.refused_today)} refused`}</Badge>;
      return <Badge tone={row.used_percent >= 80 ? 'warn' : 'ok'}>{words}</Badge>;
    },
  },
];

/** User rate limits: who is near the end of theirs. */
export function LimitTable({ limits, isLate }: { limits: UsageLimits | undefined; isLate: boolean }) {
  return (
    <DataTable
      label="User rate limits"
      columns={limitColumns}
      rows={limits?.users ?? []}
      rowId={({ user_id: id }) => id}
      empty={nothing(isLate ? 'No account is that far down the list' : 'No users registered yet')}
    />
  );
}

const peopleColumns: Column<UsageUser>[] = [
  {
    id: 'user',
    header: 'User',
    cell: (row) => (
      <span className="inline-flex flex-wrap items-center gap-1.5">
        <Link {...requestsAt({ visitor: row.id })} className="font-medium break-all hover:text-accent hover:underline">
          {row.username ?? row.id.slice(0, 12)}
        </Link>
        {row.is_bot_user ? <Badge>Bot</Badge> : isPowerUser(row.total_requests) ? <Badge tone="accent">Power user</Badge> : null}
      </span>
    ),
  },
  {
    id: 'device',
    header: 'Device',
    wideOnly: true,
    cell: (row) => [row.primary_browser, row.primary_os].filter(Boolean).join(', ') || row.primary_device_type,
  },
  { id: 'place', header: 'Place', wideOnly: true, cell: (row) => [row.city, row.country].filter(Boolean).join(', ') || 'Unknown' },
  { id: 'requests', header: 'Requests', numeric: true, cell: (row) => count(row.total_requests) },
  { id: 'sessions', header: 'Sessions', numeric: true, wideOnly: true, cell: (row) => count(row.total_sessions) },
  {
    id: 'endpoint',
    header: 'Most used',
    wideOnly: true,
    cell: (row) => (row.most_used_endpoint === null ? '—' : <EndpointName endpoint={row.most_used_endpoint} of={{}} />),
  },
  { id: 'diversity', header: 'Diversity', wideOnly: true, cell: (row) => diversityOf(row.endpoint_diversity_score) },
  { id: 'time', header: 'Average', numeric: true, wideOnly: true, cell: (row) => <Milliseconds value={row.avg_response_time_ms} /> },
  { id: 'errors', header: 'Errors', numeric: true, cell: (row) => <ErrorShare value={row.error_rate_percent} /> },
];

export function PeopleTable({ people }: { people: readonly UsageUser[] | undefined }) {
  return (
    <DataTable
      label="Detailed user activity"
      columns={peopleColumns}
      rows={people ?? []}
      rowId={({ id }) => id}
      empty={nothing('No user activity data available')}
    />
  );
}

export function UsersOverview({ users }: { users: UsageUsers }) {
  if (users.total_users === 0) return <p className="py-6 text-center text-muted">No user activity data available</p>;
  return (
    <Facts
      rows={[
        { name: 'Total users', value: count(users.total_users) },
        { name: 'New users', value: count(users.new_users) },
        { name: 'Desktop users', value: count(users.desktop_users) },
        { name: 'Bot users', value: count(users.bot_users) },
        ...users.user_types.map((each) => ({ name: `Type: ${TYPE_WORDS[each.type]}`, value: count(each.count) })),
      ]}
    />
  );
}
