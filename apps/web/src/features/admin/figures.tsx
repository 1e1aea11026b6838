import type { Dashboard } from '@nwms/contract';
import { BarChart3, ShieldCheck, UserPlus, Users } from 'lucide-react';
import { StatCard } from '../../ui/stat-card.tsx';

const number = (value: number): string => value.toLocaleString('en-US');
const oneDecimal = (value: number): string => value.toLocaleString('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** ADMN-04: five figures in one line. A figure that is not known is a dash, never a zero. */
export function StatusBanner({ figures, dimmed }: { figures: Dashboard | undefined; dimmed: boolean }) {
  const items: [string, string | undefined, string][] = [
    ['Requests today', figures && number(figures.total_api_requests_today), 'since 00:00 UTC'],
    ['Total users', figures && number(figures.total_users), 'accounts'],
    ['Active users', figures && number(figures.active_users), `${figures ? number(figures.active_users_24h) : '—'} seen in 24 h`],
    ['Average API calls', figures && oneDecimal(figures.average_requests_per_user), 'per user, all time'],
    ['New users', figures && number(figures.users_created_last_30_days), 'in 30 days'],
  ];
  return (
    <dl aria-label="Status" className="card tnum grid grid-cols-2 gap-x-4 gap-y-3 px-4 py-3 sm:grid-cols-3 pane:grid-cols-5">
      {items.map(([label, value, note]) => (
        <div key={label} className="min-w-0">
          <dt className="text-[13px] font-medium text-muted">{label}</dt>
          <dd className="flex flex-wrap items-baseline gap-x-2">
            <span className={`text-lg leading-7 font-bold ${dimmed ? 'opacity-60' : ''}`}>{value ?? '—'}</span>
            <span className="text-xs text-muted">{note}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** ADMN-05: the four cards. */
export function FigureCards({ figures, loading, dimmed }: { figures: Dashboard | undefined; loading: boolean; dimmed: boolean }) {
  const share = figures && figures.total_users > 0 ? (100 * figures.admin_users) / figures.total_users : null;
  const look = { loading, dimmed };
  return (
    <section aria-label="Figures" className="grid grid-cols-2 gap-3 pane:grid-cols-4">
      <StatCard
        label="Total Users"
        icon={<Users size={16} aria-hidden="true" />}
        value={figures?.total_users ?? null}
        note={figures ? `${number(figures.total_users - figures.active_users)} inactive` : 'accounts'}
        {...look}
      />
      <StatCard
        label="Admin Users"
        icon={<ShieldCheck size={16} aria-hidden="true" />}
        value={figures?.admin_users ?? null}
        note={share === null ? 'of all users' : `${share < 1 ? 'under 1' : Math.round(share)} % of users`}
        {...look}
      />
      <StatCard
        label="New Users"
        icon={<UserPlus size={16} aria-hidden="true" />}
        value={figures?.users_created_last_30_days ?? null}
        note="in the last 30 days"
        {...look}
      />
      <StatCard
        label="Average API Requests"
        icon={<BarChart3 size={16} aria-hidden="true" />}
        value={figures ? oneDecimal(figures.average_requests_per_user) : null}
        note="per user, all time"
        {...look}
      />
    </section>
  );
}
