import type { RawFeature, RawProperties } from '../feature.ts';

/** A recording as api.weather.gov features. `updated` in epoch milliseconds: the collection's own time, else the newest `sent`. */
export interface Capture {
  features: RawFeature[];
  updated: number;
}

/** A feature with every member of today's API, empty where the recording says nothing. */
export function bareFeature(
  known: Partial<RawProperties> & Pick<RawProperties, 'id' | 'event' | 'sent'>,
  geometry: RawFeature['geometry'],
): RawFeature {
  const url = `https://api.weather.gov/alerts/${known.id}`;
  // Some recordings do not carry expires, status or message type; the API's reader has to live with their absence.
  const absent = { expires: null, messageType: null, response: null } as unknown as Pick<
    RawProperties,
    'expires' | 'messageType' | 'response'
  >;
  const properties: RawProperties = {
    '@id': url,
    '@type': 'wx:Alert',
    areaDesc: '',
    geocode: { SAME: [], UGC: [] },
    affectedZones: zoneUrls(known.geocode?.UGC ?? []),
    references: [],
    effective: known.sent,
    onset: null,
    ends: null,
    status: 'Actual',
    category: 'Met',
    severity: 'Unknown',
    certainty: 'Unknown',
    urgency: 'Unknown',
    sender: 'w-nws.webmaster@noaa.gov',
    senderName: 'NWS',
    headline: null,
    description: null,
    instruction: null,
    parameters: {},
    scope: 'Public',
    code: 'IPAWSv1.0',
    language: 'en-US',
    web: 'http://www.weather.gov',
    eventCode: {},
    ...absent,
    ...known,
  };
  return { id: url, type: 'Feature', geometry, properties };
}

/** Older recordings have no zone addresses: the UGC's letter decides, so fire zones come out as forecast zones (trap 21). */
function zoneUrls(ugcs: string[]): string[] {
  return ugcs.map((ugc) => `https://api.weather.gov/zones/${ugc[2] === 'C' ? 'county' : 'forecast'}/${ugc}`);
}
