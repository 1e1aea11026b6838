import type { Position, Shape } from '@nwms/domain/geo/shape';

/** One entry of `properties.references`. */
export interface RawReference {
  '@id': string;
  identifier: string;
  sender: string;
  sent: string;
}

/** Members of an api.weather.gov alert, spelled as upstream spells them. Times are ISO 8601 with the office's offset. */
export interface RawProperties {
  '@id': string;
  '@type': 'wx:Alert';
  id: string;
  areaDesc: string;
  geocode: { SAME: string[]; UGC: string[] };
  affectedZones: string[];
  references: RawReference[];
  sent: string;
  effective: string;
  onset: string | null;
  expires: string;
  ends: string | null;
  status: string;
  messageType: string;
  category: string;
  severity: string;
  certainty: string;
  urgency: string;
  event: string;
  sender: string;
  senderName: string;
  headline: string | null;
  description: string | null;
  instruction: string | null;
  response: string;
  parameters: Record<string, string[]>;
  scope: string;
  code: string;
  language: string;
  web: string;
  eventCode: Record<string, string[]>;
}

/** api.weather.gov GeoJSON alert. `geometry` is null for most: the area is then in the zone lists. */
export interface RawFeature {
  id: string;
  type: 'Feature';
  geometry: Shape | null;
  properties: RawProperties;
}

/** Answer of `/zones/{type}/{id}`. */
export interface RawZone {
  id: string;
  type: 'Feature';
  geometry: Shape | null;
  properties: {
    '@id': string;
    '@type': 'wx:Zone';
    id: string;
    type: string;
    name: string;
    effectiveDate: string;
    expirationDate: string;
    state: string | null;
    cwa: string[];
    forecastOffices: string[];
    gridIdentifier: string | null;
    awipsLocationIdentifier: string | null;
    timeZone: string[];
    observationStations: string[];
    radarStation: string | null;
  };
}

/** What is listed as active at one instant; `updated` in epoch milliseconds. */
export interface SimSnapshot {
  updated: number;
  features: RawFeature[];
}

/** State of a stand-in National Weather Service. Instants are epoch milliseconds of the caller's clock. */
export interface Feed {
  kind: 'storms' | 'replay';
  /** Everything listed as active at `now`, newest first; exact duplicates included on purpose. */
  activeAt(now: number): SimSnapshot;
  /** Every message with from < sent <= to, oldest first, without duplicates: the truth for tests of lost alerts. */
  issuedBetween(from: number, to: number): RawFeature[];
  byId(id: string): RawFeature | undefined;
  /** `type` is forecast, public, county, fire, coastal or offshore. */
  zone(type: string, id: string): RawZone | undefined;
  /** Known zones of a type, for `/zones`. */
  zones(type: string): RawZone[];
  /** Zone codes that hold the point, by the families a place belongs to. */
  zonesAt(position: Position): PlaceZones | undefined;
}

export interface PlaceZones {
  county: string;
  forecast: string;
  fire: string;
  name: string;
  state: string;
  office: { id: string; icao: string; name: string; timeZone: string };
  center: Position;
}
