import type { Atlas, County } from '../places/atlas.ts';
import type { Office } from '../places/offices.ts';
import { clusterOf, fireArea, forecastArea, marineArea, marineCluster } from './areas.ts';
import { newTrack, playSquallLine, playSupercell, statement } from './convective.ts';
import { playFlood, playMarineStorm } from './floods.ts';
import { hazard } from './hazards.ts';
import { type Area, type Family, HOUR_MS, type Product, roundUp, type Turn } from './model.ts';
import { playAlaskaWaters, playCivil, playPlain, playTsunamiTest } from './specials.ts';
import { playConvectiveWatch, playWatch } from './watch-script.ts';
import { pickLife, playZones } from './zone-script.ts';

type Serves = Family['serves'];
type Range = [from: number, to: number];

const onLand: Serves = (office, atlas) => atlas.countiesOf(office).length > 0;
const mainland: Serves = (office, atlas) => office.region === 'lower48' && onLand(office, atlas);
const north: Serves = (office, atlas) => (mainland(office, atlas) && office.position[1] > 34) || office.region === 'alaska';
const farNorth: Serves = (office) => (office.region === 'lower48' && office.position[1] > 40) || office.region === 'alaska';
const south: Serves = (office, atlas) => mainland(office, atlas) && office.position[1] < 41;
const west: Serves = (office, atlas) => mainland(office, atlas) && office.position[0] < -98;
const lakes: Serves = (office, atlas) => atlas.marineOf(office).some((zone) => zone.id.startsWith('L'));
const waters: Serves = (office, atlas) => office.region !== 'alaska' && atlas.marineOf(office).length > 0;
const shore: Serves = (office, atlas) => onLand(office, atlas) && atlas.marineOf(office).some((zone) => !zone.id.startsWith('L'));
const islands: Serves = (office) => office.region !== 'lower48' && office.region !== 'alaska';
const either =
  (a: Serves, b: Serves): Serves =>
  (office, atlas) =>
    a(office, atlas) || b(office, atlas);

/** Offices that lead a convective watch: far enough apart that two watches seldom share a county. */
const WATCH_LEADS = ['DMX', 'TOP', 'OUN', 'FWD', 'SHV', 'BMX', 'FFC', 'OHX', 'ILX', 'IND', 'MPX', 'BIS', 'LWX', 'BOU'];

interface Spread {
  zones: Range;
  lead: Range;
  last: Range;
  every: number;
}

/** The families. Shares are relative weights of listed messages: how common a danger is here, not in nature. */
export function listFamilies(): Family[] {
  const standard: Spread = { zones: [3, 16], lead: [0, 20], last: [8, 30], every: 7 };
  const sea: Spread = { zones: [1, 5], lead: [0, 12], last: [10, 30], every: 6 };
  const fog: Spread = { zones: [4, 18], lead: [0, 2], last: [4, 9], every: 3 };
  return [
    {
      ...family('storm', 34, mainland),
      longestHours: 5,
      numbersPerTurn: 2,
      compose: (turn) => (turn.random.chance(0.75) ? playSupercell(turn) : playSquallLine(turn)),
    },
    { ...family('sps', 8, onLand), longestHours: 3, compose: (turn) => statement(turn, newTrack(turn, 12, 20), turn.at) },
    {
      ...family('spc', 9, (office) => WATCH_LEADS.includes(office.id)),
      longestHours: 20,
      nationalNumbers: true,
      compose: playConvectiveWatch,
    },
    {
      ...family('ffw', 9, onLand),
      longestHours: 16,
      compose: (turn) => playFlood(turn, { pair: 'FF.W', radiusKm: 22, hours: [3, 6], updateHours: 1.2, openEnded: false }),
    },
    {
      ...family('faw', 6, onLand),
      longestHours: 30,
      compose: (turn) => playFlood(turn, { pair: 'FA.W', radiusKm: 40, hours: [6, 14], updateHours: 4, openEnded: false }),
    },
    {
      ...family('fay', 7, either(mainland, islands)),
      longestHours: 20,
      compose: (turn) => playFlood(turn, { pair: 'FA.Y', radiusKm: 18, hours: [3, 7], updateHours: 2, openEnded: false }),
    },
    {
      ...family('flw', 18, mainland),
      cycleHours: 240,
      compose: (turn) => playFlood(turn, { pair: 'FL.W', radiusKm: 15, hours: [40, 96], updateHours: 11, openEnded: true }),
    },
    { ...family('ffa', 4, west), compose: (turn) => zones(turn, 'FF.A', standard) },
    { ...family('faa', 6, south), compose: (turn) => zones(turn, 'FA.A', standard) },
    { ...family('ws', 16, north), compose: (turn) => watched(turn, 'WS', forecastArea, 'WS.W', standard) },
    { ...family('ww', 13, north), compose: (turn) => zones(turn, 'WW.Y', standard) },
    { ...family('bz', 3, farNorth), compose: (turn) => zones(turn, 'BZ.W', standard) },
    { ...family('le', 3, lakes), compose: (turn) => zones(turn, 'LE.W', { ...standard, zones: [2, 6] }) },
    { ...family('cw', 5, farNorth), compose: (turn) => zones(turn, 'CW.Y', standard) },
    { ...family('xh', 5, south), compose: (turn) => watched(turn, 'XH', forecastArea, 'XH.W', standard) },
    { ...family('ht', 7, either(south, islands)), compose: (turn) => zones(turn, 'HT.Y', standard) },
    { ...family('hw', 8, either(west, farNorth)), compose: (turn) => watched(turn, 'HW', forecastArea, 'HW.W', standard) },
    { ...family('wi', 9, onLand), compose: (turn) => zones(turn, 'WI.Y', standard) },
    { ...family('fz', 5, mainland), compose: (turn) => watched(turn, 'FZ', forecastArea, 'FZ.W', standard) },
    { ...family('fg', 6, mainland), longestHours: 20, compose: (turn) => zones(turn, 'FG.Y', fog) },
    { ...family('fw', 6, west), compose: (turn) => watched(turn, 'FW', fireArea, 'FW.W', { ...standard, last: [6, 14] }) },
    { ...family('sc', 18, waters), compose: (turn) => zones(turn, 'SC.Y', sea) },
    {
      ...family('gl', 10, waters),
      compose: (turn) => (turn.random.chance(0.4) ? watched(turn, 'GL', null, 'GL.W', sea) : zones(turn, 'GL.W', sea)),
    },
    { ...family('sr', 3, waters), compose: (turn) => zones(turn, 'SR.W', sea) },
    { ...family('maw', 3, waters), longestHours: 3, compose: playMarineStorm },
    { ...family('cwf', 20, (office) => office.region === 'alaska'), numbersPerTurn: 30, firstNumber: 3000, compose: playAlaskaWaters },
    {
      ...family('su', 4, (office, atlas) => mainland(office, atlas) && shore(office, atlas)),
      compose: (turn) => zones(turn, 'SU.Y', standard),
    },
    { ...family('isl', 8, islands), compose: (turn) => zones(turn, 'SU.Y', { ...standard, zones: [1, 4] }) },
    { ...family('suw', 2, islands), compose: (turn) => zones(turn, 'SU.W', standard) },
    { ...family('rp', 4, shore), compose: (turn) => zones(turn, 'RP.S', standard) },
    { ...family('aqa', 9, mainland), compose: (turn) => playPlain(turn, 'AQA', [20, 34]) },
    { ...family('esf', 2, onLand), compose: (turn) => playPlain(turn, 'ESF', [20, 40]) },
    { ...family('cem', 1, mainland), longestHours: 12, compose: playCivil },
    { ...family('tst', 0.5, (office) => office.region === 'alaska'), longestHours: 2, compose: playTsunamiTest },
  ];
}

/** What exists only by the calendar: tropical storms over the coast from Texas to New England. */
export function listSeasonalFamilies(): Family[] {
  const landfall: Spread = { zones: [6, 16], lead: [6, 24], last: [12, 30], every: 6 };
  const tropical: Serves = (office, atlas) =>
    mainland(office, atlas) && shore(office, atlas) && office.position[0] > -98 && office.position[1] < 43;
  return [
    {
      ...family('hu', 6, tropical),
      compose: (turn) => (turn.random.chance(0.35) ? watched(turn, 'HU', forecastArea, 'HU.W', landfall) : zones(turn, 'TR.W', landfall)),
    },
  ];
}

function family(code: string, share: number, serves: Serves): Omit<Family, 'compose'> {
  return { code, share, serves, cycleHours: 48, numbersPerTurn: 1, longestHours: 130 };
}

function hoursIn(turn: Turn, [from, to]: Range): number {
  return turn.random.whole(from * 4, to * 4) / 4;
}

function nearbyAreas(turn: Turn, count: number, spell: ((county: County) => Area) | null): Area[] {
  if (spell) return clusterOf(turn.atlas, turn.office, count, turn.random).map(spell);
  return marineCluster(turn.atlas, turn.office, count, turn.random).map(marineArea);
}

function isMarine(pair: string): boolean {
  return ['SC.Y', 'GL.W', 'SR.W'].includes(pair);
}

/** One hazard over zones; one system in six speaks of two zone groups with times of their own (two segments, one number). */
function zones(turn: Turn, pair: string, spread: Spread): Product[] {
  const wanted = turn.random.whole(...spread.zones);
  const areas = nearbyAreas(turn, wanted + 4, isMarine(pair) ? null : forecastArea);
  const chosen = areas.slice(0, wanted);
  if (chosen.length === 0) return [];
  const lead = hoursIn(turn, spread.lead);
  const begin = lead < 1 ? turn.at : roundUp(turn.at + lead * HOUR_MS, HOUR_MS);
  const end = roundUp(begin + hoursIn(turn, spread.last) * HOUR_MS, HOUR_MS);
  const half = Math.floor(chosen.length / 2);
  const groups =
    half > 0 && turn.random.chance(1 / 6)
      ? [
          { areas: chosen.slice(0, half), begin, end },
          { areas: chosen.slice(half), begin, end: end + 3 * HOUR_MS },
        ]
      : [{ areas: chosen, begin, end }];
  return playZones(
    turn,
    { hazard: hazard(pair), etn: turn.etn(0), groups, updateHours: spread.every, steps: pickLife(turn), spare: areas.slice(wanted) },
    turn.at,
  );
}

function watched(turn: Turn, phenomenon: string, spell: ((county: County) => Area) | null, warning: string, spread: Spread): Product[] {
  const wanted = turn.random.whole(...spread.zones);
  const areas = nearbyAreas(turn, wanted + 4, spell);
  if (areas.length === 0) return [];
  return playWatch(turn, {
    watch: hazard(`${phenomenon}.A`),
    warning: hazard(warning),
    areas: areas.slice(0, wanted),
    spare: areas.slice(wanted),
    leadHours: turn.random.whole(24, 48),
    lastHours: turn.random.whole(10, 24),
  });
}

/** Offices of a family, in the fixed order of the atlas. */
export function officesOf(family: Family, atlas: Atlas): Office[] {
  return atlas.offices.filter((office) => family.serves(office, atlas));
}
