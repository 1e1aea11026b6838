import type { UsageAgents, UsageGeographic } from '@nwms/contract';
import { DEVICE_TYPES } from '@nwms/contract/usage-parts';
import { percentOf } from '@nwms/domain';
import { askedOf, byCount, type DaysQuery, type FigureDeps, periodMembers, uniqueCount, withoutRequests } from './answer.ts';
import { namesByKind } from './figures.ts';
import type { Locator } from './locate.ts';
import { keyPeriod, segmentsOf } from './segments.ts';
import { splitCity, type Tally } from './tally.ts';
import type { Kind } from './types.ts';

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
  const segments = segmentsOf(asked.window);
  const figures = await deps.figures(
    {
      name: 'geographic',
      parts: [
        { kinds: ['country'], segments, counts: ['requests'], uniques: true, into: { country: (row) => row.name } },
        { kinds: ['city'], segments, counts: ['requests'], into: { city: (row) => row.name } },
      ],
      principal: asked.principal,
      period: keyPeriod(asked.window),
    },
    asked.breathe,
  );
  const countries = [...figures.of('country')];
  const cities = [...figures.of('city')];
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
  const kinds = ['device', 'browser', 'os', 'bot', 'client'] as const;
  const figures = await deps.figures(
    {
      name: 'user agents',
      parts: [{ kinds, segments: segmentsOf(asked.window), counts: ['requests'], into: namesByKind(kinds) }],
      principal: asked.principal,
    },
    asked.breathe,
  );
  const sorted = (kind: Kind) =>
    [...figures.of(kind)]
      .map(([name, { requests }]) => ({ name, requests }))
      .sort(
        byCount(
          ({ requests }) => requests,
          ({ name }) => name,
        ),
      );
  const of = (device: (typeof DEVICE_TYPES)[number]) => figures.one('device', device).requests;
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
