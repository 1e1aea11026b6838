import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useServices } from '../../api/services.ts';
import { KeysTab } from '../../features/keys/keys-tab.tsx';
import { ownUsageOf } from '../../features/keys/queries.ts';
import type { ReferenceTabProps } from '../../features/reference/reference-tab.tsx';
import { readReferenceSearch, type ReferenceSearch } from '../../features/reference/reference-search.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { Page } from '../../ui/page.tsx';
import { FailedPart } from '../../ui/part-failed.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';

const ReferenceTab = lazyPart({
  load: async () => (await import('../../features/reference/reference-tab.tsx')).ReferenceTab,
  Waiting: () => <Skeleton label="Loading the reference" rows={8} />,
  Failed: FailedPart,
});

type Tab = 'keys' | 'reference';

/** The member's keys and the reference of what they are for (KEY-01 to KEY-14, DOCS-01 to DOCS-09). */
export default function ApiKeysPage() {
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as Record<string, unknown>;
  const tab: Tab = search['tab'] === 'reference' ? 'reference' : 'keys';
  const change = (next: Record<string, unknown>, replace = true) =>
    void navigate({ to: '.', search: (old: object) => ({ ...old, ...next }), replace, resetScroll: false });
  return (
    <Page>
      <Tabs<Tab>
        label="API keys and reference"
        value={tab}
        onChange={(id) => change({ tab: id === 'keys' ? undefined : id, section: undefined, op: undefined, key: undefined }, false)}
        tabs={[
          {
            id: 'keys',
            label: 'API keys',
            content: (
              <KeysTab
                shown={typeof search['key'] === 'string' ? search['key'] : undefined}
                show={(key) => change({ key }, key === undefined)}
              />
            ),
          },
          {
            id: 'reference',
            label: 'Reference',
            content: (
              <Reference
                search={readReferenceSearch(search)}
                change={(next: Partial<ReferenceSearch>, replace?: boolean) => change(next, replace)}
              />
            ),
          },
        ]}
      />
      <ServiceLinks />
    </Page>
  );
}

/** The reference with the limits that hold here and now. */
function Reference(props: Omit<ReferenceTabProps, 'limits'>) {
  const { data } = useQuery(ownUsageOf(useServices()));
  return <ReferenceTab {...props} limits={data ? { anonymousPerMinute: data.anonymous_per_minute, newKey: data.new_key } : null} />;
}

/** KEY-14. What is not there is said, not linked as if it were. */
function ServiceLinks() {
  return (
    <nav
      aria-label="State of the service"
      className="flex flex-wrap items-center gap-x-5 gap-y-1 border-t border-line pt-3 text-sm text-muted"
    >
      <a className="target inline-flex items-center font-medium text-accent hover:underline" href="/api/v1/health">
        Service health
      </a>
      <span className="inline-flex flex-wrap items-center gap-x-2">
        <a className="target inline-flex items-center font-medium text-accent hover:underline" href="/api/v1/ai/health">
          AI service health
        </a>
        No AI service is configured in this version; the address says so.
      </span>
    </nav>
  );
}
