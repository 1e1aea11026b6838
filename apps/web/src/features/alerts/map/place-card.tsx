import { useQuery } from '@tanstack/react-query';
import { MapPin, X } from 'lucide-react';
import { useEffect } from 'react';
import { useServices } from '../../../api/services.ts';
import { useFreshnessLevel } from '../../../api/use-freshness.ts';
import { useSettled } from '../../../lib/use-settled.ts';
import { SeverityIcon } from '../../../ui/severity.tsx';
import { stateWords } from '../alert-words.ts';
import { bookQuery } from '../queries.ts';
import { alertsThereQuery, type ShownPlace } from './place-queries.ts';
import { thereWords } from './there-words.ts';

const TONES = { normal: 'font-medium', quiet: 'text-muted', warn: 'font-medium text-warn', bad: 'font-medium text-bad' } as const;
/** Alerts come in bursts: one question for what arrived in this time. */
const SETTLE_MS = 2_000;

export interface PlaceCardProps {
  place: ShownPlace;
  onSelect: (eventId: string) => void;
  onClear: () => void;
}

/** The chosen place and which alerts are active there. */
export function PlaceCard({ place, onSelect, onClear }: PlaceCardProps) {
  const { api } = useServices();
  const there = useQuery(alertsThereQuery(api, place));
  const { level } = useFreshnessLevel();
  const seq = useSettled(useQuery(bookQuery).data?.seq, SETTLE_MS, true);
  const { refetch } = there;
  useEffect(() => {
    if (seq !== undefined) void refetch();
  }, [seq, refetch]);
  const { words, tone } = thereWords(there.data, { failed: there.isError, pageLevel: level, area: place.bbox !== null });
  const more = (there.data?.total ?? 0) - (there.data?.alerts.length ?? 0);
  return (
    <section aria-label="Chosen place" className="border-b border-line px-3 py-2 text-[13px]">
      <div className="flex items-start gap-2">
        <MapPin size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-accent" />
        <div className="min-w-0 grow">
          <h3 className="text-sm font-semibold break-words">{place.label}</h3>
          <output className={`block ${TONES[tone]}`}>{words}</output>
        </div>
        {there.isError ? (
          <button type="button" className="target px-2 font-medium text-accent underline" onClick={() => void refetch()}>
            Retry
          </button>
        ) : null}
        <button
          type="button"
          aria-label="Forget the place"
          onClick={onClear}
          className="target -my-1 inline-flex min-w-9 items-center justify-center rounded-lg text-muted hover:text-text"
        >
          <X size={16} aria-hidden="true" />
        </button>
      </div>
      {there.data && there.data.alerts.length > 0 ? (
        <ul aria-label={`Alerts at ${place.label}`} className="flex flex-col pt-1 pl-6">
          {there.data.alerts.map((alert) => (
            <li key={alert.event_id}>
              <button
                type="button"
                onClick={() => onSelect(alert.event_id)}
                className="target flex w-full min-w-0 items-center gap-2 rounded-md px-1 text-left hover:bg-hover"
              >
                <SeverityIcon severity={alert.severity} />
                <span className="min-w-0 truncate">
                  <span className="sr-only">{alert.severity} </span>
                  <span className="font-medium">{alert.event}</span>,{' '}
                  <span className="text-muted">{stateWords(alert).word.toLowerCase()}</span>
                </span>
              </button>
            </li>
          ))}
          {more > 0 ? <li className="px-1 text-muted">and {more.toLocaleString('en-US')} more</li> : null}
        </ul>
      ) : null}
      {place.attribution.length > 0 ? <p className="pt-1 pl-6 text-xs text-muted">{place.attribution.join(' · ')}</p> : null}
    </section>
  );
}
