import { History } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useServices } from '../../../api/services.ts';
import { type LastKnown, readLastKnown } from '../../../lib/last-known.ts';
import { durationLabel } from '../../../lib/time-labels.ts';
import { useNow } from '../../../lib/use-now.ts';
import { Button } from '../../../ui/button.tsx';
import { SeverityIcon } from '../../../ui/severity.tsx';
import { type LastKnownView, viewLastKnown } from './view-last-known.ts';

/** What fits beside everything else; the rest on demand. */
const SHOWN = 12;

/** The alerts this device last heard of, for when nothing can be asked. Nothing at all where nothing was kept. */
export function LastKnownPanel() {
  const { labels } = useServices();
  const [known, setKnown] = useState<LastKnown | null>(null);
  const [isWhole, setWhole] = useState(false);
  const now = useNow(60);
  useEffect(() => {
    let isGone = false;
    void readLastKnown(globalThis.caches).then((found) => isGone || setKnown(found));
    return () => {
      isGone = true;
    };
  }, []);
  if (!known) return null;
  const view = viewLastKnown(known, now);
  const lines = isWhole ? view.lines : view.lines.slice(0, SHOWN);
  return (
    <section aria-labelledby="last-known" className="mx-auto w-full max-w-3xl px-4 pt-6 sm:px-6">
      <div className="card border-warn p-4 sm:p-5">
        <h2 id="last-known" className="flex items-center gap-2 text-base font-semibold">
          <History size={18} aria-hidden="true" className="shrink-0 text-warn" />
          Last known alerts{view.simulated ? ' (simulated weather)' : ''}
        </h2>
        <p className="tnum pt-1 font-medium text-warn">{ageSentence(view, labels.moment(view.asOfMs ?? 0, labels.viewerZone, now))}</p>
        <p className="pt-1 text-muted">
          {view.lines.length === 0
            ? 'That list had no alerts in it. Whether there are any now cannot be told without a connection.'
            : 'The server cannot be asked. What was issued, changed or cancelled since is not in here.'}
        </p>
        {lines.length > 0 ? (
          <ul className="mt-3 divide-y divide-line border-t border-line">
            {lines.map(({ alert, hasRunOut }) => (
              <li key={alert.event_id} className={`flex items-start gap-2.5 py-2 ${hasRunOut ? 'text-muted' : ''}`}>
                <span className="mt-0.5 shrink-0">
                  <SeverityIcon severity={alert.severity} />
                </span>
                <div className="min-w-0">
                  <p>
                    <span className="sr-only">{alert.severity} </span>
                    <span className="font-semibold">{alert.event}</span>
                    <span className="tnum text-muted">
                      {' '}
                      {alert.in_force_until === null
                        ? 'until further notice'
                        : `${hasRunOut ? 'was to end' : 'until'} ${labels.moment(Date.parse(alert.in_force_until), alert.time_zones[0], now)}`}
                    </span>
                  </p>
                  <p className="truncate text-muted">{alert.location || alert.area_desc}</p>
                </div>
              </li>
            ))}
          </ul>
        ) : null}
        {lines.length < view.lines.length ? (
          <Button className="mt-3" onClick={() => setWhole(true)}>
            Show all {view.lines.length}
          </Button>
        ) : null}
      </div>
    </section>
  );
}

function ageSentence({ asOfMs, ageSeconds }: LastKnownView, asOf: string): string {
  const age = ageSeconds === null ? 'of unknown age' : `${durationLabel(ageSeconds)} old`;
  return asOfMs === null ? `From before, ${age}. Not the present weather.` : `As of ${asOf}, ${age}. Not the present weather.`;
}
