import type { UsageLimits } from '@nwms/contract';
import { useQuery } from '@tanstack/react-query';
import { useServices } from '../../../api/services.ts';
import { Panel } from '../../../ui/page.tsx';
import { Pagination } from '../../../ui/pagination.tsx';
import { PanelBody } from '../panel-body.tsx';
import { useUsageSearch } from '../use-usage-search.ts';
import { LIMIT_ROWS, limitsOf } from './monitoring-queries.ts';
import { limitPages } from './monitoring-words.ts';
import { LimitTable } from './people-panels.tsx';

/** User rate limits: all accounts, page after page. */
export function LimitPanel() {
  const services = useServices();
  const { search, change } = useUsageSearch();
  const limits = useQuery(limitsOf(services, search.page ?? 1));
  const { data } = limits;
  const pages = data ? limitPages(data.total, LIMIT_ROWS) : null;
  return (
    <Panel flush title="User rate limits status" note={data ? limitNote(data, pages?.isCut === true) : null}>
      <PanelBody query={limits} label="the limits">
        <LimitTable limits={data} isLate={(search.page ?? 1) > 1} />
        {pages ? (
          <Pagination
            page={Math.min(search.page ?? 1, pages.count)}
            pageSize={LIMIT_ROWS}
            total={pages.total}
            busy={limits.isPlaceholderData}
            onPage={(page) => change({ page: page <= 1 ? undefined : page })}
          />
        ) : null}
      </PanelBody>
    </Panel>
  );
}

function limitNote({ generated_at: at, total }: UsageLimits, isCut: boolean): string {
  const all = `${total.toLocaleString('en-US')} ${total === 1 ? 'account' : 'accounts'}`;
  const cut = isCut ? '; the list pages no further than 10,050 of them' : '';
  return `${all}, as of ${at.slice(11, 19)} UTC, highest use first${cut}`;
}
