import { resolve } from 'node:path';
import type { RawSettings, SettingName } from './settings.ts';

export type FeedChoice = 'auto' | 'nws' | 'simulator' | 'replay';

/** What this process does of the whole; each at least in one process. */
export interface Roles {
  /** Answers people and programs. Every process has the routes; those without this role belong behind no balancer. */
  api: boolean;
  /** Collects alerts when no other process does, and stands by otherwise. */
  ingest: boolean;
  /** Deliveries, imports and other work in the background. */
  jobs: boolean;
}

/** Grouped, typed and complete; slices receive their group only. */
export interface Config {
  http: {
    host: string;
    port: number;
    loopbackOnly: boolean;
    publicUrl: string | null;
    trustedProxies: string[];
    corsOrigins: string[];
    webDist: string;
  };
  feed: {
    choice: FeedChoice;
    baseUrl: string;
    contact: string;
    pollSeconds: number;
    frozenAfterSeconds: number;
    replayPath: string | null;
    replayZones: string | null;
    simulator: { seed: number; speed: number; targetActive: number; seasons: 'all' | 'calendar' };
  };
  auth: {
    googleClientId: string | null;
    googleJwksUrl: string;
    adminEmails: string[];
    setupToken: string | null;
    signup: 'open' | 'invited';
    passwordLogin: boolean;
    localProvider: boolean;
    isPublic: boolean;
  };
  /** `factor`: of the request limits of callers without a key. */
  limits: { factor: number };
  data: { dir: string; databaseUrl: string | null; usageDatabaseUrl: string | null };
  usage: { geoipPath: string | null };
  roles: Roles;
  log: { level: string };
  metrics: { token: string | null };
  map: { streetTiles: StreetTiles | null };
}

/** Raster tiles of an OpenStreetMap-compatible server, for the maps of the web application. */
export interface StreetTiles {
  url: string;
  origin: string;
  maxZoom: number;
  attribution: { text: string; url: string | null };
}

/** All faults of a configuration at once, each naming the variable and the fix. */
export class ConfigError extends Error {
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(`Configuration not accepted:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);
const FEEDS: readonly FeedChoice[] = ['auto', 'nws', 'simulator', 'replay'];
/** Guessing a shorter one at 20 a minute is thinkable. */
const SETUP_TOKEN_MIN = 12;
const ROLES = ['all', 'api', 'ingest', 'jobs'] as const;
const LEVELS = ['debug', 'info', 'warn', 'error', 'silent'];

/** Meaning, defaults and cross-checks. Throws ConfigError with every fault. */
export function parseConfig(raw: RawSettings, root: string): Config {
  const faults: string[] = [];
  const number = (name: SettingName, min: number, max: number): number => {
    const value = Number(raw[name]);
    if (Number.isFinite(value) && value >= min && value <= max) return value;
    faults.push(`${name} must be a number from ${min} to ${max}, not "${raw[name]}"`);
    return min;
  };
  const choice = <T extends string>(name: SettingName, allowed: readonly T[]): T => {
    const found = allowed.find((value) => value === raw[name].toLowerCase());
    if (found) return found;
    faults.push(`${name} must be one of ${allowed.join(', ')}, not "${raw[name]}"`);
    return allowed[0] as T;
  };
  const origin = (name: SettingName, value: string): string => {
    const url = URL.parse(value);
    if (url && (url.protocol === 'https:' || url.protocol === 'http:') && url.pathname === '/' && !url.username) return url.origin;
    faults.push(`${name} must be an origin such as https://example.org, not "${value}"`);
    return '';
  };
  const list = (name: SettingName) =>
    raw[name]
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean);

  const feed = choice('FEED', FEEDS);
  const role = choice('ROLES', ROLES);
  if (role !== 'all' && !raw.DATABASE_URL)
    faults.push(`ROLES=${role} needs DATABASE_URL: the embedded database belongs to one process, which does everything`);
  if (raw.USAGE_DATABASE_URL && !raw.DATABASE_URL)
    faults.push('USAGE_DATABASE_URL needs DATABASE_URL: the embedded database keeps usage beside it');
  const loopbackOnly = LOOPBACK.has(raw.HOST);
  const publicUrl = raw.PUBLIC_URL ? origin('PUBLIC_URL', raw.PUBLIC_URL) : null;
  if (publicUrl && feed === 'auto') faults.push('FEED must be chosen when PUBLIC_URL is set: a deployment says what it shows');
  if (feed === 'nws' && !raw.NWS_CONTACT)
    faults.push('NWS_CONTACT is required with FEED=nws: the weather service asks for a contact in the User-Agent');
  if (feed === 'replay' && !raw.REPLAY_PATH) faults.push('REPLAY_PATH is required with FEED=replay');
  if (/[\r\n]/.test(raw.NWS_CONTACT)) faults.push('NWS_CONTACT must be one line');

  const baseUrl = origin('NWS_BASE_URL', raw.NWS_BASE_URL);
  // 30 s is the weather service's own wish (trap 35); a stand-in on this machine may be polled faster.
  const pollFloorSeconds = baseUrl && !LOOPBACK.has(new URL(baseUrl).hostname) && feed !== 'simulator' && feed !== 'replay' ? 30 : 1;
  const config: Config = {
    http: {
      host: raw.HOST,
      port: number('PORT', 0, 65_535),
      loopbackOnly,
      publicUrl,
      trustedProxies: list('TRUSTED_PROXIES'),
      corsOrigins: list('CORS_ORIGINS').map((value) => origin('CORS_ORIGINS', value)),
      webDist: resolve(root, raw.WEB_DIST || 'apps/web/dist'),
    },
    feed: {
      choice: feed,
      baseUrl,
      contact: raw.NWS_CONTACT || 'contact-not-configured',
      pollSeconds: number('NWS_POLL_SECONDS', pollFloorSeconds, 600),
      frozenAfterSeconds: number('FROZEN_AFTER_SECONDS', 60, 86_400),
      replayPath: raw.REPLAY_PATH ? resolve(root, raw.REPLAY_PATH) : null,
      replayZones: raw.REPLAY_ZONES ? resolve(root, raw.REPLAY_ZONES) : null,
      simulator: {
        seed: number('SIM_SEED', 0, 2 ** 31),
        speed: number('SIM_SPEED', 1, 600),
        targetActive: number('SIM_ACTIVE', raw.SIM_SEASONS.toLowerCase() === 'calendar' ? 20 : 100, 600),
        seasons: choice('SIM_SEASONS', ['all', 'calendar']),
      },
    },
    auth: authConfig(raw, { isPublic: !loopbackOnly || publicUrl !== null, list, choice, faults }),
    limits: { factor: number('LIMITS_FACTOR', 0.1, 100_000) },
    data: { dir: resolve(root, raw.DATA_DIR), databaseUrl: raw.DATABASE_URL || null, usageDatabaseUrl: raw.USAGE_DATABASE_URL || null },
    usage: { geoipPath: raw.GEOIP_PATH ? resolve(root, raw.GEOIP_PATH) : null },
    roles: { api: role === 'all' || role === 'api', ingest: role === 'all' || role === 'ingest', jobs: role === 'all' || role === 'jobs' },
    log: { level: choice('LOG_LEVEL', LEVELS) },
    metrics: { token: raw.METRICS_TOKEN || null },
    map: { streetTiles: streetTiles(raw, number('MAP_TILES_MAX_ZOOM', 1, 22), faults) },
  };
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}

function streetTiles(raw: RawSettings, maxZoom: number, faults: string[]): StreetTiles | null {
  if (!raw.MAP_TILES_URL) return null;
  const url = URL.parse(raw.MAP_TILES_URL);
  // http on this machine alone: a tile server beside the product, and the stand-in of tests.
  const safe = url && (url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.has(url.hostname))) && !url.username;
  if (!safe || !['{z}', '{x}', '{y}'].every((part) => raw.MAP_TILES_URL.includes(part))) {
    faults.push(`MAP_TILES_URL must be an https template with {z}, {x} and {y}, not "${raw.MAP_TILES_URL}"`);
    return null;
  }
  const words = raw.MAP_TILES_ATTRIBUTION.split(' ').filter(Boolean);
  const link = words.at(-1)?.startsWith('https://') ? words.at(-1) : undefined;
  const text = (link === undefined ? words : words.slice(0, -1)).join(' ');
  return { url: raw.MAP_TILES_URL, origin: url.origin, maxZoom, attribution: { text, url: link ?? null } };
}

function authConfig(
  raw: RawSettings,
  {
    isPublic,
    list,
    choice,
    faults,
  }: {
    isPublic: boolean;
    list: (name: SettingName) => string[];
    choice: <T extends string>(name: SettingName, allowed: readonly T[]) => T;
    faults: string[];
  },
): Config['auth'] {
  const jwks = URL.parse(raw.GOOGLE_JWKS_URL);
  // Keys that come over an open line are anybody's keys; a stand-in on this machine has none to cross.
  if (!jwks || (jwks.protocol !== 'https:' && !(jwks.protocol === 'http:' && LOOPBACK.has(jwks.hostname))))
    faults.push(`GOOGLE_JWKS_URL must be an https URL, not "${raw.GOOGLE_JWKS_URL}"`);
  const adminEmails = list('ADMIN_EMAILS');
  for (const email of adminEmails) if (!email.includes('@')) faults.push(`ADMIN_EMAILS must be e-mail addresses, not "${email}"`);
  if (raw.SETUP_TOKEN && raw.SETUP_TOKEN.length < SETUP_TOKEN_MIN)
    faults.push(`SETUP_TOKEN must have at least ${SETUP_TOKEN_MIN} characters`);
  const password = choice('PASSWORD_LOGIN', ['auto', 'on', 'off'] as const);
  return {
    googleClientId: raw.GOOGLE_CLIENT_ID || null,
    googleJwksUrl: raw.GOOGLE_JWKS_URL,
    adminEmails,
    setupToken: raw.SETUP_TOKEN || null,
    signup: choice('SIGNUP', ['open', 'invited'] as const),
    passwordLogin: password === 'on' || (password === 'auto' && !isPublic),
    localProvider: !isPublic && !raw.GOOGLE_CLIENT_ID,
    isPublic,
  };
}
