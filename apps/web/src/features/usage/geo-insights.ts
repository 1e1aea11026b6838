import type { UsageGeographic } from '@nwms/contract';
import { percents } from './usage-words.ts';

/** Requests below which shares say little. */
const FEW = 100;

/** GEO-03, R-42: short, useful and true; each sentence is made of the figures beside it. */
export function geoInsights({
  country_stats: countries,
  city_stats: cities,
  located_percent: located,
  total_requests: total,
}: UsageGeographic): string[] {
  if (total === 0) return [];
  const known = countries.filter(({ country_code: code }) => code !== 'ZZ');
  const [first] = known;
  const words: string[] = [];
  if (first) {
    const several = known.length === 1 ? 'the only country known' : `the most of ${known.length} countries`;
    words.push(`${first.country} sends ${percents(first.percent)} of all requests, ${several}.`);
  }
  const top = known.slice(0, 5).reduce((sum, { requests }) => sum + requests, 0);
  if (known.length > 5) words.push(`The five largest countries together send ${percents((100 * top) / total)}.`);
  const [city] = cities;
  if (city)
    words.push(
      `${[city.city, city.region].filter(Boolean).join(', ')} is the busiest city with ${city.requests.toLocaleString('en-US')} requests.`,
    );
  if (located !== null && located < 100)
    words.push(
      `${percents(100 - located)} of the requests come from private or unlisted addresses. They are counted as Unknown, never guessed.`,
    );
  if (total < FEW) words.push(`There are only ${total.toLocaleString('en-US')} requests: shares can change quickly.`);
  return words;
}
