import type { Position, Ring } from '@nwms/domain/geo/shape';

import { moved, rounded } from '../places/geometry.ts';
import { clusterOf, countiesUnder, countyArea } from './areas.ts';
import { hazard, plainHazard } from './hazards.ts';
import { type Area, type Hazard, MINUTE_MS, type Product, roundUp, type Segment, type Turn } from './model.ts';

/** A moving storm: where it was at `from`, where it goes. */
export interface Track {
  from: number;
  start: Position;
  towardDegrees: number;
  speedKt: number;
  /** Half the width at the storm and at the far end, km. */
  nearKm: number;
  farKm: number;
}

const KM_PER_KT_HOUR = 1.852;

/** A track that starts near a county of the turn's office; most weather moves east to north-east. */
export function newTrack(turn: Turn, nearKm: number, farKm: number): Track {
  const [county] = clusterOf(turn.atlas, turn.office, 1, turn.random);
  const start = county?.center ?? turn.office.position;
  const tropics = Math.abs(start[1]) < 25;
  const towardDegrees = tropics ? turn.random.whole(240, 310) : turn.random.whole(35, 110);
  return { from: turn.at, start, towardDegrees, speedKt: turn.random.whole(tropics ? 8 : 20, tropics ? 20 : 55), nearKm, farKm };
}

export function positionAt(track: Track, at: number): Position {
  return moved(track.start, track.towardDegrees, ((at - track.from) / 3_600_000) * track.speedKt * KM_PER_KT_HOUR);
}

/** Storm-based warning area: from just behind the storm at `at` to where it will be at `end`; it shrinks as the storm moves on. */
export function outline(track: Track, at: number, end: number): Ring {
  const tail = moved(positionAt(track, at), track.towardDegrees + 180, 5);
  const head = moved(positionAt(track, end), track.towardDegrees, 6);
  const [left, right] = [track.towardDegrees - 90, track.towardDegrees + 90];
  const first = rounded(moved(tail, left, track.nearKm));
  return [
    first,
    rounded(moved(head, left, track.farKm)),
    rounded(moved(head, right, track.farKm)),
    rounded(moved(tail, right, track.nearKm)),
    first,
  ];
}

interface Warning {
  hazard: Hazard;
  etn: number;
  begin: number;
  minutes: number;
  line: boolean;
  tags(round: number): Record<string, string[]>;
  ending: 'EXP' | 'CAN' | 'silent';
}

/**
 * NEW, then statements every 10 to 16 minutes with a shorter polygon; counties left behind are cancelled in their own segment.
 * `fixed` names the areas instead of the counties under the polygon (sea zones).
 */
export function playWarning(turn: Turn, track: Track, warning: Warning, fixed?: Area[]): Product[] {
  const end = roundUp(warning.begin + warning.minutes * MINUTE_MS, 5 * MINUTE_MS);
  const products: Product[] = [];
  let areas: Area[] = [];
  const body = (action: Segment['action'], at: number, round: number, live: Area[]): Segment => {
    const points = warning.line
      ? [positionAt(track, at), moved(positionAt(track, at), track.towardDegrees + 90, track.nearKm)]
      : [positionAt(track, at)];
    const { towardDegrees, speedKt } = track;
    const { hazard, etn, begin } = warning;
    return {
      action,
      hazard,
      office: turn.office,
      etn,
      areas: live,
      begin,
      end,
      expires: end,
      polygon: outline(track, at, end),
      tags: warning.tags(round),
      motion: { towardDegrees, speedKt, points },
    };
  };
  const over = (action: 'CAN' | 'EXP', at: number, gone: Area[]): Segment => {
    const { hazard, etn, begin } = warning;
    return {
      action,
      hazard,
      office: turn.office,
      etn,
      areas: gone,
      begin,
      end,
      expires: at + 16 * MINUTE_MS,
      quiet: action === 'CAN' && turn.random.chance(0.75),
    };
  };
  for (let at = warning.begin, round = 0; at < end - 9 * MINUTE_MS; at += turn.random.whole(10, 16) * MINUTE_MS, round += 1) {
    const now = fixed ?? countiesUnder(turn.atlas, outline(track, at, end)).map(countyArea);
    if (round === 0) {
      if (now.length === 0) return [];
      areas = now;
      products.push({ at, segments: [[body('NEW', at, 0, now)]] });
      continue;
    }
    const kept = areas.filter((area) => now.some((candidate) => candidate.ugc === area.ugc));
    const gone = areas.filter((area) => !kept.includes(area));
    if (kept.length === 0) break;
    products.push({ at, segments: [...(gone.length > 0 ? [[over('CAN', at, gone)]] : []), [body('CON', at, round, kept)]] });
    areas = kept;
  }
  if (warning.ending !== 'silent') {
    const at = end - (warning.ending === 'EXP' ? turn.random.whole(2, 5) : turn.random.whole(6, 8)) * MINUTE_MS;
    const last = products.at(-1)?.at ?? at;
    if (at > last) products.push({ at, segments: [[over(warning.ending, at, areas)]] });
  }
  return products;
}

/** One or two severe thunderstorm warnings along a track; half the supercells also turn tornadic. */
export function playSupercell(turn: Turn): Product[] {
  const { random } = turn;
  const track = newTrack(turn, 9, 18);
  const gust = random.pick([58, 60, 70, 80] as const);
  const threat = gust >= 80 ? 'DESTRUCTIVE' : gust === 70 ? 'CONSIDERABLE' : '';
  const hail = random.pick(['0.88', '1.00', '1.75', '2.75', '4.00'] as const);
  const severeTags = (round: number): Record<string, string[]> => ({
    windThreat: [round > 0 && random.chance(0.3) ? 'OBSERVED' : 'RADAR INDICATED'],
    maxWindGust: [`${gust} MPH`],
    hailThreat: ['RADAR INDICATED'],
    maxHailSize: [hail],
    ...(threat ? { thunderstormDamageThreat: [threat] } : {}),
    ...(random.chance(0.3) ? { tornadoDetection: ['POSSIBLE'] } : {}),
  });
  const products: Product[] = [];
  for (let number = 0; number < 2; number += 1) {
    const begin = turn.at + number * random.whole(38, 44) * MINUTE_MS;
    const minutes = random.whole(9, 12) * 5;
    products.push(
      ...playWarning(turn, track, {
        hazard: hazard('SV.W'),
        etn: turn.etn(number),
        begin,
        minutes,
        line: false,
        tags: severeTags,
        ending: random.pick(['EXP', 'CAN', 'silent'] as const),
      }),
    );
    if (random.chance(0.5)) products.push(...tornado(turn, track, begin + random.whole(8, 20) * MINUTE_MS, number));
  }
  return products.sort((a, b) => a.at - b.at);
}

/** Tornado warning that may escalate: radar indicated, observed, considerable, catastrophic (the "tornado emergency", trap 29). */
function tornado(turn: Turn, track: Track, begin: number, number: number): Product[] {
  const worst = turn.random.pick([0, 0, 0, 1, 2, 3] as const);
  const tags = (round: number): Record<string, string[]> => {
    const level = Math.min(worst, round);
    return {
      tornadoDetection: [level > 0 ? 'OBSERVED' : 'RADAR INDICATED'],
      maxHailSize: ['1.25'],
      ...(level === 2 ? { tornadoDamageThreat: ['CONSIDERABLE'] } : level === 3 ? { tornadoDamageThreat: ['CATASTROPHIC'] } : {}),
    };
  };
  const narrow = { ...track, nearKm: 6, farKm: 13 };
  return playWarning(turn, narrow, {
    hazard: hazard('TO.W'),
    etn: turn.etn(number),
    begin,
    minutes: turn.random.whole(5, 9) * 5,
    line: false,
    tags,
    ending: turn.random.pick(['EXP', 'CAN', 'silent'] as const),
  });
}

/** A line of storms: one wide severe thunderstorm warning, then a weaker statement as it decays. */
export function playSquallLine(turn: Turn): Product[] {
  const track = newTrack(turn, 45, 60);
  const gust = turn.random.pick([60, 70] as const);
  const tags = (): Record<string, string[]> => ({
    windThreat: ['RADAR INDICATED'],
    maxWindGust: [`${gust} MPH`],
    hailThreat: ['RADAR INDICATED'],
    maxHailSize: ['0.75'],
    ...(gust === 70 ? { thunderstormDamageThreat: ['CONSIDERABLE'] } : {}),
  });
  const minutes = turn.random.whole(9, 12) * 5;
  const warning = playWarning(turn, track, {
    hazard: hazard('SV.W'),
    etn: turn.etn(0),
    begin: turn.at,
    minutes,
    line: true,
    tags,
    ending: 'EXP',
  });
  return [...warning, ...statement(turn, track, turn.at + (minutes + 5) * MINUTE_MS)];
}

/** Special Weather Statement with a polygon, no VTEC and no `ends`: over when it expires. */
export function statement(turn: Turn, track: Track, at: number): Product[] {
  const expires = at + turn.random.whole(6, 12) * 5 * MINUTE_MS;
  const polygon = outline(track, at, expires);
  const areas = countiesUnder(turn.atlas, polygon).map(({ fips, name, state }) => ({
    ugc: `${state}Z${fips.slice(2)}`,
    family: 'forecast' as const,
    label: name,
    same: [`0${fips}`],
  }));
  if (areas.length === 0) return [];
  const tags = { maxWindGust: ['50 MPH'], maxHailSize: ['0.50'] };
  const motion = { towardDegrees: track.towardDegrees, speedKt: track.speedKt, points: [positionAt(track, at)] };
  return [
    {
      at,
      segments: [
        [
          {
            action: null,
            hazard: plainHazard('SPS'),
            office: turn.office,
            etn: 0,
            areas,
            begin: at,
            end: null,
            expires,
            polygon,
            tags,
            motion,
          },
        ],
      ],
    },
  ];
}
