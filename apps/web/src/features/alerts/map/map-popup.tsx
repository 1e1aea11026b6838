import type { SlimAlert } from '@nwms/contract';
import { ChevronLeft, ChevronRight, Maximize, ScanText, X } from 'lucide-react';
import { useEffect } from 'react';
import { useServices } from '../../../api/services.ts';
import { useNow } from '../../../lib/use-now.ts';
import { Button } from '../../../ui/button.tsx';
import { SeverityBadge } from '../../../ui/severity.tsx';
import { StateBadge } from '../../../ui/state-badge.tsx';
import { isSimulated, Tag } from '../alert-columns.tsx';
import { stateWords, timingSentence } from '../alert-words.ts';

export const SHAPE_WORDS: Record<SlimAlert['geometry_source'], string> = {
  polygon: 'Drawn as issued',
  zones: 'Drawn by its zones',
  counties: 'Drawn by its counties',
  none: 'Not drawn: no known shape',
};

export interface MapPopupProps {
  alert: SlimAlert;
  /** Pixels of the map's box. */
  at: { x: number; y: number };
  /** Alerts at the pressed spot, topmost first; empty or one: nothing to step through. */
  stack: readonly string[];
  onOther: (eventId: string) => void;
  onClose: () => void;
  onDetails: (eventId: string) => void;
  onFit: (() => void) | undefined;
}

/** MAP-03: what a marker or an area says when it is pressed. */
export function MapPopup({ alert, at, stack, onOther, onClose, onDetails, onFit }: MapPopupProps) {
  const { labels } = useServices();
  const words = timingSentence(alert, labels, useNow(15));
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && !event.defaultPrevented && onClose();
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [onClose]);
  const place = stack.indexOf(alert.event_id);
  const step = (by: number) => {
    const next = stack[(place + by + stack.length) % stack.length];
    if (next !== undefined) onOther(next);
  };
  return (
    <dialog
      open
      aria-label={`${alert.event}, ${alert.location || alert.area_desc}`}
      className="absolute z-10 m-0 p-0 text-text w-72 max-w-[calc(100%-1rem)] rounded-xl border border-line-strong bg-raised shadow-pop"
      style={{
        left: `clamp(8px, ${at.x - 144}px, max(8px, calc(100% - 296px)))`,
        ...(at.y > 230 ? { bottom: `max(8px, calc(100% - ${at.y - 12}px))` } : { top: Math.max(8, at.y + 14) }),
      }}
    >
      <div className="flex items-start justify-between gap-1 pl-3">
        <div className="flex min-w-0 flex-wrap items-center gap-2 pt-2.5">
          <SeverityBadge severity={alert.severity} />
          <StateBadge word={stateWords(alert).word} />
          {isSimulated(alert) ? <Tag>Simulated</Tag> : null}
        </div>
        <button
          type="button"
          aria-label="Close"
          onClick={onClose}
          className="target inline-flex min-w-9 items-center justify-center text-muted hover:text-text"
        >
          <X size={16} aria-hidden="true" />
        </button>
      </div>
      <div className="flex flex-col gap-1 px-3 pb-3 text-[13px]">
        <p className="text-sm font-semibold">{alert.event}</p>
        <p className="line-clamp-2 text-muted">{alert.location || alert.area_desc}</p>
        <p>
          {words.lead}
          <strong className="font-semibold">{words.strong}</strong>
          {words.tail}
        </p>
        <p className="text-muted">{SHAPE_WORDS[alert.geometry_source]}.</p>
        <div className="flex flex-wrap items-center gap-2 pt-1.5">
          <Button kind="primary" onClick={() => onDetails(alert.event_id)}>
            <ScanText size={15} aria-hidden="true" /> View Full Details
          </Button>
          {onFit ? (
            <Button onClick={onFit} aria-label="Fit the map to this alert">
              <Maximize size={15} aria-hidden="true" /> Fit
            </Button>
          ) : null}
        </div>
        {stack.length > 1 ? (
          <div className="tnum flex items-center justify-between gap-2 pt-1 text-muted">
            <Button kind="quiet" aria-label="Alert above at this spot" onClick={() => step(-1)}>
              <ChevronLeft size={16} aria-hidden="true" />
            </Button>
            <span>
              {place + 1} of {stack.length} at this spot
            </span>
            <Button kind="quiet" aria-label="Alert below at this spot" onClick={() => step(1)}>
              <ChevronRight size={16} aria-hidden="true" />
            </Button>
          </div>
        ) : null}
      </div>
    </dialog>
  );
}
