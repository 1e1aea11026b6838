import type { Feed, RawFeature, SimSnapshot } from '../feature.ts';
import { createLocalTime } from '../local-time.ts';
import { type Atlas, loadAtlas } from '../places/atlas.ts';
import { atlasZones } from '../places/zones.ts';
import { hash32 } from '../random.ts';
import type { Draft } from './chain.ts';
import { listFamilies, listSeasonalFamilies } from './families.ts';
import { keepAliveById, keepAlivesSent } from './keep-alive.ts';
import { createSchedule, type Schedule, SLOT_MS, type System } from './schedule.ts';
import { heaviestSeason, seasonWeight } from './seasons.ts';
import { identifierOf, writeMessage, type Writer } from './write-message.ts';

export interface StormOptions {
  seed: number;
  /** First instant that will be asked for; only warms the caches, the world does not depend on it. */
  startedAt: number;
  /** 1 to 600, default 1. Above 1 a day of weather passes in a 1/speed of a day and all lifetimes shrink with it. */
  speed?: number;
  /** Listed messages aimed at, 100 to 600 (by the calendar 20 to 600, in the mean of a year), default 220. */
  targetActive?: number;
  status?: 'Exercise' | 'Actual';
  /** `all` (default): every season at once. `calendar`: by month and hour, so that the number listed swings with the year. */
  seasons?: 'all' | 'calendar';
  /** Share one between feeds to save loading it (default: loads its own). */
  atlas?: Atlas;
}

const DEFAULT_ACTIVE = 220;
/** Numbers swing by about a sixth around the aim, so the aim stays inside what is promised: 100 to 600 at any time. */
const AIM: [lowest: number, highest: number] = [130, 490];

/** A message of the world with its instants on the caller's clock; its text is written when first asked for. */
interface Message {
  sent: number;
  listedUntil: number;
  id: string;
  copies: number;
  feature(): RawFeature;
}

/**
 * Seeded weather as a function of (seed, speed, targetActive, status, instant): the same instant gives the same bytes whatever was
 * asked before, from whichever process. Throws RangeError for a speed or target outside its range.
 */
export function createStormFeed(options: StormOptions): Feed {
  const speed = options.speed ?? 1;
  const target = options.targetActive ?? DEFAULT_ACTIVE;
  if (!(speed >= 1 && speed <= 600)) throw new RangeError('speed must be 1 to 600');
  const atlas = options.atlas ?? loadAtlas();
  const quantum = speed === 1 ? 60_000 : 1_000;
  const byCalendar = options.seasons === 'calendar';
  // A year of history at the pace of a large country is gigabytes: by the calendar it may be a calm one.
  const least = byCalendar ? 20 : 100;
  if (!(target >= least && target <= 600)) throw new RangeError(`targetActive must be ${least} to 600`);
  const tag = `${options.seed}${byCalendar ? 'y' : ''}${speed === 1 ? '' : `x${speed}`}${target === DEFAULT_ACTIVE ? '' : `n${target}`}`;
  const writer: Writer = {
    tag,
    status: options.status ?? 'Exercise',
    times: createLocalTime(),
    toWall: (at) => Math.round(at / speed / quantum) * quantum,
  };
  const yearStart = (at: number): number => (speed === 1 ? Date.UTC(new Date(at).getUTCFullYear(), 0) : Date.UTC(2020, 0) * speed);
  const schedule = createSchedule({
    seed: options.seed,
    atlas,
    families: byCalendar ? [...listFamilies(), ...listSeasonalFamilies()] : listFamilies(),
    target: Math.min(AIM[1], byCalendar ? target : Math.max(AIM[0], target)),
    yearStart,
    ...(byCalendar ? { seasons: { weight: seasonWeight, heaviest: heaviestSeason } } : {}),
  });
  const world = createWorld(schedule, writer, speed, options.seed);
  const alive = { tag };
  world.listed(options.startedAt);
  return {
    kind: 'storms',
    activeAt: (now) => snapshot(now, world.listed(now), keepAlivesSent(alive, now - KEEP_ALIVE_LISTED_MS, now)),
    issuedBetween: (from, to) =>
      [...world.sentBetween(from, to).map((message) => message.feature()), ...keepAlivesSent(alive, from, to)].sort(
        (a, b) => Date.parse(a.properties.sent) - Date.parse(b.properties.sent),
      ),
    byId: (id) => keepAliveById(alive, id) ?? findById(schedule, writer, tag, id),
    ...atlasZones(atlas),
  };
}

/** Upstream's monitoring message comes every ten minutes and lasts as long. */
const KEEP_ALIVE_LISTED_MS = 600_000;

interface World {
  listed(now: number): Message[];
  sentBetween(from: number, to: number): Message[];
}

/** Keeps the messages of the slots in reach; slots that fell out of reach are dropped, and rebuilt alike if asked for again. */
function createWorld(schedule: Schedule, writer: Writer, speed: number, seed: number): World {
  const slots = new Map<number, { ageMs: number; messages: Message[] }>();
  // A slot first seen at a great age lacks the short-lived systems, so it serves only questions about that age or a greater one.
  const slotAt = (slot: number, ageMs: number): Message[] => {
    const known = slots.get(slot);
    if (known && known.ageMs <= ageMs) return known.messages;
    const messages = schedule.lastingIn(slot, ageMs).flatMap((system) => messagesOf(writer, system, seed));
    slots.set(slot, { ageMs, messages });
    return messages;
  };
  const reach = Math.ceil(schedule.longestLifeMs / SLOT_MS);
  return {
    listed: (now) => {
      const last = Math.floor((now * speed) / SLOT_MS);
      for (const slot of slots.keys()) if (slot < last - reach - 200 || slot > last + 200) slots.delete(slot);
      const found: Message[] = [];
      for (let slot = last - reach; slot <= last; slot += 1) {
        for (const message of slotAt(slot, now * speed - slot * SLOT_MS))
          if (message.sent <= now && message.listedUntil > now) found.push(message);
      }
      return found;
    },
    sentBetween: (from, to) => {
      const found: Message[] = [];
      for (let slot = Math.floor((from * speed) / SLOT_MS) - reach; slot <= Math.floor((to * speed) / SLOT_MS); slot += 1) {
        for (const message of slotAt(slot, Math.max(0, from * speed - (slot + 1) * SLOT_MS)))
          if (message.sent > from && message.sent <= to) found.push(message);
      }
      return found;
    },
  };
}

function messagesOf(writer: Writer, system: System, seed: number): Message[] {
  return system.drafts().map((draft) => toMessage(writer, system.key, draft, seed));
}

/** One message in 150 is listed twice in the same answer, as upstream does at times (trap 10). */
const TWICE_IN = 150;

function toMessage(writer: Writer, key: string, draft: Draft, seed: number): Message {
  const id = identifierOf(writer, key, draft);
  let written: RawFeature | undefined;
  return {
    id,
    sent: writer.toWall(draft.at),
    listedUntil: writer.toWall(draft.listedUntil),
    copies: hash32(seed, 'twice', id) % TWICE_IN === 0 ? 2 : 1,
    feature: () => (written ??= writeMessage(writer, key, draft)),
  };
}

function snapshot(now: number, messages: Message[], alive: RawFeature[]): SimSnapshot {
  const sorted = messages.sort((a, b) => b.sent - a.sent || (a.id < b.id ? -1 : 1));
  const features = sorted.flatMap((message) => Array.from({ length: message.copies }, () => message.feature()));
  const newest = Math.max(sorted[0]?.sent ?? 0, ...alive.map((feature) => Date.parse(feature.properties.sent)));
  return { updated: Math.min(now, newest), features: [...alive, ...features] };
}

function findById(schedule: Schedule, writer: Writer, tag: string, id: string): RawFeature | undefined {
  const urn = `urn:nwms:sim:${tag}:`;
  const civil = `SIMCO_${tag}_`;
  const key = id.startsWith(urn)
    ? id.slice(urn.length).replace(/-\d+\.\d{3}\.\d+$/, '')
    : id.startsWith(civil)
      ? id.slice(civil.length).replace(/_\d+$/, '')
      : null;
  const system = key === null ? undefined : schedule.find(key);
  const draft = system?.drafts().find((candidate) => identifierOf(writer, system.key, candidate) === id);
  return system && draft && writeMessage(writer, system.key, draft);
}
