import { cityName, elementOf, endpointName } from './tally.ts';
import type { Described, Kind, Traits } from './types.ts';

/** Everything requests of this description are counted by, worked out once. */
export function traitsOf(described: Described): Traits {
  const { method, endpoint, principal, address, addressNext } = described;
  const name = endpointName(method, endpoint);
  return {
    ...described,
    kinds: kindsOf(described, name),
    endpointName: name,
    place: cityName(described),
    scopes: principal === 'anonymous' ? ['anonymous'] : ['all', principal],
    element: elementOf(address),
    elementNext: elementOf(addressNext),
  };
}

function kindsOf(described: Described, endpoint: string): [Kind, string][] {
  const { status, error, country, city, device, browser, os, agent } = described;
  const kinds: [Kind, string][] = [
    ['all', ''],
    ['endpoint', endpoint],
    ['status', String(status)],
    ['country', country],
    ['device', device],
  ];
  if (error !== null) kinds.push(['error', error]);
  if (city !== null) kinds.push(['city', cityName(described)]);
  if (device === 'desktop' || device === 'mobile') kinds.push(['browser', browser ?? 'Other'], ['os', os ?? 'Other']);
  else if ((device === 'bot' || device === 'client') && agent !== null) kinds.push([device, agent]);
  return kinds;
}
