import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useServices } from '../../api/services.ts';
import { useHeard } from '../../api/use-heard.ts';
import { durationLabel } from '../../lib/time-labels.ts';
import { useNow } from '../../lib/use-now.ts';
import { type Figure, type LiveFigures, liveFigures } from './live-figures.ts';
import { milliseconds } from './milliseconds.ts';
import { healthQuery } from './queries.ts';
import { Section } from './section.tsx';
import { SeverityBars } from './severity-bars.tsx';

/** Nothing measured yet, nothing claimed. */
const WAITING: LiveFigures = {
  ...liveFigures(null),
  demo: false,
  requests: { value: null, note: 'today, UTC' },
  response: { value: null, note: 'average, last 5 min' },
  users: { value: null, note: 'people and programs, last 5 min' },
  uptime: { value: null, note: 'of stored probes' },
};

/** System metrics, uptime and performance as the server measured them (LAND-01, LAND-05, LAND-07). */
export function LiveBoard() {
  const services = useServices();
  const health = useHeard(useQuery(healthQuery(services)));
  const figures = health.data || health.isError ? liveFigures(health.data ?? null) : WAITING;
  return (
    <Section
      title="Running right now"
      lead="Measured by this server, not by a brochure. Asked again every 30 seconds."
      aside={<ReadNote atMs={health.data ? health.dataUpdatedAt : null} failed={health.isError} />}
    >
      <div className="grid gap-4 md:grid-cols-2 lg:grid-cols-3" data-demo={figures.demo || undefined}>
        <Panel title="System metrics" demo={figures.demo}>
          <Big label="Requests" figure={figures.requests} />
          <Big label="Users online" figure={figures.users} />
          <Small
            rows={[
              ['Requests per minute', figures.perMinute],
              ['Live connections', figures.connections],
            ]}
          />
        </Panel>
        <Panel title="Performance" demo={figures.demo}>
          <Big label="Response time" figure={figures.response} />
          <Small
            rows={[
              ['Health check', figures.checkMs, 'ms'],
              ['Database', figures.databaseMs, 'ms'],
            ]}
          />
        </Panel>
        <Panel title="Uptime" demo={figures.demo}>
          <Big label="Answered probes" figure={figures.uptime} />
          <p className="pt-1 text-[13px] text-muted">A probe every 30 seconds is stored. Downtime found at a start counts as downtime.</p>
        </Panel>
        <div className="md:col-span-2 lg:col-span-3">
          <SeverityBars figures={figures} waiting={!health.data && !health.isError} />
        </div>
      </div>
    </Section>
  );
}

function ReadNote({ atMs, failed }: { atMs: number | null; failed: boolean }) {
  const now = useNow(1);
  if (atMs === null)
    return failed ? <p className="text-[13px] font-medium text-bad">The health of this server cannot be read right now.</p> : null;
  const age = `${durationLabel(Math.max(0, now - atMs) / 1000)} ago`;
  return (
    <p className={`tnum text-[13px] ${failed ? 'font-medium text-warn' : 'text-muted'}`}>
      {failed ? `Cannot be read right now. Last read ${age}` : `Read ${age}`}
    </p>
  );
}

function Panel({ title, demo, children }: { title: string; demo: boolean; children: ReactNode }) {
  return (
    <section aria-label={title} className="card flex flex-col gap-4 p-5">
      <h3 className="flex items-center justify-between gap-2 font-semibold">
        {title}
        {demo ? (
          <span className="rounded-md border border-line-strong px-2 text-xs leading-6 font-semibold text-muted">Demo data</span>
        ) : null}
      </h3>
      {children}
    </section>
  );
}

function Big({ label, figure }: { label: string; figure: Figure }) {
  return (
    <div>
      <p className="text-[13px] text-muted">{label}</p>
      <p className={`tnum text-xl leading-tight font-bold ${figure.good ? 'text-ok' : ''}`}>{figure.value ?? '—'}</p>
      <p className="text-[13px] text-muted">{figure.note}</p>
    </div>
  );
}

function Small({ rows }: { rows: readonly (readonly [label: string, value: number | null, unit?: string])[] }) {
  return (
    <dl className="mt-auto flex flex-col gap-1 border-t border-line pt-3 text-[13px]">
      {rows.map(([label, value, unit]) => (
        <div key={label} className="flex justify-between gap-3">
          <dt className="text-muted">{label}</dt>
          <dd className="tnum font-medium">{value === null ? '—' : `${milliseconds(value)}${unit ? ` ${unit}` : ''}`}</dd>
        </div>
      ))}
    </dl>
  );
}
