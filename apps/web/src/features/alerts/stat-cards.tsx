import { SEVERITIES } from '@nwms/domain/alert/vocabulary';
import type { AlertStats } from '@nwms/contract';
import { memo } from 'react';
import { Doughnut } from '../../ui/doughnut.tsx';
import { SEVERITY_TOKEN, SeverityIcon } from '../../ui/severity.tsx';
import type { AlertCounts } from './count-alerts.ts';

/** Figures of what is active now; `known` false (nothing loaded yet) shows dashes, never zeros. */
export const StatCards = memo(function StatCards(props: {
  counts: AlertCounts;
  stats: AlertStats | undefined;
  known: boolean;
  loading: boolean;
  dimmed: boolean;
}) {
  const { counts, stats, known, loading, dimmed } = props;
  const over = stats?.over;
  const number = (value: number | undefined) => (known && value !== undefined ? value.toLocaleString('en-US') : '—');
  return (
    <section
      aria-label="Figures"
      className={`grid grid-cols-2 gap-3 sm:grid-cols-4 pane:grid-cols-[repeat(4,minmax(0,1fr))_minmax(0,1.95fr)_minmax(0,2.15fr)] ${dimmed ? 'opacity-90 grayscale' : ''}`}
    >
      <Card
        label="Total"
        value={number(over === undefined ? undefined : counts.active + over)}
        note={over === undefined ? 'not known' : `in 24 h, ${over.toLocaleString('en-US')} over`}
        {...{ loading }}
      />
      <Card label="Active" value={number(counts.active)} note={`${number(counts.upcoming)} upcoming`} {...{ loading }} />
      <Card
        label="Severe"
        value={number(counts.severeOrExtreme)}
        note={`incl. ${number(counts.bySeverity.Extreme)} Extreme`}
        strong={known && counts.severeOrExtreme > 0}
        {...{ loading }}
      />
      <Card
        label="Event Types"
        value={number(counts.byEvent.length)}
        note={`${number(counts.families)} ${counts.families === 1 ? 'family' : 'families'}`}
        {...{ loading }}
      />
      <div className="card col-span-2 flex items-center gap-4 px-4 py-3 max-sm:py-2 pane:col-span-1">
        <Doughnut
          parts={SEVERITIES.map((name) => ({ value: counts.bySeverity[name], token: SEVERITY_TOKEN[name] }))}
          total={number(counts.active)}
        />
        <dl className="tnum min-w-0 flex-1 text-[13px]" aria-label="Active alerts by severity">
          {SEVERITIES.map((name) => (
            <div key={name} className="flex items-center gap-2 leading-[1.25rem]">
              <SeverityIcon severity={name} />
              <dt className="flex-1 text-muted">{name}</dt>
              <dd className="font-semibold">{number(counts.bySeverity[name])}</dd>
            </div>
          ))}
        </dl>
      </div>
      <TopEvents {...{ counts, known, loading }} />
    </section>
  );
});

function Card(props: { label: string; value: string; note: string; strong?: boolean; loading: boolean }) {
  return (
    <div className="card flex flex-col justify-between px-4 py-3 sm:min-h-28">
      <h2 className="text-[13px] font-medium text-muted">{props.label}</h2>
      {props.loading ? (
        <div className="flex h-[55px] items-center">
          <div className="skeleton h-10 w-20" />
        </div>
      ) : (
        <div>
          <p className={`tnum text-xl leading-9 font-bold tracking-tight ${props.strong ? 'text-severe' : ''}`}>{props.value}</p>
          <p className="tnum text-[13px] text-muted">{props.note}</p>
        </div>
      )}
    </div>
  );
}

const MOST_EVENTS = 6;

/** The six most frequent events. Bars are grey: severity alone has colour. */
function TopEvents({ counts, known, loading }: { counts: AlertCounts; known: boolean; loading: boolean }) {
  const top = counts.byEvent.slice(0, MOST_EVENTS);
  const most = top[0]?.count ?? 1;
  return (
    <div className="card col-span-2 min-h-[calc(7.2rem+26px)] px-4 py-3 max-sm:hidden pane:col-span-1">
      <h2 className="sr-only">Most frequent events</h2>
      {loading ? (
        // As high as what comes, so that nothing below moves.
        <div aria-hidden="true" className="flex flex-col">
          {Array.from({ length: MOST_EVENTS }, (_, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- lines that are all alike and never move
            <div key={index} className="flex h-[1.2rem] items-center">
              <div className="skeleton h-3 w-full" />
            </div>
          ))}
        </div>
      ) : top.length === 0 ? (
        <p className="text-[13px] text-muted">{known ? 'No active events' : 'Most frequent events'}</p>
      ) : (
        <dl className="tnum text-[13px]">
          {top.map(({ event, count }) => (
            <div key={event} className="grid grid-cols-[minmax(0,1fr)_minmax(2rem,3rem)_2rem] items-center gap-2 leading-[1.2rem]">
              <dt className="truncate text-muted">{event}</dt>
              <dd aria-hidden="true" className="h-2 rounded-full bg-bar" style={{ width: `${Math.max(6, (count / most) * 100)}%` }} />
              <dd className="text-right font-semibold">{count}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}
