import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ScrollText, SearchX } from 'lucide-react';
import { useState } from 'react';
import { ApiError, sentenceOf } from '../../api/errors.ts';
import { useServices } from '../../api/services.ts';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState, ErrorCard, ForbiddenState, Skeleton, StaleNote } from '../../ui/states.tsx';
import { AuditEntryRow } from './audit-entry-row.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { type AuditSearch, hasFilter, readAuditSearch } from './audit-search.ts';
import { auditOf } from './queries.ts';
import { useAuditExport } from './use-audit-export.ts';

/** Who did what, newest first. */
export default function AuditPage() {
  const services = useServices();
  const navigate = useNavigate();
  const search = readAuditSearch(useSearch({ strict: false }));
  const change = (next: AuditSearch) =>
    void navigate({ to: '.', search: (old: object) => ({ ...old, ...next }), replace: true, resetScroll: false });
  const log = useInfiniteQuery(auditOf(services, search));
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const exports = useAuditExport(search);
  const entries = log.data?.pages.flatMap((page) => page.entries) ?? [];
  const toggle = (id: string) =>
    setOpened((old) => {
      const next = new Set(old);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  const refused = log.error instanceof ApiError && log.error.status === 403;
  const failed = log.error !== null && !refused;
  return (
    <Page>
      <AuditFilters
        {...{ search, change }}
        refreshing={log.isFetching}
        refresh={() => void log.refetch()}
        exported={exports.rows}
        onExport={exports.toggle}
      />
      {failed && log.data ? (
        <StaleNote onRetry={() => void log.refetch()} busy={log.isFetching}>
          The log could not be asked: {sentenceOf(log.error)} Shown is what was known at{' '}
          {new Date(log.dataUpdatedAt).toISOString().slice(11, 19)} UTC.
        </StaleNote>
      ) : null}
      {failed && !log.data ? (
        <ErrorCard
          message={sentenceOf(log.error)}
          requestId={log.error instanceof ApiError ? log.error.requestId : null}
          onRetry={() => void log.refetch()}
          busy={log.isFetching}
        />
      ) : (
        <section aria-label="Audit log" className="card min-w-0 overflow-hidden">
          {refused ? <ForbiddenState /> : null}
          {log.isPending ? <Skeleton label="Loading the log" rows={8} className="p-4" /> : null}
          {log.data && entries.length > 0 ? (
            <ol>
              {entries.map((entry) => (
                <AuditEntryRow key={entry.id} entry={entry} open={opened.has(entry.id)} toggle={() => toggle(entry.id)} />
              ))}
            </ol>
          ) : null}
          {log.data && entries.length === 0 ? <Nothing filtered={hasFilter(search)} /> : null}
          {log.data && entries.length > 0 ? (
            <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-4 py-2.5">
              <output className="tnum text-[13px] text-muted">
                {entries.length.toLocaleString('en-US')} {entries.length === 1 ? 'entry' : 'entries'} shown
                {log.hasNextPage ? ', there are older ones' : ', no older ones'}. Entries are kept for 400 days.
              </output>
              {log.hasNextPage ? (
                <Button onClick={() => void log.fetchNextPage()} disabled={log.isFetchingNextPage}>
                  {log.isFetchingNextPage ? 'Loading...' : 'Show older entries'}
                </Button>
              ) : null}
            </div>
          ) : null}
        </section>
      )}
    </Page>
  );
}

function Nothing({ filtered }: { filtered: boolean }) {
  return filtered ? (
    <EmptyState icon={<SearchX size={26} aria-hidden="true" />} title="No entry matches these filters">
      The whole log was searched.
    </EmptyState>
  ) : (
    <EmptyState icon={<ScrollText size={26} aria-hidden="true" />} title="Nothing has been written down yet">
      Sign-ins, changes of users and of settings appear here.
    </EmptyState>
  );
}
