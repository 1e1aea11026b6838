import type { Language } from '@nwms/contract/code-examples';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Lock, SearchX } from 'lucide-react';
import { useEffect, useState } from 'react';
import { ApiError, sentenceOf } from '../../api/errors.ts';
import { useServices } from '../../api/services.ts';
import { useUser } from '../../api/session.ts';
import { isAdmin } from '../../lib/access.ts';
import { Badge } from '../../ui/badge.tsx';
import { CONTROL } from '../../ui/field.tsx';
import { EmptyState, ErrorCard, Skeleton } from '../../ui/states.tsx';
import { Endpoint, type EndpointProps, Method } from './endpoint.tsx';
import { Errors, Practices, Troubleshooting, Validation } from './guides-help.tsx';
import { Access, type GuideLimits, type GuideProps, QuickStart, Responses } from './guides-start.tsx';
import { referenceOf } from './queries.ts';
import type { ReferenceSearch } from './reference-search.ts';
import { arrange, findOperations, type Section, sectionOf } from './sections.ts';
import type { Credentials } from './try-it.tsx';

export interface ReferenceTabProps {
  limits: GuideLimits | null;
  search: ReferenceSearch;
  change: (next: Partial<ReferenceSearch>, replace?: boolean) => void;
}

const BEFORE = [
  { id: 'quick-start', title: 'Quick start' },
  { id: 'access', title: 'Access and limits' },
  { id: 'responses', title: 'Response examples' },
] as const;
const AFTER = [
  { id: 'validation', title: 'Parameter validation' },
  { id: 'errors', title: 'Errors' },
  { id: 'practices', title: 'Best practices' },
  { id: 'troubleshooting', title: 'Troubleshooting' },
] as const;

/** DOCS-01 to DOCS-09: the reference of this server, from its own API document. */
export function ReferenceTab({ limits, search, change }: ReferenceTabProps) {
  const services = useServices();
  const user = useUser();
  const document = useQuery(referenceOf(services));
  const [credentials, setCredentials] = useState<Credentials>({ means: 'session', key: '' });
  const reference = document.data;
  const admin = isAdmin(user);
  const sections = reference ? arrange(reference, { isAdmin: admin, isSpecial: admin || (user?.special_access ?? false) }) : [];
  const found = search.q === undefined ? null : findOperations(sections, search.q);
  const shown = search.section ?? (search.op ? sectionOf(sections, search.op) : undefined) ?? 'quick-start';
  const section = sections.find(({ id }) => id === shown);
  const lang: Language = search.lang ?? 'curl';
  const opened = search.op;
  useEffect(() => {
    if (opened && reference) window.document.getElementById(`op-${opened}`)?.scrollIntoView({ block: 'start' });
    // Only the place the address led to is scrolled to, not what is opened by hand.
    // oxlint-disable-next-line react/exhaustive-deps -- see above
  }, [reference]);

  if (document.error) {
    const { error } = document;
    return (
      <ErrorCard
        message={sentenceOf(error)}
        requestId={error instanceof ApiError ? error.requestId : null}
        onRetry={() => void document.refetch()}
        busy={document.isFetching}
      />
    );
  }
  if (!reference) return <Skeleton label="Loading the reference" rows={8} />;

  const guide: GuideProps = { reference, origin: services.origin, lang, onLang: (next) => change({ lang: next }), limits };
  const endpoint: Omit<EndpointProps, 'operation' | 'open' | 'onToggle'> = {
    reference,
    lang,
    onLang: guide.onLang,
    credentials,
    onCredentials: setCredentials,
  };
  const toggle = (op: string) => change({ op: op === opened ? undefined : op, ...(found ? {} : { section: shown }) });
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[15rem_minmax(0,1fr)]">
      <div className="flex min-w-0 flex-col gap-3 lg:sticky lg:top-[calc(var(--bar-height)+1rem)] lg:max-h-[calc(100dvh-var(--bar-height)-2rem-var(--ticker-height))] lg:overflow-y-auto">
        <label className="flex flex-col gap-1">
          <span className="text-xs font-medium text-muted">Search the reference</span>
          <input
            type="search"
            className={CONTROL}
            placeholder="Path, word or parameter"
            maxLength={80}
            value={search.q ?? ''}
            onChange={(event) => change({ q: event.target.value === '' ? undefined : event.target.value, op: undefined })}
          />
        </label>
        <SectionNav sections={sections} shown={found ? null : shown} />
      </div>
      <div className="flex min-w-0 flex-col gap-4">
        {found ? (
          <section aria-label="Found endpoints" className="card min-w-0 overflow-hidden">
            <h2 className="px-4 pt-4 pb-2 text-base font-semibold">
              <output>
                {found.length === 1 ? '1 endpoint' : `${found.length} endpoints`} for “{search.q}”
              </output>
            </h2>
            {found.length === 0 ? (
              <EmptyState icon={<SearchX size={26} aria-hidden="true" />} title="No endpoint matches">
                Every endpoint that you may see was searched: paths, summaries and parameters.
              </EmptyState>
            ) : null}
            <ul>
              {found.map((operation) => (
                <Endpoint
                  key={operation.operation}
                  {...endpoint}
                  operation={operation}
                  open={operation.operation === opened}
                  onToggle={() => toggle(operation.operation)}
                />
              ))}
            </ul>
          </section>
        ) : section ? (
          <SectionView section={section} opened={opened} toggle={toggle} endpoint={endpoint} />
        ) : (
          <GuideView id={shown} guide={guide} />
        )}
      </div>
    </div>
  );
}

function SectionNav({ sections, shown }: { sections: readonly Section[]; shown: string | null }) {
  const groups = [
    { title: 'Start', links: BEFORE.map((one) => ({ ...one, locked: false })) },
    { title: 'Endpoints', links: sections },
    { title: 'Help', links: AFTER.map((one) => ({ ...one, locked: false })) },
  ];
  return (
    <nav
      aria-label="Sections of the reference"
      className="flex flex-col gap-3 max-lg:max-h-56 max-lg:overflow-y-auto max-lg:rounded-lg max-lg:border max-lg:border-line max-lg:p-2"
    >
      {groups.map(({ title, links }) => (
        <div key={title}>
          <p className="px-2 pb-1 text-xs font-semibold text-muted">{title}</p>
          <ul>
            {links.map((link) => (
              <li key={link.id}>
                <Link
                  to="/api-keys"
                  search={{ tab: 'reference', section: link.id }}
                  resetScroll={false}
                  aria-current={link.id === shown ? 'page' : undefined}
                  className="target flex items-center justify-between gap-2 rounded-lg px-2 text-sm hover:bg-hover aria-[current=page]:bg-accent-bg aria-[current=page]:font-semibold aria-[current=page]:text-accent"
                >
                  <span className="min-w-0">{link.title}</span>
                  {link.locked ? (
                    <span className="shrink-0 text-muted">
                      <Lock size={14} aria-hidden="true" />
                      <span className="sr-only">needs special access</span>
                    </span>
                  ) : null}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <p className="px-2 text-[13px] text-muted">
        Also as{' '}
        <a className="text-accent hover:underline" href="/api/v1/openapi.json">
          OpenAPI document
        </a>{' '}
        and on a{' '}
        <a className="text-accent hover:underline" href="/docs">
          page of its own
        </a>
        .
      </p>
    </nav>
  );
}

interface SectionViewProps {
  section: Section;
  opened: string | undefined;
  toggle: (op: string) => void;
  endpoint: Omit<EndpointProps, 'operation' | 'open' | 'onToggle'>;
}

function SectionView({ section, opened, toggle, endpoint }: SectionViewProps) {
  return (
    <section aria-label={section.title} className="card min-w-0 overflow-hidden">
      <div className="px-4 pt-4 pb-3">
        <h2 className="text-base font-semibold">
          {section.title}{' '}
          <span className="font-normal text-muted">({section.size === 1 ? '1 endpoint' : `${section.size} endpoints`})</span>
        </h2>
        <p className="max-w-prose text-muted">{section.note}</p>
        {section.id === 'alerts' ? (
          <p className="max-w-prose pt-1 text-[13px] text-muted">
            State, country, zip and urgency parameters are not supported: see “Parameter validation” for what to use instead.
          </p>
        ) : null}
      </div>
      {section.locked ? (
        <EmptyState icon={<Lock size={26} aria-hidden="true" />} title="Contact admin for access">
          These endpoints are for administrators and for accounts with special access.
        </EmptyState>
      ) : null}
      <ul>
        {section.entries.map((entry) =>
          entry.kind === 'operation' ? (
            <Endpoint
              key={entry.operation.operation}
              {...endpoint}
              operation={entry.operation}
              open={entry.operation.operation === opened}
              onToggle={() => toggle(entry.operation.operation)}
            />
          ) : (
            <li
              key={`${entry.planned.method} ${entry.planned.path}`}
              className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line px-3 py-2.5 pl-10 text-muted first:border-t-0"
            >
              <Method word={entry.planned.method} />
              <code className="min-w-0 font-mono text-[13px] break-all">{entry.planned.path}</code>
              <Badge tone="sample">Planned: not in this version</Badge>
            </li>
          ),
        )}
      </ul>
    </section>
  );
}

function GuideView({ id, guide }: { id: string; guide: GuideProps }) {
  if (id === 'access') return <Access limits={guide.limits} />;
  if (id === 'responses') return <Responses reference={guide.reference} />;
  if (id === 'validation') return <Validation />;
  if (id === 'errors') return <Errors reference={guide.reference} />;
  if (id === 'practices') return <Practices />;
  if (id === 'troubleshooting') return <Troubleshooting />;
  return <QuickStart {...guide} />;
}
