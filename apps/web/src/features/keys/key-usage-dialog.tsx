import type { ApiKey, KeyUsage } from '@nwms/contract';
import { useQuery } from '@tanstack/react-query';
import { sentenceOf } from '../../api/errors.ts';
import { useServices } from '../../api/services.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorCard, Skeleton, StaleNote } from '../../ui/states.tsx';
import { Meter } from './meter.tsx';
import { keyUsageOf } from './queries.ts';

const WINDOW = { minute: 'minute', day: 'day (UTC)', month: 'month (UTC)' } as const;
const SCOPE = { key: 'This key', account: 'Your account', session: 'These pages' } as const;

/** What one key used of its allowance in the last hour, and for what. */
export function KeyUsageDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const services = useServices();
  const usage = useQuery(keyUsageOf(services, apiKey.id));
  const { data } = usage;
  return (
    <Dialog open onClose={onClose} size="large" fullOnPhone title={`Usage of "${apiKey.description}"`}>
      <div className="flex flex-col gap-5">
        {usage.error && data ? (
          <StaleNote onRetry={() => void usage.refetch()} busy={usage.isFetching}>
            Figures of before: {sentenceOf(usage.error)}
          </StaleNote>
        ) : null}
        {usage.error && !data ? (
          <ErrorCard message={sentenceOf(usage.error)} onRetry={() => void usage.refetch()} busy={usage.isFetching} />
        ) : null}
        {usage.isPending ? <Skeleton label="Loading usage" rows={6} /> : null}
        {data ? <Figures usage={data} /> : null}
      </div>
    </Dialog>
  );
}

function Figures({ usage }: { usage: KeyUsage }) {
  const allowed = sum(usage.per_minute.map((row) => row.allowed));
  const refused = sum(usage.per_minute.map((row) => row.refused));
  return (
    <>
      <section aria-label="Allowance" className="grid gap-x-6 gap-y-3 sm:grid-cols-3">
        {usage.windows.map((window) => (
          <Meter
            key={`${window.scope} ${window.name}`}
            label={`${SCOPE[window.scope]}, ${WINDOW[window.name]}`}
            used={window.used}
            limit={window.limit}
          />
        ))}
      </section>
      <section aria-label="Requests of the last hour" className="flex flex-col gap-2">
        <h3 className="text-sm font-semibold">Requests per minute, last hour</h3>
        <p className="tnum text-sm text-muted">
          {allowed.toLocaleString('en-US')} answered, {refused.toLocaleString('en-US')} over a limit in this hour;{' '}
          {usage.refused_today.toLocaleString('en-US')} over a limit today (UTC).
        </p>
        <Bars rows={usage.per_minute} />
        <details className="text-sm">
          <summary className="target flex w-fit cursor-pointer items-center rounded-lg px-1 font-medium text-accent">Show as table</summary>
          <table className="tnum mt-2 w-full max-w-md text-left text-[13px]">
            <thead className="text-muted">
              <tr>
                <th scope="col" className="py-1 font-medium">
                  Minute (UTC)
                </th>
                <th scope="col" className="py-1 text-right font-medium">
                  Answered
                </th>
                <th scope="col" className="py-1 text-right font-medium">
                  Over a limit
                </th>
              </tr>
            </thead>
            <tbody>
              {usage.per_minute
                .filter((row) => row.allowed + row.refused > 0)
                .map((row) => (
                  <tr key={row.at} className="border-t border-line">
                    <td className="py-1">{row.at.slice(11, 16)}</td>
                    <td className="py-1 text-right">{row.allowed}</td>
                    <td className="py-1 text-right">{row.refused}</td>
                  </tr>
                ))}
            </tbody>
          </table>
          <p className="pt-1 text-[13px] text-muted">Minutes without requests are left out.</p>
        </details>
      </section>
      <section aria-label="Endpoints" className="flex flex-col gap-2">
        <h3 className="text-sm font-semibold">What was asked</h3>
        {usage.by_endpoint.length === 0 ? <p className="text-sm text-muted">Nothing in the last hour.</p> : null}
        <ul className="flex flex-col">
          {usage.by_endpoint.map((row) => (
            <li key={row.endpoint} className="flex justify-between gap-4 border-t border-line py-1.5 text-sm first:border-t-0">
              <code className="min-w-0 font-mono text-[13px] break-all">{row.endpoint}</code>
              <span className="tnum">{row.requests.toLocaleString('en-US')}</span>
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

/** One bar a minute; the table below says the same in figures. */
function Bars({ rows }: { rows: KeyUsage['per_minute'] }) {
  const most = Math.max(1, ...rows.map((row) => row.allowed + row.refused));
  const share = (value: number) => `${(value / most) * 100}%`;
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a drawing made of elements
    <div role="img" aria-label={`Bars, one a minute; the highest is ${most === 1 ? 'at most 1 request' : `${most} requests`}`}>
      <div className="flex h-28 items-end gap-px border-b border-line-strong">
        {rows.map((row) => (
          <div
            key={row.at}
            title={`${row.at.slice(11, 16)} UTC: ${row.allowed} answered, ${row.refused} over a limit`}
            className="flex h-full min-w-0 flex-1 flex-col justify-end"
          >
            <div className="bg-bad" style={{ height: share(row.refused) }} />
            <div className="bg-accent" style={{ height: share(row.allowed) }} />
          </div>
        ))}
      </div>
      <div className="tnum flex justify-between pt-1 text-xs text-muted">
        <span>{rows[0]?.at.slice(11, 16)} UTC</span>
        <span>{rows.at(-1)?.at.slice(11, 16)} UTC</span>
      </div>
    </div>
  );
}
