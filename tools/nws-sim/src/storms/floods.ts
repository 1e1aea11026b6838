import type { Position, Ring } from '@nwms/domain/geo/shape';

import { moved, rounded } from '../places/geometry.ts';
import { clusterOf, countiesUnder, countyArea, marineArea, marineCluster } from './areas.ts';
import { newTrack, playWarning } from './convective.ts';
import { hazard } from './hazards.ts';
import { HOUR_MS, MINUTE_MS, type Product, roundUp, type Segment, type Turn } from './model.ts';

/** Blob of eight corners around a point, radii in km at random; counter-clockwise and closed. */
function basin(turn: Turn, heart: Position, radiusKm: number): Ring {
  const ring = Array.from({ length: 8 }, (_, index) => rounded(moved(heart, 360 - index * 45, radiusKm * turn.random.between(0.6, 1.3))));
  const [first] = ring;
  return first ? [...ring, first] : ring;
}

function heartOf(turn: Turn): Position {
  return clusterOf(turn.atlas, turn.office, 1, turn.random)[0]?.center ?? turn.office.position;
}

interface FloodPlan {
  pair: 'FF.W' | 'FA.W' | 'FA.Y' | 'FL.W';
  radiusKm: number;
  hours: [number, number];
  updateHours: number;
  /** VTEC end zeros until the last product names an end (or cancels). */
  openEnded: boolean;
}

/** A flood product with a polygon that stays where it is: NEW, CON or EXT on the way, CAN or EXP at the end. */
export function playFlood(turn: Turn, plan: FloodPlan): Product[] {
  const { random } = turn;
  const polygon = basin(turn, heartOf(turn), plan.radiusKm);
  const areas = countiesUnder(turn.atlas, polygon).map(countyArea);
  if (areas.length === 0) return [];
  let end = roundUp(turn.at + random.whole(plan.hours[0], plan.hours[1]) * HOUR_MS, HOUR_MS / 4);
  const products: Product[] = [];
  const tags = plan.pair === 'FF.W' ? floodTags(turn) : {};
  const send = (action: Segment['action'], at: number): void => {
    const over = action === 'CAN' || action === 'EXP';
    const open = plan.openEnded && !over && end - at > 12 * HOUR_MS;
    const expires = over ? at + 30 * MINUTE_MS : open ? at + 25 * HOUR_MS : Math.min(end, at + 9 * HOUR_MS);
    const segment: Segment = {
      action,
      hazard: hazard(plan.pair),
      office: turn.office,
      etn: turn.etn(0),
      areas,
      begin: turn.at,
      end: open ? null : end,
      expires,
      tags,
      quiet: action === 'CAN' && random.chance(0.75),
    };
    products.push({ at, segments: [[over ? segment : { ...segment, polygon }]] });
  };
  send('NEW', turn.at);
  for (let at = turn.at; ;) {
    at += Math.round(plan.updateHours * 60 * random.between(0.7, 1.2)) * MINUTE_MS;
    if (at > end - 20 * MINUTE_MS) break;
    const extend = random.chance(0.15);
    if (extend) end += random.whole(1, 3) * HOUR_MS;
    // The step that turns "until further notice" into a time, or moves it, is EXT.
    const nowTimed = plan.openEnded && end - at <= 12 * HOUR_MS && (products.at(-1)?.segments[0]?.[0]?.end ?? null) === null;
    send(extend || nowTimed ? 'EXT' : 'CON', at);
  }
  const close = random.pick(['CAN', 'EXP', 'silent'] as const);
  if (close !== 'silent' || plan.openEnded) {
    const at = end - random.whole(3, 9) * MINUTE_MS;
    if (at > (products.at(-1)?.at ?? 0)) send(close === 'CAN' ? 'CAN' : 'EXP', at);
  }
  return products;
}

function floodTags(turn: Turn): Record<string, string[]> {
  const threat = turn.random.pick(['', '', '', 'CONSIDERABLE', 'CATASTROPHIC'] as const);
  return {
    flashFloodDetection: [turn.random.pick(['RADAR INDICATED', 'OBSERVED'] as const)],
    ...(threat ? { flashFloodDamageThreat: [threat] } : {}),
  };
}

/** Special Marine Warning: a storm over a strip of sea zones. */
export function playMarineStorm(turn: Turn): Product[] {
  const zones = marineCluster(turn.atlas, turn.office, 2, turn.random);
  const [zone] = zones;
  if (!zone) return [];
  const track = { ...newTrack(turn, 8, 14), start: zone.center };
  const end = turn.at + turn.random.whole(6, 12) * 5 * MINUTE_MS;
  const tags = (): Record<string, string[]> => ({
    waterspoutDetection: [turn.random.pick(['POSSIBLE', 'OBSERVED'] as const)],
    maxWindGust: ['34 KNOTS'],
    maxHailSize: ['0.50'],
  });
  const plan = {
    hazard: hazard('MA.W'),
    etn: turn.etn(0),
    begin: turn.at,
    minutes: (end - turn.at) / MINUTE_MS,
    line: false,
    tags,
    ending: 'EXP' as const,
  };
  return playWarning(turn, track, plan, zones.map(marineArea));
}
