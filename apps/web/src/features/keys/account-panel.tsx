import type { OwnUsage } from '@nwms/contract';
import type { UseQueryResult } from '@tanstack/react-query';
import { sentenceOf } from '../../api/errors.ts';
import { useServices } from '../../api/services.ts';
import { useNow } from '../../lib/use-now.ts';
import { Panel } from '../../ui/page.tsx';
import { Skeleton, StaleNote } from '../../ui/states.tsx';
import { Meter } from './meter.tsx';

/** The account's own windows: what all its keys used together, and the allowance of its own pages. */
export function AccountPanel({ usage }: { usage: UseQueryResult<OwnUsage, unknown> }) {
  const { labels } = useServices();
  const now = useNow(15);
  const { data } = usage;
  const at = (iso: string) => `Resets ${labels.moment(Date.parse(iso), labels.viewerZone, now)}`;
  return (
    <Panel title="Your account" note="All your keys together. A request has to fit in its key and in your account.">
      {usage.error ? (
        <div className="pb-3">
          <StaleNote onRetry={() => void usage.refetch()} busy={usage.isFetching}>
            {data ? 'Figures of before. ' : ''}The use of your account could not be asked: {sentenceOf(usage.error)}
          </StaleNote>
        </div>
      ) : null}
      {usage.isPending ? <Skeleton label="Loading the use of your account" rows={3} /> : null}
      {data ? (
        <div className={`flex flex-col gap-4 ${usage.error ? 'opacity-60' : ''}`}>
          <Meter label="This minute" used={data.current_usage.this_minute} limit={data.limits.per_minute} />
          <Meter label="Today (UTC)" used={data.current_usage.today} limit={data.limits.per_day} resets={at(data.resets.day)} />
          <Meter
            label="This month (UTC)"
            used={data.current_usage.this_month}
            limit={data.limits.per_month}
            resets={at(data.resets.month)}
          />
          <div className="flex flex-col gap-3 border-t border-line pt-4">
            <p className="text-[13px] text-muted">These pages have an allowance of their own: no script of yours can take it from them.</p>
            <Meter label="Pages, this minute" used={data.web.current_usage.this_minute} limit={data.web.limits.per_minute} />
            <Meter label="Pages, today (UTC)" used={data.web.current_usage.today} limit={data.web.limits.per_day} />
          </div>
        </div>
      ) : null}
    </Panel>
  );
}
