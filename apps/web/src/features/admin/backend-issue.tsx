import { RefreshCw, TriangleAlert } from 'lucide-react';
import { sentenceOf } from '../../api/errors.ts';
import { Button } from '../../ui/button.tsx';

/** ADMN-02, ADMN-03: what could not be loaded, what to look at, and a way to try again. What is known stays on the screen below. */
export function BackendIssue(props: { dashboard: unknown; users: unknown; incomplete: boolean; retrying: boolean; retry: () => void }) {
  const { dashboard, users } = props;
  const cause = dashboard ?? users;
  const message = cause ? sentenceOf(cause) : 'The server answered without the number of users.';
  return (
    <section role="alert" aria-labelledby="backend-issue" className="rounded-xl border border-bad/40 bg-bad-bg px-4 py-3 text-text">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <TriangleAlert size={20} aria-hidden="true" className="mt-0.5 shrink-0 text-bad" />
        <div className="min-w-0 flex-1 basis-72">
          <h2 id="backend-issue" className="font-semibold text-bad">
            Backend Connection Issue
          </h2>
          <p className="pt-1">Unable to load dashboard data: {message}</p>
          <ul className="list-disc pt-1 pl-5 text-[13px]">
            {dashboard ? <li>Failed to fetch dashboard statistics</li> : null}
            {users ? <li>Failed to fetch users list</li> : null}
            {props.incomplete && !dashboard ? <li>The dashboard statistics came without the total of users</li> : null}
          </ul>
          <p className="pt-2 text-[13px] text-muted">
            Things to look at: is the server running and reachable from here, does its log name the database, and does Test Connection say
            that you are signed in as an administrator?
          </p>
        </div>
        <Button onClick={props.retry} disabled={props.retrying}>
          <RefreshCw size={15} aria-hidden="true" className={props.retrying ? 'motion-safe:animate-spin' : ''} /> Retry Connection
        </Button>
      </div>
    </section>
  );
}
