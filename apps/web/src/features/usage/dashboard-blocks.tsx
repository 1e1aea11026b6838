import { SEVERITIES } from '@nwms/domain/alert/vocabulary';
import type { AlertStats, Health, UsageRealtime } from '@nwms/contract';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useServices } from '../../api/services.ts';
import { useFreshness } from '../../api/use-freshness.ts';
import { Badge } from '../../ui/badge.tsx';
import { SeverityIcon } from '../../ui/severity.tsx';
import { milliseconds, responseTone, TONE_TEXT } from './usage-words.ts';

/** Names and their values, one below the other. */
export function Facts({ rows }: { rows: readonly { name: string; value: ReactNode }[] }) {
  return (
    <dl className="tnum flex flex-col text-sm">
      {rows.map(({ name, value }) => (
        <div key={name} className="flex items-baseline justify-between gap-3 border-t border-line py-2 first:border-t-0">
          <dt className="min-w-0 break-words text-muted">{name}</dt>
          <dd className="text-right font-semibold">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const number = (value: number | null): string => (value === null ? '—' : value.toLocaleString('en-US'));

/** ANLY-05 */
export function LiveFigures({ realtime }: { realtime: UsageRealtime }) {
  return (
    <>
      <Facts
        rows={[
          { name: 'Active IPs (last 5 minutes)', value: number(realtime.active_ips_last_5min) },
          { name: 'Requests per minute', value: number(realtime.current_requests) },
          { name: 'Being answered now', value: number(realtime.in_flight) },
        ]}
      />
      <Link to="/realtime" className="target inline-flex items-center text-sm font-medium text-accent hover:underline">
        Watch it
      </Link>
    </>
  );
}

/** ANLY-06: Healthy only while the last answer says so; an old answer is neither. */
export function SystemHealth({ health, old }: { health: Health; old: boolean }) {
  const healthy = health.status === 'healthy';
  const ms = health.response_time_ms;
  return (
    <Facts
      rows={[
        {
          name: 'Status',
          value: old ? <Badge tone="warn">Not known</Badge> : healthy ? <Badge tone="ok">Healthy</Badge> : <Badge tone="bad">Issues</Badge>,
        },
        { name: 'Active alerts', value: number(health.checks.data_freshness.active_alerts) },
        { name: 'Response time', value: <span className={TONE_TEXT[responseTone(ms)]}>{milliseconds(ms)}</span> },
        { name: 'Alert data', value: health.checks.data_freshness.status },
      ]}
    />
  );
}

/** the hues this screen has; Severe red, Moderate yellow. The icon tells severities apart everywhere. */
const HUE: Partial<Record<(typeof SEVERITIES)[number], string>> = {
  Extreme: 'var(--bad)',
  Severe: 'var(--bad)',
  Moderate: 'var(--moderate)',
};

/** How old the figures of alerts are, and whether they still hold. `old`: they could not be renewed. */
export function AlertsAge({ asOf, old }: { asOf: string | null; old: boolean }) {
  const { labels } = useServices();
  const { level, heard } = useFreshness();
  const at = asOf === null ? 'an unknown time' : labels.utcClock(Date.parse(asOf));
  if (heard && level === 'unknown') return <p className="tnum text-[13px] font-medium text-bad">We cannot tell right now: as of {at}</p>;
  if (old || (heard && level === 'stale')) return <p className="tnum text-[13px] font-medium text-warn">Not up to date: as of {at}</p>;
  return <p className="tnum text-[13px] text-muted">as of {at}</p>;
}

/** ANLY-07 */
export function AlertFigures({ stats }: { stats: AlertStats }) {
  return (
    <Facts
      rows={[
        { name: 'Total', value: number(stats.total) },
        ...SEVERITIES.map((severity) => ({
          name: severity,
          value: (
            <span className="inline-flex items-center gap-1.5" style={HUE[severity] ? { color: HUE[severity] } : {}}>
              <SeverityIcon severity={severity} /> {number(stats.by_severity[severity])}
            </span>
          ),
        })),
      ]}
    />
  );
}
