import type { UsageGeographic } from '@nwms/contract';
import { Link } from '@tanstack/react-router';
import { type FigureOf, requestsAt } from './requests-link.ts';
import { percents } from './usage-words.ts';

/** Countries with a bar of their share; each leads to its requests. */
export function CountryList({ countries, of }: { countries: UsageGeographic['country_stats']; of: FigureOf }) {
  const most = countries[0]?.requests ?? 1;
  return (
    <ol className="tnum flex flex-col text-sm">
      {countries.map(({ country, country_code: code, requests, percent }) => (
        <li key={code} className="border-t border-line py-2 first:border-t-0">
          <div className="flex items-baseline justify-between gap-3">
            <Link {...requestsAt({ country: code }, of)} className="min-w-0 truncate font-medium hover:text-accent hover:underline">
              {country}
            </Link>
            <span>
              <span className="font-semibold">{requests.toLocaleString('en-US')}</span>{' '}
              <span className="text-muted">{percents(percent)}</span>
            </span>
          </div>
          <div aria-hidden="true" className="mt-1 h-1.5 rounded-full bg-skeleton">
            <div className="h-full rounded-full bg-bar" style={{ width: `${Math.max(1, (100 * requests) / Math.max(1, most))}%` }} />
          </div>
        </li>
      ))}
    </ol>
  );
}
