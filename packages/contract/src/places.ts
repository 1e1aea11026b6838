import Type, { type Static } from 'typebox';
import { Warning } from './alerts.ts';
import { route } from './route.ts';
import { oneOf, orNull } from './schema.ts';

export const PLACE_KINDS = ['city', 'town', 'village', 'place', 'poi', 'coordinates', 'county', 'zone', 'state'] as const;
export const PLACE_TAGS = ['Primary Coverage', 'Major City', 'Found'] as const;

const members = {
  id: orNull(Type.String({ description: 'Same for the same place as long as its source lists it; null for a bare position' })),
  name: Type.String(),
  label: Type.String({ description: 'Name, state and country as people write them; a part the name already says is left out' }),
  lat: Type.Number(),
  lon: Type.Number(),
  state: orNull(Type.String({ description: 'Two letters in the United States; elsewhere the name of the region, where it is known' })),
  state_name: orNull(Type.String()),
  country: Type.String({ description: 'Name' }),
  country_code: Type.String({ description: 'ISO 3166-1, two letters; ZZ = not known' }),
  kind: oneOf(PLACE_KINDS, {
    description:
      'city from 50,000 inhabitants, town from 5,000, village below, place where nobody counted; county, zone and state are areas',
  }),
  population: orNull(Type.Integer()),
  distance_km: orNull(Type.Number({ description: 'From the asked position, one decimal' })),
  time_zone: orNull(Type.String({ description: 'IANA name' })),
  priority: Type.Integer({
    minimum: 1,
    maximum: 4,
    description: '1 North Carolina, 2 major US city (250,000 inhabitants or capital of a state), 3 other US place, 4 elsewhere',
  }),
  tag: oneOf(PLACE_TAGS),
  type: oneOf(['builtin', 'gazetteer', 'geocoded', 'user_location', 'area']),
  accuracy: orNull(Type.Number({ description: 'Metres, as the device said' })),
  source: oneOf(['builtin', 'gazetteer', 'geocoder', 'device', 'zones']),
  importance: orNull(Type.Number({ minimum: 0, maximum: 1, description: 'log10(population + 1) / 7.5' })),
  in_us_coverage: Type.Boolean({ description: 'Lies in a zone of the National Weather Service: only there can "no alerts" be concluded' }),
  ugc: orNull(Type.String({ description: 'Code of a county or zone, letters of a state; null for what is a point' })),
  bbox: orNull(
    Type.Array(Type.Number(), { minItems: 4, maxItems: 4, description: 'Of an area: west, south, east, north; west > east crosses 180°' }),
  ),
};

/** A named location, or an area that alerts are issued for. */
export const Place = Type.Object(members);
export type Place = Static<typeof Place>;

export const PlaceSearch = Type.Object({
  places: Type.Array(Place, { description: 'Every place of that name is its own row: nothing is chosen for the caller' }),
  total: Type.Integer({ description: 'Matches, the ones beyond the limit among them' }),
  truncated: Type.Boolean(),
  geocoder: oneOf(['not_needed', 'used', 'unavailable', 'off'], {
    description: 'Whether an outside geocoder was asked; off: this server has none, and few rows may mean that it does not know the place',
  }),
  attribution: Type.Array(Type.String(), { description: 'Credits to show beside the places' }),
  warnings: Type.Array(Warning, { description: 'gazetteer_missing: only the built-in places and the areas are known' }),
});
export type PlaceSearch = Static<typeof PlaceSearch>;

/** Positions may be spelled in three ways, all the same. */
const positionNames = {
  lat: Type.Optional(Type.Number({ minimum: -90, maximum: 90 })),
  lon: Type.Optional(Type.Number({ minimum: -180, maximum: 180 })),
  latitude: Type.Optional(Type.Number({ minimum: -90, maximum: 90, description: 'Same as lat' })),
  longitude: Type.Optional(Type.Number({ minimum: -180, maximum: 180, description: 'Same as lon' })),
  location_lat: Type.Optional(Type.Number({ minimum: -90, maximum: 90, description: 'Same as lat' })),
  location_lon: Type.Optional(Type.Number({ minimum: -180, maximum: 180, description: 'Same as lon' })),
};

export const searchPlaces = route({
  method: 'GET',
  path: '/places/search',
  access: 'key-or-session',
  area: 'places',
  operation: 'searchPlaces',
  summary: 'Places by name',
  description:
    '`City, ST` and `City, Country` narrow. Case, accents and punctuation do not matter; one typing error is forgiven from five letters on.',
  query: Type.Object({
    q: Type.String({ minLength: 2, maxLength: 100, description: 'Beginning of a name, or of one of its words' }),
    scope: Type.Optional(oneOf(['us', 'world'], { description: 'us (default): the United States and its territories' })),
    areas: Type.Optional(Type.Boolean({ description: 'Counties, forecast zones and states too; default false' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 15, description: 'Default 15' })),
    language: Type.Optional(oneOf(['en'])),
    ...positionNames,
  }),
  reply: PlaceSearch,
});

export const ReversePlace = Type.Object({
  ...members,
  nearest_city: orNull(Place),
  attribution: PlaceSearch.properties.attribution,
});
export const reversePlace = route({
  method: 'GET',
  path: '/places/reverse',
  access: 'key-or-session',
  area: 'places',
  operation: 'reversePlace',
  summary: 'Name of a position',
  description:
    'The nearest known place within 25 km gives the name, else it is `Current Location`; `nearest_city` is the nearest built-in one within 50 km.',
  query: Type.Object({
    ...positionNames,
    accuracy: Type.Optional(Type.Number({ minimum: 0, maximum: 50_000_000, description: 'Metres' })),
    language: Type.Optional(oneOf(['en'])),
  }),
  reply: ReversePlace,
  errors: ['place.unavailable'],
});

export const PopularPlaces = Type.Object({
  groups: Type.Array(Type.Object({ key: oneOf(['north_carolina', 'major']), title: Type.String(), places: Type.Array(Place) })),
  default: Place,
  total: Type.Integer(),
});
export const popularPlaces = route({
  method: 'GET',
  path: '/places/popular',
  access: 'key-or-session',
  area: 'places',
  operation: 'popularPlaces',
  summary: 'Built-in cities',
  reply: PopularPlaces,
});
