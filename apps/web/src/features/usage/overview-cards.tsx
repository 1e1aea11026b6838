import type { UsageOverview } from '@nwms/contract';
import { Activity, Clock, TriangleAlert, Users } from 'lucide-react';
import { type QueryView } from '../../api/query-view.ts';
import { StatCard } from '../../ui/stat-card.tsx';
import { ErrorNotice } from '../../ui/states.tsx';
import { AdminOnlyCard } from './admin-only.tsx';
import { errorTone, estimateWords, growthWords, milliseconds, percents, responseTone } from './usage-words.ts';

/** ANLY-02, ANLY-03 */
export function OverviewCards({ overview, view, dimmed }: { overview: UsageOverview | undefined; view: QueryView; dimmed: boolean }) {
  if (view.is === 'forbidden') return <AdminOnlyCard />;
  if (view.is === 'failed')
    return (
      <div className="card">
        <ErrorNotice message={view.message} requestId={view.requestId} onRetry={view.retry} busy={view.busy} />
      </div>
    );
  const loading = view.is === 'loading';
  const before = overview?.previous ?? null;
  const ms = overview?.avg_response_time_ms ?? null;
  const errors = overview?.error_rate_percent ?? null;
  return (
    <section aria-label="Overview" className="grid grid-cols-2 gap-3 pane:grid-cols-4">
      <StatCard
        label="Total Requests"
        icon={<Activity size={16} aria-hidden="true" />}
        value={overview?.total_requests ?? null}
        note={overview ? growthWords(overview) : null}
        {...{ loading, dimmed }}
      />
      <StatCard
        label="Unique Users by IP"
        icon={<Users size={16} aria-hidden="true" />}
        value={overview?.unique_ips ?? null}
        note={
          overview
            ? (estimateWords(overview.estimates, 'unique_ips') ??
              (before ? `${before.unique_ips.toLocaleString('en-US')} in the time before` : 'distinct addresses'))
            : null
        }
        {...{ loading, dimmed }}
      />
      <StatCard
        label="Avg Response Time"
        icon={<Clock size={16} aria-hidden="true" />}
        value={ms === null ? null : milliseconds(ms)}
        tone={responseTone(ms)}
        note={
          !overview
            ? null
            : ms === null
              ? 'no timed request'
              : before
                ? `${milliseconds(before.avg_response_time_ms)} in the time before`
                : 'under 100 ms is good'
        }
        {...{ loading, dimmed }}
      />
      <StatCard
        label="Error Rate"
        icon={<TriangleAlert size={16} aria-hidden="true" />}
        value={errors === null ? null : percents(errors)}
        tone={errorTone(errors)}
        note={
          !overview
            ? null
            : errors === null
              ? 'no request'
              : `${percents(overview.server_error_rate_percent)} server errors (500 and above)`
        }
        {...{ loading, dimmed }}
      />
    </section>
  );
}
