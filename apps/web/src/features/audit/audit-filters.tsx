import { Download, RefreshCw, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { CONTROL } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { type AuditSearch, hasFilter } from './audit-search.ts';
import { ACTION_OPTIONS } from './audit-words.ts';

const OUTCOMES = [
  { value: 'all', label: 'Any outcome' },
  { value: 'ok', label: 'Done' },
  { value: 'refused', label: 'Refused' },
];
/** Milliseconds after the last key before the log is asked. */
const ASK_DELAY_MS = 350;

export interface AuditFiltersProps {
  search: AuditSearch;
  change: (next: AuditSearch) => void;
  refreshing: boolean;
  refresh: () => void;
  /** Entries fetched by the export so far; null when none runs. */
  exported: number | null;
  onExport: () => void;
}

export function AuditFilters({ search, change, refreshing, refresh, exported, onExport }: AuditFiltersProps) {
  const actions = ACTION_OPTIONS.map(({ value, label }) => ({ value: value === '' ? 'all' : value, label }));
  const action = search.action ?? 'all';
  return (
    <search aria-label="Filter the log" className="grid grid-cols-2 items-end gap-2 sm:flex sm:flex-wrap">
      <Word label="Who" value={search.actor ?? ''} placeholder="User name" onSettle={(actor) => change({ actor })} />
      <Word
        label="What it was done to"
        value={search.target ?? ''}
        placeholder="Name, id or type"
        onSettle={(target) => change({ target })}
      />
      <Select
        label="Action"
        value={action}
        // An action of the address that has no words here is still shown as what it is.
        options={actions.some(({ value }) => value === action) ? actions : [...actions, { value: action, label: action }]}
        onChange={(value) => change({ action: value === 'all' ? undefined : value })}
      />
      <Select
        label="Outcome"
        value={search.outcome ?? 'all'}
        options={OUTCOMES}
        onChange={(value) => change({ outcome: value === 'ok' || value === 'refused' ? value : undefined })}
      />
      <Day label="From" value={search.from} onChange={(from) => change({ from })} />
      <Day label="To" value={search.to} onChange={(to) => change({ to })} />
      {hasFilter(search) ? (
        <Button
          kind="quiet"
          onClick={() =>
            change({ actor: undefined, action: undefined, target: undefined, outcome: undefined, from: undefined, to: undefined })
          }
        >
          <X size={15} aria-hidden="true" /> Clear
        </Button>
      ) : null}
      <div className="col-span-2 flex gap-2 max-sm:justify-end sm:ml-auto">
        <Button onClick={onExport} aria-label={exported === null ? 'Export the matching entries as CSV' : undefined}>
          <Download size={15} aria-hidden="true" />
          <span className="tnum">{exported === null ? 'CSV' : `Stop export (${exported.toLocaleString('en-US')})`}</span>
        </Button>
        <Button onClick={refresh} disabled={refreshing}>
          <RefreshCw size={15} aria-hidden="true" className={refreshing ? 'motion-safe:animate-spin' : ''} /> Refresh
        </Button>
      </div>
    </search>
  );
}

function Word(props: { label: string; value: string; placeholder: string; onSettle: (value: string | undefined) => void }) {
  const [text, setText] = useState(props.value);
  const [known, setKnown] = useState(props.value);
  if (known !== props.value) {
    setKnown(props.value);
    if (text.trim() !== props.value) setText(props.value);
  }
  useEffect(() => {
    if (text.trim() === props.value) return;
    const timer = setTimeout(() => props.onSettle(text.trim() === '' ? undefined : text.trim()), ASK_DELAY_MS);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react/exhaustive-deps -- only typing starts a search
  }, [text]);
  return (
    <label className="flex min-w-0 grow basis-44 flex-col gap-1 sm:max-w-56">
      <span className="text-xs font-medium text-muted">{props.label}</span>
      <input
        type="search"
        maxLength={128}
        value={text}
        placeholder={props.placeholder}
        onChange={(event) => setText(event.target.value)}
        className={CONTROL}
      />
    </label>
  );
}

function Day({ label, value, onChange }: { label: string; value: string | undefined; onChange: (value: string | undefined) => void }) {
  return (
    <label className="flex flex-col gap-1">
      <span className="text-xs font-medium text-muted">{label} (UTC day)</span>
      <input
        type="date"
        value={value ?? ''}
        max="9999-12-31"
        onChange={(event) => onChange(event.target.value === '' ? undefined : event.target.value)}
        className={`${CONTROL} tnum min-w-36`}
      />
    </label>
  );
}
