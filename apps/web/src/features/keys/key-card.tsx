import type { ApiKey } from '@nwms/contract';
import { ChartColumn, Pencil, Power, RefreshCw, Trash2 } from 'lucide-react';
import { useServices } from '../../api/services.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { dayOf, expiryLabel, lastUsedFrom, lastUsedLabel, requestBand, shownPrefix, STATUS } from './key-words.ts';
import { Meter } from './meter.tsx';

export interface KeyDeeds {
  usage: (key: ApiKey) => void;
  edit: (key: ApiKey) => void;
  refresh: (key: ApiKey) => void;
  toggle: (key: ApiKey) => void;
  remove: (key: ApiKey) => void;
}

/** KEY-02: one key, what it may, what it did, and what can be done with it. */
export function KeyCard({ apiKey, now, deeds, busy }: { apiKey: ApiKey; now: number; deeds: KeyDeeds; busy: boolean }) {
  const { labels } = useServices();
  const zone = labels.viewerZone;
  const status = STATUS[apiKey.status];
  const band = requestBand(apiKey.total_requests);
  const from = lastUsedFrom(apiKey);
  const title = (at: string | null) => (at === null ? undefined : labels.full(Date.parse(at), zone));
  const { current_usage: used, effective_limits: limits } = apiKey;
  return (
    <li className="card flex min-w-0 flex-col gap-4 p-4">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h3 className="text-base font-semibold break-words">{apiKey.description}</h3>
          <p className="flex flex-wrap items-center gap-x-1 text-muted">
            <code className="font-mono text-[13px]">{shownPrefix(apiKey.key_prefix)}</code>
            <CopyButton text={apiKey.key_prefix} label={`Copy the first characters of ${apiKey.description}`} />
          </p>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <Badge tone={status.tone}>{status.word}</Badge>
          <Badge tone={apiKey.status === 'expired' ? 'bad' : 'plain'}>{expiryLabel(apiKey, now, zone)}</Badge>
        </div>
      </div>
      {apiKey.previous ? (
        <p className="rounded-lg bg-warn-bg px-3 py-2 text-sm font-medium text-warn">
          The key before it, <code className="font-mono">{shownPrefix(apiKey.previous.key_prefix)}</code>, works until{' '}
          <time dateTime={apiKey.previous.valid_until}>{labels.moment(Date.parse(apiKey.previous.valid_until), zone, now)}</time>.
        </p>
      ) : null}
      <dl className="grid grid-cols-1 gap-x-6 gap-y-3 text-sm sm:grid-cols-3">
        <Fact label="Created">
          <time dateTime={apiKey.created_at} title={title(apiKey.created_at)}>
            {dayOf(apiKey.created_at, zone)}
          </time>
        </Fact>
        <Fact label="Last used">
          <span title={title(apiKey.last_used_at)}>{lastUsedLabel(apiKey.last_used_at, now, zone)}</span>
          {from ? <span className="block text-[13px] break-words text-muted">{from}</span> : null}
        </Fact>
        <Fact label="Total requests">
          <Badge tone={band.tone}>
            <span className="tnum">{apiKey.total_requests.toLocaleString('en-US')}</span>
            <span className="sr-only">, {band.words}</span>
          </Badge>
        </Fact>
      </dl>
      <div className="grid grid-cols-1 gap-x-6 gap-y-3 sm:grid-cols-3">
        <Meter label="This minute" used={used.this_minute} limit={limits.per_minute} />
        <Meter label="Today (UTC)" used={used.today} limit={limits.per_day} />
        <Meter label="This month (UTC)" used={used.this_month} limit={limits.per_month} />
      </div>
      <div className="flex flex-wrap gap-2 border-t border-line pt-3">
        <Deed icon={<ChartColumn size={15} aria-hidden="true" />} word="Usage" of={apiKey} run={deeds.usage} />
        <Deed icon={<Pencil size={15} aria-hidden="true" />} word="Edit" of={apiKey} run={deeds.edit} />
        <Deed icon={<RefreshCw size={15} aria-hidden="true" />} word="Refresh" of={apiKey} run={deeds.refresh} />
        <Deed
          icon={<Power size={15} aria-hidden="true" />}
          word={apiKey.is_active ? 'Deactivate' : 'Activate'}
          of={apiKey}
          run={deeds.toggle}
          disabled={busy}
        />
        <Deed icon={<Trash2 size={15} aria-hidden="true" />} word="Delete" of={apiKey} run={deeds.remove} />
      </div>
    </li>
  );
}

function Fact({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-[13px] text-muted">{label}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}

function Deed(props: { icon: React.ReactNode; word: string; of: ApiKey; run: (key: ApiKey) => void; disabled?: boolean }) {
  return (
    <Button onClick={() => props.run(props.of)} disabled={props.disabled} aria-label={`${props.word} ${props.of.description}`}>
      {props.icon} {props.word}
    </Button>
  );
}
