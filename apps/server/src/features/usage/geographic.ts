import type { UsageAgents, UsageGeographic } from '@nwms/contract';
import { DEVICE_TYPES } from '@nwms/contract/usage-parts';
import { percentOf } from '@nwms/domain';
import { askedOf, byCount, type DaysQuery, type FigureDeps, periodMembers, tallyBy, uniqueCount, withoutRequests } from './answer.ts';
import type { Locator } from './locate.ts';
import { keyPeriod, segmentsOf } from './store-read.ts';
import { splitCity, type Tally } from './tally.ts';

const CITIES = 50;
const BROWSERS = 20;
const UNKNOWN = 'ZZ';

/** English name of a country; Unknown for ZZ. */
export function createCountryNames(): (code: string) => string {
  // 17 ms: not at the start, where nobody has asked yet.
  let names: Intl.DisplayNames | null = null;
  return (code) => {
    if (code === UNKNOWN) return 'Unknown';
    names ??= new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });
    return names.of(code) ?? code;
  };
}

export async function geographic(
  deps: FigureDeps & { locator: Locator; countryName: (code: string) => string },
  query: DaysQuery,
): Promise<UsageGeographic> {
  const asked = askedOf(deps, query);
  const rows = await deps.reads.rollups({
    parts: [
      { kinds: ['country'], segments: segmentsOf(asked.window), uniques: true },
      { kinds: ['city'], segments: segmentsOf(asked.window) },
    ],
    principal: asked.principal,
    columns: ['requests'],
    period: keyPeriod(asked.window),
  });
  const countries = [...(await tallyBy(asked, rows, (row) => (row.kind === 'country' ? row.name : null)))];
  const cities = [...(await tallyBy(asked, rows, (row) => (row.kind === 'city' ? row.name : null)))];
  const total = countries.reduce((sum, [, { requests }]) => sum + requests, 0);
  const located = total - (countries.find(([code]) => code === UNKNOWN)?.[1].requests ?? 0);
  const order = byCount<[string, Tally]>(
    ([, { requests }]) => requests,
    ([name]) => name,
  );
  const credit = deps.locator.attribution();
  return {
    country_stats: countries.sort(order).map(([code, tally]) => ({
      country: deps.countryName(code),
      country_code: code,
      requests: tally.requests,
      unique_ips: uniqueCount(tally),
      percent: percentOf(tally.requests, total) ?? 0,
    })),
    city_stats: cities
      .sort(order)
      .slice(0, CITIES)
      .map(([name, { requests }]) => {
        const { city, region, country } = splitCity(name);
        return { city, region, country_code: country, requests, percent: percentOf(requests, total) ?? 0 };
      }),
    located_percent: percentOf(located, total),
    total_requests: total,
    attribution: credit?.text ?? null,
    attribution_url: credit?.url ?? null,
    ...periodMembers(asked, withoutRequests(total, ['located_percent'])),
  };
}

export async function userAgents(deps: FigureDeps, query: DaysQuery): Promise<UsageAgents> {
  const asked = askedOf(deps, query);
  const rows = await deps.reads.rollups({
    parts: [{ kinds: ['device', 'browser', 'os', 'bot', 'client'], segments: segmentsOf(asked.window) }],
    principal: asked.principal,
    columns: ['requests'],
  });
  const counts = new Map<string, Map<string, number>>();
  for (const { kind, name, requests = 0 } of rows) {
    const group = counts.get(kind) ?? new Map<string, number>();
    counts.set(kind, group.set(name, (group.get(name) ?? 0) + requests));
  }
  const sorted = (kind: string) =>
    [...(counts.get(kind) ?? [])]
      .map(([name, requests]) => ({ name, requests }))
      .sort(
        byCount(
          ({ requests }) => requests,
          ({ name }) => name,
        ),
      );
  const of = (device: (typeof DEVICE_TYPES)[number]) => counts.get('device')?.get(device) ?? 0;
  const devices = DEVICE_TYPES.map((device_type) => ({ device_type, requests: of(device_type) }));
  const browsers = sorted('browser')
    .slice(0, BROWSERS)
    .map(({ name, requests }) => ({ browser: name, requests }));
  return {
    desktop_requests: of('desktop'),
    mobile_requests: of('mobile'),
    bot_requests: of('bot'),
    client_requests: of('client'),
    unknown_requests: of('unknown'),
    total_requests: devices.reduce((sum, { requests }) => sum + requests, 0),
    device_stats: devices,
    devices,
    browser_stats: browsers,
    browsers,
    os: sorted('os').map(({ name, requests }) => ({ os: name, requests })),
    bots: sorted('bot'),
    clients: sorted('client'),
    ...periodMembers(asked, []),
  };
}
