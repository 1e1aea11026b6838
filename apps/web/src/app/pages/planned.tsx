import { Link, useLocation } from '@tanstack/react-router';
import { Hammer } from 'lucide-react';
import { placeAt } from '../../lib/places.ts';
import { plannedAt } from './planned-places.ts';

/** A screen that this version does not have: what will be here, and what serves today instead. Never invented figures. */
export function Planned() {
  const { pathname } = useLocation();
  const place = placeAt(pathname);
  const planned = plannedAt(pathname);
  return (
    <main id="main" tabIndex={-1} className="mx-auto w-full max-w-3xl px-4 py-10 outline-none sm:px-6">
      <div className="card p-6 sm:p-8">
        <p className="inline-flex items-center gap-2 rounded-md border border-dashed border-line-strong px-2 py-0.5 text-xs font-semibold text-muted">
          <Hammer size={13} aria-hidden="true" /> Not in this version yet
        </p>
        <h2 className="pt-4 text-lg font-bold">{place?.title ?? 'This screen'}</h2>
        <p className="max-w-prose pt-2 text-muted">{planned.will}</p>
        <h3 className="pt-6 text-sm font-semibold">What works today</h3>
        <ul className="flex flex-col gap-2 pt-3">
          {planned.today.map(({ words, to, href }) => (
            <li key={words}>
              {to ? (
                <Link to={to} className="target inline-flex items-center font-medium text-accent hover:underline">
                  {words}
                </Link>
              ) : (
                <a href={href} className="target inline-flex items-center font-medium text-accent hover:underline">
                  {words}
                </a>
              )}
            </li>
          ))}
        </ul>
      </div>
    </main>
  );
}
