import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { KeysTab } from '../../features/keys/keys-tab.tsx';
import { readReferenceSearch, type ReferenceSearch } from '../../features/reference/reference-search.ts';
import { Page } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';

const ReferenceTab = lazy(async () => ({ default: (await import('../../features/reference/reference-tab.tsx')).ReferenceTab }));

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
              <Suspense fallback={<Skeleton label="Loading the reference" rows={8} />}>
                <ReferenceTab
                  search={readReferenceSearch(search)}
                  change={(next: Partial<ReferenceSearch>, replace?: boolean) => change(next, replace)}
                />
              </Suspense>
            ),
          },
        ]}
      />
      <ServiceLinks />
    </Page>
  );
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
        The AI service is not in this version yet: until it is, this address answers 404.
      </span>
    </nav>
  );
}
