/** One environment variable: the table of the README is generated from this list. */
export interface Setting {
  name: string;
  /** Text form of the default; empty = unset. */
  default: string;
  help: string;
}

const s = (name: string, fallback: string, help: string): Setting => ({ name, default: fallback, help });

/** Every variable the server reads. Behaviour follows values, never the name of an environment. */
export const SETTINGS = {
  HOST: s('HOST', '127.0.0.1', 'Address to listen on. Anything but loopback makes the server public.'),
  PORT: s('PORT', '8080', 'Port to listen on; 0 picks a free one.'),
  DATA_DIR: s('DATA_DIR', '.data', 'Folder of the embedded database. Each feed has its own subfolder.'),
  FEED: s(
    'FEED',
    'auto',
    '`nws` live data, `simulator` our own storms, `replay` a recorded capture, `auto` live if reachable within 3 s, else simulator.',
  ),
  NWS_BASE_URL: s('NWS_BASE_URL', 'https://api.weather.gov', 'Origin of the weather service.'),
  NWS_CONTACT: s('NWS_CONTACT', '', 'E-mail or URL for the User-Agent that api.weather.gov asks for. Required with FEED=nws.'),
  NWS_POLL_SECONDS: s('NWS_POLL_SECONDS', '30', 'Seconds between national polls, 30 at least against the weather service.'),
  FROZEN_AFTER_SECONDS: s('FROZEN_AFTER_SECONDS', '600', 'A national list that did not change for this long is not called live any more.'),
  REPLAY_PATH: s('REPLAY_PATH', '', 'Capture to replay with FEED=replay: GeoJSON of /alerts/active, plain or gzip.'),
  REPLAY_ZONES: s('REPLAY_ZONES', '', 'Folder with zone shapes for the replay; default: `../zones` beside the capture, if it exists.'),
  SIM_SEED: s('SIM_SEED', '1', 'Seed of the simulated weather.'),
  SIM_SPEED: s('SIM_SPEED', '1', 'How many times faster than the clock storms live, 1 to 600.'),
  SIM_ACTIVE: s(
    'SIM_ACTIVE',
    '220',
    'About how many simulated alerts are active, 100 to 600; by the calendar 20 to 600, in the mean of a year.',
  ),
  SIM_SEASONS: s(
    'SIM_SEASONS',
    'all',
    '`all` seasons at once, or by the `calendar`: then fewer or more alerts are active than the mean. What `npm run demo:history` wrote goes on with `calendar`.',
  ),
  DATABASE_URL: s('DATABASE_URL', '', 'PostgreSQL 15 or later instead of the embedded database: postgres://user@host/database.'),
  USAGE_DATABASE_URL: s('USAGE_DATABASE_URL', '', 'Another PostgreSQL database for usage records; default: a schema in DATABASE_URL.'),
  GEOIP_PATH: s(
    'GEOIP_PATH',
    '',
    'City database in MaxMind DB format, a file or a folder with one for IPv4 and one for IPv6; default: the installed DB-IP City Lite. Without any, all callers are from Unknown.',
  ),
  ROLES: s(
    'ROLES',
    'all',
    'With DATABASE_URL: `all`, or what this process does: `api` answers requests, `ingest` collects alerts, `jobs` delivers. Any number of processes may share one database; one of those that may ingest does, another takes over when it ends.',
  ),
  PUBLIC_URL: s('PUBLIC_URL', '', 'Origin people reach the server at, e.g. https://alerts.example.org. Makes FEED=auto an error.'),
  TRUSTED_PROXIES: s('TRUSTED_PROXIES', '', 'Addresses or CIDRs whose X-Forwarded-For is believed, comma-separated.'),
  CORS_ORIGINS: s('CORS_ORIGINS', '', 'Exact origins of other pages that may read the API and open the live feed, comma-separated.'),
  GOOGLE_CLIENT_ID: s(
    'GOOGLE_CLIENT_ID',
    '',
    'OAuth client id of Google Sign-In. Without it, and only on loopback, a built-in identity provider signs people in.',
  ),
  GOOGLE_JWKS_URL: s('GOOGLE_JWKS_URL', 'https://www.googleapis.com/oauth2/v3/certs', 'Where the public keys of Google Sign-In are.'),
  ADMIN_EMAILS: s('ADMIN_EMAILS', '', 'Only these e-mail addresses may become the first administrator, comma-separated; empty: anybody.'),
  SETUP_TOKEN: s(
    'SETUP_TOKEN',
    '',
    'What the first administrator must give when signing in. Empty: a public server without ADMIN_EMAILS makes one and prints it.',
  ),
  SIGNUP: s('SIGNUP', 'open', '`open`: whoever signs in gets an account; `invited`: only accounts that an administrator created.'),
  PASSWORD_LOGIN: s('PASSWORD_LOGIN', 'auto', '`on`, `off`, or `auto`: sign-in with passwords on loopback only.'),
  LIMITS_FACTOR: s(
    'LIMITS_FACTOR',
    '1',
    'Multiplies the request limits of addresses and sessions, not those of API keys and accounts. For closed networks and tests.',
  ),
  METRICS_TOKEN: s('METRICS_TOKEN', '', 'Bearer token for /metrics from other machines; loopback needs none.'),
  MAP_TILES_URL: s(
    'MAP_TILES_URL',
    '',
    'Street tiles under the alert maps: https template of 256-pixel raster tiles with {z}, {x} and {y}. Empty: borders of states and counties alone. Read the terms of the tile server first.',
  ),
  MAP_TILES_ATTRIBUTION: s(
    'MAP_TILES_ATTRIBUTION',
    '© OpenStreetMap contributors https://www.openstreetmap.org/copyright',
    'Credit shown on the map when MAP_TILES_URL is set; an https address at its end becomes its link.',
  ),
  MAP_TILES_MAX_ZOOM: s('MAP_TILES_MAX_ZOOM', '19', 'Highest zoom the tile server has.'),
  LOG_LEVEL: s('LOG_LEVEL', 'info', '`debug`, `info`, `warn`, `error` or `silent`.'),
  WEB_DIST: s('WEB_DIST', '', 'Folder of the built browser application; default: the one in this repository.'),
} as const;

export type SettingName = keyof typeof SETTINGS;
export type RawSettings = Record<SettingName, string>;
