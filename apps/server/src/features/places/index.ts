import type { AffectedZone, ZoneType } from '@nwms/domain';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { createAnnouncer } from './announcer.ts';
import { createAtlas } from './atlas.ts';
import { createFetchQueue } from './fetch-queue.ts';
import { createHistoryLoader } from './history-loader.ts';
import { createPointLookup } from './point-lookup.ts';
import { createResolver } from './resolver.ts';
import type { AreaBook, FetchZone, Places, StoredZone, ZoneInfo, ZoneStore } from './types.ts';
import { createAreaBook } from './area-book.ts';
import { createZoneBook, familyOf, ugcOf, type ZoneVersion } from './zone-book.ts';

export { createPlaceSearch, type PlaceSearchSlice } from './search/index.ts';
export { createZoneStore } from './store.ts';
export type { FetchZone, Places, ResolvedShape, ShapeInput, StoredZone, ZoneAnswer, ZoneInfo, ZoneStore } from './types.ts';

export interface PlacesDeps {
  clock: Clock;
  log: Log;
  /** 0 to 1. */
  random: () => number;
  store: ZoneStore;
  fetchZone: FetchZone;
  /** Prepares the embedded counties in the background, in slices. Default true. */
  warmsUp?: boolean;
}

export interface PlacesSlice extends Places {
  /** Takes over what another process fetched since the last call; throws the database's own errors. */
  refresh(): Promise<void>;
  /** Ends background work; what was fetched is saved. */
  stop(): Promise<void>;
  /** Counties, zones and states by name. */
  areas: AreaBook;
  stats(): { versions: number; waiting: number; resting: number; fetched: number; failed: number };
}

/** Shapes older than this are fetched again, to notice zones that changed without notice (trap 20). */
const REFRESH_AFTER_MS = 7 * 86_400_000;
/** A zone is saved this soon after it was fetched; `refresh` looks that far back. */
const SAVED_WITHIN_MS = 10_000;
/** Counties prepared at a time, about 3 ms of work, before others may run. */
const WARM_UP_COUNTIES = 10;
const WARM_UP_PAUSE_MS = 20;

/** Loads the kept zones; rejects when the store cannot be read. */
export async function createPlaces(deps: PlacesDeps): Promise<PlacesSlice> {
  const { clock, log, store } = deps;
  const atlas = createAtlas();
  const book = createZoneBook(atlas);
  const stored = await store.load();
  for (const zone of stored) book.add(zone);

  const announcer = createAnnouncer({ clock, log });
  const lookup = createPointLookup(book);
  const resolver = createResolver({ book, store });
  const histories = createHistoryLoader({ book, store, log, onLoaded: announcer.tell });
  const queue = createFetchQueue({ clock, log, random: deps.random, fetchZone: deps.fetchZone, onZone: keep });
  let stopped = false;
  /** Copies already in the book, by `family/code/effectiveFrom`, so that looking back does not take them twice. */
  const taken = new Map(stored.map((zone) => [`${zone.family}/${zone.code}/${zone.effectiveFrom}`, zone.fetchedAt]));
  let newestFetch = stored.reduce((newest, zone) => Math.max(newest, zone.fetchedAt), 0);

  async function keep(zone: StoredZone): Promise<void> {
    const { geometry: _, ...light } = zone;
    take(light);
    try {
      await store.save(zone);
    } catch (error) {
      log.error({ code: zone.code, family: zone.family, error }, 'zone shape is in use but could not be saved');
    }
  }

  function warmUp(): void {
    let more = !stopped;
    for (let count = 0; more && count < WARM_UP_COUNTIES; count += 1) more = book.warmUp();
    if (more) clock.after(WARM_UP_PAUSE_MS, warmUp);
  }
  if (deps.warmsUp ?? true) clock.after(WARM_UP_PAUSE_MS, warmUp);

  function ensureOne(zone: AffectedZone): void {
    const code = ugcOf(zone);
    if (code === null || code.endsWith('C000')) return;
    const family = familyOf(code, zone.type);
    const newest = book.newest(code, family);
    if (!newest) queue.ask(code, family, family === 'county' && book.find(code, family, Infinity) ? 'wanted' : 'needed');
    else if (clock.now() - newest.fetchedAt > REFRESH_AFTER_MS) queue.ask(code, family, 'wanted');
  }

  /** A refreshed zone keeps its version object, and with it every area made of it, unless something changed. */
  function take(zone: Omit<StoredZone, 'geometry'>): void {
    const before = book.newest(zone.code, zone.family);
    if (before && isSameZone(before, zone)) {
      before.fetchedAt = zone.fetchedAt;
      return;
    }
    book.add(zone);
    if (zone.props.display !== '') announcer.tell(zone.code);
  }

  return {
    async refresh() {
      const keys = await store.fetchedSince(newestFetch - SAVED_WITHIN_MS);
      for (const key of keys) {
        const name = `${key.family}/${key.code}/${key.effectiveFrom}`;
        if (taken.get(name) === key.fetchedAt) continue;
        const zone = await store.version(key);
        if (zone) take(zone);
        taken.set(name, key.fetchedAt);
        newestFetch = Math.max(newestFetch, key.fetchedAt);
      }
    },
    resolve(input) {
      histories.want(input);
      return resolver.resolve(input);
    },
    async resolveFull(input) {
      await histories.load(input);
      return resolver.resolveFull(input);
    },
    zoneInfo: (code, type) => infoOf(book.newest(code, familyOf(code, type)) ?? book.find(code, familyOf(code, type), Infinity), type),
    zonesAt: lookup.zonesAt,
    coverage: lookup.coverage,
    ensure(zones) {
      for (const zone of zones) ensureOne(zone);
    },
    onLoaded: announcer.onLoaded,
    areas: createAreaBook(book, atlas),
    stats: () => ({ versions: book.generation(), ...queue.stats() }),
    async stop() {
      stopped = true;
      announcer.stop();
      await queue.stop();
    },
  };
}

function isSameZone(before: ZoneVersion, after: Omit<StoredZone, 'geometry'>): boolean {
  return (
    before.effectiveFrom === after.effectiveFrom &&
    before.effectiveTo === after.effectiveTo &&
    JSON.stringify(before.props) === JSON.stringify(after.props)
  );
}

function infoOf(version: ZoneVersion | null, type: ZoneType): ZoneInfo | null {
  if (!version) return null;
  const { code, effectiveFrom, isEmbedded, props } = version;
  const { name, state, timeZones, offices } = props;
  return { code, type, name, state, timeZones, offices, effectiveFrom: isEmbedded || effectiveFrom === 0 ? null : effectiveFrom };
}
