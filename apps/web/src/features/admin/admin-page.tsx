import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck, PlugZap, RefreshCw, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { ApiError } from '../../api/errors.ts';
import { useServices } from '../../api/services.ts';
import { useUser } from '../../api/session.ts';
import { durationLabel } from '../../lib/time-labels.ts';
import { useNow } from '../../lib/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { ForbiddenState } from '../../ui/states.tsx';
import { BackendIssue } from './backend-issue.tsx';
import { ConnectionResult } from './connection-result.tsx';
import { type ConnectionReport, testConnection } from './connection-test.ts';
import { FigureCards, StatusBanner } from './figures.tsx';
import { ADMIN_KEY, connectionCallsOf, dashboardOf, recentUsersOf, statusOf } from './queries.ts';
import { QuickLinks } from './quick-links.tsx';
import { ListCard, ListSkeleton, Nothing, RecentUsers, RequestsToday, TopUsers } from './user-lists.tsx';

/** The administration at a glance: how it stands, who is here, where to go on. */
export default function AdminPage() {
  const services = useServices();
  const queries = useQueryClient();
  const dashboard = useQuery(dashboardOf(services));
  const recent = useQuery(recentUsersOf(services));
  const status = useQuery(statusOf(services));
  const [report, setReport] = useState<ConnectionReport | null>(null);
  const [testing, setTesting] = useState(false);
  const test = async () => {
    setTesting(true);
    setReport(await testConnection(connectionCallsOf(services.api)));
    setTesting(false);
  };
  const refresh = () => void queries.refetchQueries({ queryKey: ADMIN_KEY, type: 'active' });
  const busy = dashboard.isFetching || recent.isFetching;
  if (refused(dashboard.error) || refused(recent.error)) return <Forbidden />;

  const figures = dashboard.data;
  const incomplete = figures !== undefined && typeof figures.total_users !== 'number';
  const loading = dashboard.isPending;
  const troubled = dashboard.error !== null || recent.error !== null || incomplete;
  const old = dashboard.error !== null;
  return (
    <Page>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <Welcome health={status.data?.status} message={status.data?.message} failed={status.error !== null} />
        <div className="flex flex-wrap items-center gap-2">
          <FiguresAge generatedAt={figures?.generated_at} receivedAtMs={dashboard.dataUpdatedAt} failed={dashboard.error !== null} />
          <Button onClick={() => void test()} disabled={testing}>
            <PlugZap size={15} aria-hidden="true" /> {testing ? 'Testing …' : 'Test Connection'}
          </Button>
          <Button onClick={refresh} disabled={busy}>
            <RefreshCw size={15} aria-hidden="true" className={busy ? 'motion-safe:animate-spin' : ''} /> Refresh
          </Button>
        </div>
      </div>
      {report ? <ConnectionResult report={report} close={() => setReport(null)} /> : null}
      {troubled ? (
        <BackendIssue dashboard={dashboard.error} users={recent.error} incomplete={incomplete} retrying={busy} retry={refresh} />
      ) : null}
      <StatusBanner figures={incomplete ? undefined : figures} dimmed={old} />
      <FigureCards figures={incomplete ? undefined : figures} loading={loading} dimmed={old} />
      <QuickLinks />
      <div className="grid grid-cols-1 items-stretch gap-3 pane:grid-cols-3">
        <ListCard title="Top users by API usage" note="Requests with their keys, all time">
          {figures ? <TopUsers users={figures.top_users_by_requests.slice(0, 5)} /> : <Unknown loading={loading} />}
        </ListCard>
        <ListCard title="Recent users" note="Newest accounts" link={<AllUsers />}>
          {recent.data ? <RecentUsers users={recent.data.users} /> : <Unknown loading={recent.isPending} />}
        </ListCard>
        <ListCard title="Requests today" note="By who asked, since 00:00 UTC">
          {figures ? <RequestsToday figures={figures} /> : <Unknown loading={loading} rows={3} />}
        </ListCard>
      </div>
    </Page>
  );
}

/** ERR-13: a 401 ends the session elsewhere, a 403 is no failure of the server. */
const refused = (error: unknown): boolean => error instanceof ApiError && (error.status === 403 || error.status === 401);

function Forbidden() {
  return (
    <Page width="form">
      <div className="card">
        <ForbiddenState>Your account may not see the administration any more. Another administrator can change that.</ForbiddenState>
        <p className="pb-10 text-center">
          <Link to="/weather-alerts" className="target inline-flex items-center rounded-lg bg-accent px-4 font-medium text-on-accent">
            To the weather alerts
          </Link>
        </p>
      </div>
    </Page>
  );
}

function Welcome(props: { health: string | undefined; message: string | undefined; failed: boolean }) {
  const user = useUser();
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <p className="text-lg font-semibold">Welcome back{user ? `, ${user.full_name ?? user.username}` : ''}</p>
      {props.failed || (props.health !== undefined && props.health !== 'ok') ? (
        <p className="flex items-center gap-1.5 text-sm font-medium text-warn">
          <TriangleAlert size={16} aria-hidden="true" /> {props.failed ? 'System not reachable' : `System degraded: ${props.message ?? ''}`}
        </p>
      ) : null}
      {props.health === 'ok' && !props.failed ? (
        <p className="flex items-center gap-1.5 text-sm font-medium text-ok">
          <CircleCheck size={16} aria-hidden="true" /> System Online
        </p>
      ) : null}
    </div>
  );
}

/** Every figure says how old it is. */
function FiguresAge(props: { generatedAt: string | undefined; receivedAtMs: number; failed: boolean }) {
  const { labels } = useServices();
  const now = useNow(1);
  if (!props.generatedAt) return null;
  const age = durationLabel((Math.max(now, props.receivedAtMs) - props.receivedAtMs) / 1000);
  return (
    <p className={`tnum pr-1 text-[13px] max-sm:w-full ${props.failed ? 'font-medium text-warn' : 'text-muted'}`}>
      {props.failed ? 'Not up to date: as of' : 'as of'} {labels.utcClock(Date.parse(props.generatedAt))}, {age} ago
    </p>
  );
}

const Unknown = ({ loading, rows = 5 }: { loading: boolean; rows?: number }) =>
  loading ? <ListSkeleton rows={rows} /> : <Nothing>We cannot tell right now</Nothing>;

function AllUsers() {
  return (
    <Link to="/admin/users" className="target inline-flex items-center rounded-lg px-2 text-sm font-medium text-accent hover:underline">
      All users
    </Link>
  );
}
