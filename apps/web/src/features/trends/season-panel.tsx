import type { HistoricalPatterns } from '@nwms/contract';
import { rangeWords, severityWords } from './evidence-words.ts';

const SEASONS = ['winter', 'spring', 'summer', 'fall'] as const;
const capital = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1);

/** The four seasons: how severe and how often, as far as the record reaches. */
export function SeasonRows({ patterns }: { patterns: HistoricalPatterns }) {
  const seasons = patterns.patterns.seasonal_trends;
  return (
    <table className="tnum w-full text-left text-sm" aria-label="Seasonal patterns">
      <thead className="text-[13px] text-muted">
        <tr>
          <th scope="col" className="py-1.5 font-medium">
            Season
          </th>
          <th scope="col" className="py-1.5 font-medium">
            Average severity
          </th>
          <th scope="col" className="py-1.5 text-right font-medium">
            Events
          </th>
          <th scope="col" className="py-1.5 text-right font-medium max-sm:hidden">
            Per covered day
          </th>
        </tr>
      </thead>
      <tbody>
        {SEASONS.map((name) => {
          const season = seasons[name];
          const average = season.avg_severity;
          return (
            <tr key={name} className="border-t border-line align-top">
              <th scope="row" className="py-2 pr-3 font-medium">
                {capital(name)}
              </th>
              {season.count === null ? (
                <td colSpan={3} className="py-2 text-[13px] text-muted">
                  Not enough history: none of its days are in our record.
                </td>
              ) : (
                <>
                  <td className="py-2 pr-3">
                    {average === null ? (
                      <span className="text-[13px] text-muted">no event of known severity</span>
                    ) : (
                      <>
                        {average.toFixed(2)} <span className="text-muted">{severityWords(average)}</span>
                        <span className="block text-[13px] text-muted">
                          {rangeWords(season.interval) ?? `from ${season.known} events, too few for an interval`}
                        </span>
                      </>
                    )}
                  </td>
                  <td className="py-2 text-right">{season.count.toLocaleString('en-US')}</td>
                  <td className="py-2 text-right max-sm:hidden">
                    {season.per_day ?? '—'}
                    <span className="block text-[13px] text-muted">{season.covered_days} days</span>
                  </td>
                </>
              )}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
