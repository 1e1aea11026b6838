import type { SlimAlert } from '@nwms/contract';
import { Maximize, ScanText } from 'lucide-react';
import { memo, useEffect, useRef, useState } from 'react';
import { useServices } from '../../../api/services.ts';
import { useNow } from '../../../lib/use-now.ts';
import { Button } from '../../../ui/button.tsx';
import { SeverityIcon } from '../../../ui/severity.tsx';
import { StateBadge } from '../../../ui/state-badge.tsx';
import type { BoardRow } from '../alert-book.ts';
import { stateWords } from '../alert-words.ts';
import { SHAPE_WORDS } from './map-popup.tsx';

export interface MapListProps {
  rows: readonly BoardRow[];
  selectedId: string | undefined;
  onSelect: (eventId: string) => void;
  onDetails: (eventId: string) => void;
  /** Undefined: there is no map to move. */
  onFit: ((eventId: string) => void) | undefined;
  dimmed: boolean;
}

/** Rows in the document at first, and how many more at a time. */
const STEP = 60;

/** Everything the map draws and what it cannot draw, the most dangerous first: the map for keyboards and screen readers. */
export function MapList({ rows, selectedId, onSelect, onDetails, onFit, dimmed }: MapListProps) {
  const [most, setMost] = useState(STEP);
  const chosen = rows.findIndex(({ alert }) => alert.event_id === selectedId);
  const end = Math.max(most, chosen + 1);
  return (
    <>
      <ul aria-label="Alerts on the map" className={`divide-y divide-line ${dimmed ? 'opacity-75 grayscale' : ''}`}>
        {rows.slice(0, end).map(({ alert }) => (
          <Row key={alert.event_id} alert={alert} selected={alert.event_id === selectedId} {...{ onSelect, onDetails, onFit }} />
        ))}
      </ul>
      {rows.length > end ? (
        <div className="border-t border-line p-3 text-center">
          <Button onClick={() => setMost(end + STEP)}>
            Show {Math.min(STEP, rows.length - end)} more of {(rows.length - end).toLocaleString('en-US')}
          </Button>
        </div>
      ) : null}
    </>
  );
}

type RowProps = Pick<MapListProps, 'onSelect' | 'onDetails' | 'onFit'> & { alert: SlimAlert; selected: boolean };

const Row = memo(function Row({ alert, selected, onSelect, onDetails, onFit }: RowProps) {
  const { labels } = useServices();
  const now = useNow(60);
  const { word, note } = stateWords(alert);
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (selected) item.current?.scrollIntoView({ block: 'nearest' });
  }, [selected]);
  const until =
    alert.in_force_until === null
      ? 'until further notice'
      : `until ${labels.moment(Date.parse(alert.in_force_until), alert.time_zones[0], now)}`;
  return (
    <li ref={item} className={`scroll-my-2 ${selected ? 'bg-accent-bg' : ''}`}>
      <button
        type="button"
        aria-pressed={selected}
        onClick={() => onSelect(alert.event_id)}
        className="flex w-full gap-2.5 px-3 py-2 text-left text-[13px] hover:bg-hover -outline-offset-2"
      >
        <span className="pt-0.5">
          <SeverityIcon severity={alert.severity} />
        </span>
        <span className="min-w-0 grow">
          <span className="flex items-start justify-between gap-2">
            <span className="min-w-0 truncate text-sm font-semibold">
              <span className="sr-only">{alert.severity} </span>
              {alert.event}
            </span>
            <StateBadge word={word} />
          </span>
          <span className="block truncate text-muted">{alert.location || alert.area_desc}</span>
          <span className="tnum block text-muted">
            {alert.is_active ? until : null}
            {alert.is_active && note ? `, ${note}` : null}
            {alert.geometry_source === 'none' ? (
              <span className="text-warn">
                {alert.is_active ? ' · ' : ''}
                {SHAPE_WORDS.none}
              </span>
            ) : null}
          </span>
        </span>
      </button>
      {selected ? (
        <div className="flex flex-wrap items-center gap-2 px-3 pb-3 pl-9">
          <Button kind="primary" onClick={() => onDetails(alert.event_id)}>
            <ScanText size={15} aria-hidden="true" /> View Full Details
          </Button>
          {onFit && alert.bbox ? (
            <Button onClick={() => onFit(alert.event_id)}>
              <Maximize size={15} aria-hidden="true" /> Fit to alert
            </Button>
          ) : null}
          <span className="text-[13px] text-muted">{SHAPE_WORDS[alert.geometry_source]}.</span>
        </div>
      ) : null}
    </li>
  );
});
