import type { Atlas } from '../places/atlas.ts';
import type { Office } from '../places/offices.ts';
import { hash32, seededRandom } from '../random.ts';
import { chain, type Draft } from './chain.ts';
import { officesOf } from './families.ts';
import { type Family, HOUR_MS, MINUTE_MS, type Turn } from './model.ts';

/**
 * When and where systems begin. Time is cut into cycles; in every cycle each office of a family has one turn per lane, in the order
 * in which a front crossing the country on a random heading would reach them. A turn happens or not by a seeded draw. So the
 * systems of any hour can be found without simulating what came before, and event numbers are unique because they follow from
 * office, lane and cycle.
 */
export interface Schedule {
  /** Systems begun in the slot (weather time divided by SLOT_MS) that may still be listed `ageMs` after the slot's start. */
  lastingIn(slot: number, ageMs: number): System[];
  /** Rebuilds one system from its key; undefined when there never was one. */
  find(key: string): System | undefined;
  /** The longest any family's system can matter after its start. */
  longestLifeMs: number;
}

/** Systems are looked up by slots of ten minutes, so that moving on costs little at a time. */
export const SLOT_MS = 10 * MINUTE_MS;

export interface System {
  key: string;
  startsAt: number;
  longestMs: number;
  drafts(): Draft[];
}

interface Course {
  family: Family;
  offices: Office[];
  lanes: number;
  probability: number;
  cycleMs: number;
  /** `probability` is that of the likeliest hour of the year, which is so many times the mean. */
  heaviest: number;
}

export interface ScheduleOptions {
  seed: number;
  atlas: Atlas;
  families: Family[];
  /** Listed messages aimed at, all families together. */
  target: number;
  /** Weather instant at which the numbering year of a weather instant begins. */
  yearStart(at: number): number;
  /** How likely turns are over the year and the day, against their mean; default: always alike. */
  seasons?: { weight(code: string, at: number, longitude: number): number; heaviest(code: string): number };
}

export function createSchedule(options: ScheduleOptions): Schedule {
  const shares = options.families.reduce((sum, family) => sum + family.share, 0);
  const courses = options.families.map((family) => calibrate(family, options, (family.share / shares) * options.target));
  const orders = new Map<string, Office[]>();
  const order = (course: Course, lane: number, cycle: number): Office[] => {
    const key = `${course.family.code}.${lane}.${cycle}`;
    const known = orders.get(key);
    if (known) return known;
    // A few hundred orders cover the longest look back; older ones will not be asked for again.
    if (orders.size > 2000) orders.clear();
    const made = sweep(course, options.seed, key);
    orders.set(key, made);
    return made;
  };
  const system = (course: Course, lane: number, cycle: number, position: number): System | undefined => {
    const office = order(course, lane, cycle)[position];
    return office && turnAt(options, course, { lane, cycle, position, office });
  };
  return {
    longestLifeMs: Math.max(...options.families.map((family) => family.longestHours)) * HOUR_MS,
    lastingIn: (slot, ageMs) =>
      courses.filter(({ family }) => family.longestHours * HOUR_MS + SLOT_MS > ageMs).flatMap((course) => startsOf(course, slot, system)),
    find: (key) => {
      const [code, lane, cycle, officeId] = key.split('-');
      const course = courses.find((candidate) => candidate.family.code === code);
      if (!course || lane === undefined || cycle === undefined) return undefined;
      const position = order(course, Number(lane), parseInt(cycle, 36)).findIndex((office) => office.id === officeId);
      return position < 0 ? undefined : system(course, Number(lane), parseInt(cycle, 36), position);
    },
  };
}

type Find = (course: Course, lane: number, cycle: number, position: number) => System | undefined;

function startsOf(course: Course, slot: number, system: Find): System[] {
  const from = slot * SLOT_MS;
  const count = course.offices.length;
  const found: System[] = [];
  for (let lane = 0; lane < course.lanes; lane += 1) {
    const shift = (lane / course.lanes) * course.cycleMs;
    const firstCycle = Math.floor((from - shift) / course.cycleMs);
    for (const cycle of [firstCycle - 1, firstCycle, firstCycle + 1]) {
      const base = cycle * course.cycleMs + shift;
      const low = Math.max(0, Math.floor(((from - base) / course.cycleMs) * count) - 1);
      const high = Math.min(count - 1, Math.ceil(((from + SLOT_MS - base) / course.cycleMs) * count));
      for (let position = low; position <= high; position += 1) {
        const candidate = system(course, lane, cycle, position);
        if (candidate && candidate.startsAt >= from && candidate.startsAt < from + SLOT_MS) found.push(candidate);
      }
    }
  }
  return found;
}

/** Offices in the order a front reaches them: by their place along a random heading, with some disorder. */
function sweep(course: Course, seed: number, key: string): Office[] {
  const random = seededRandom(seed, 'sweep', key);
  const heading = random.between(-0.6, 1.2);
  const rank = new Map(
    course.offices.map((office) => [
      office,
      office.position[0] * Math.cos(heading) + office.position[1] * Math.sin(heading) + random.between(-4, 4),
    ]),
  );
  return course.offices.toSorted((a, b) => (rank.get(a) ?? 0) - (rank.get(b) ?? 0));
}

interface Place {
  lane: number;
  cycle: number;
  position: number;
  office: Office;
}

function turnAt(options: ScheduleOptions, course: Course, place: Place): System | undefined {
  const { family } = course;
  const key = `${family.code}-${place.lane}-${place.cycle.toString(36)}-${place.office.id}`;
  const draw = hash32(options.seed, 'turn', key) / 4294967296;
  if (draw >= course.probability) return undefined;
  const weight = options.seasons?.weight;
  const base = (place.cycle + place.lane / course.lanes) * course.cycleMs;
  const jitter = hash32(options.seed, 'jitter', key) / 4294967296;
  const startsAt = Math.floor((base + ((place.position + jitter) / course.offices.length) * course.cycleMs) / MINUTE_MS) * MINUTE_MS;
  if (weight && draw >= course.probability * (weight(family.code, startsAt, place.office.position[0]) / course.heaviest)) return undefined;
  const turn = (): Turn => ({
    key,
    office: place.office,
    at: startsAt,
    random: seededRandom(options.seed, 'life', key),
    atlas: options.atlas,
    etn: numbering(options, course, place),
  });
  return { key, startsAt, longestMs: family.longestHours * HOUR_MS, drafts: () => chain(family.compose(turn())) };
}

/** Highest number in use; VTEC has four digits, and from 3000 on Alaska's marine numbers are made up. */
const MAX_NUMBER = 2999;

function numbering(options: ScheduleOptions, course: Course, place: Place): Turn['etn'] {
  const { family, lanes, cycleMs, offices } = course;
  const firstCycle = Math.ceil(options.yearStart(place.cycle * cycleMs) / cycleMs);
  const turns = Math.max(0, place.cycle - firstCycle) * lanes + place.lane;
  const count = family.nationalNumbers ? turns * offices.length + offices.indexOf(place.office) : turns;
  const first = family.firstNumber ?? 1;
  const range = family.firstNumber ? 9999 - first : MAX_NUMBER;
  return (k) => first + ((count * family.numbersPerTurn + k) % range);
}

/** Sample turns per family to learn how many listed hours one of its systems gives. */
const SAMPLES = 24;

/** Chooses lanes and probability so that `wanted` messages of the family are listed on average. */
function calibrate(family: Family, options: ScheduleOptions, wanted: number): Course {
  const offices = officesOf(family, options.atlas);
  const cycleMs = family.cycleHours * HOUR_MS;
  let listedMs = 0;
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const office = offices[(sample * 7) % offices.length];
    if (!office) throw new Error(`family ${family.code} has no office`);
    const turn: Turn = {
      key: 'sample',
      office,
      at: 0,
      random: seededRandom(options.seed, 'sample', family.code, sample),
      atlas: options.atlas,
      etn: () => 1 + sample,
    };
    for (const draft of chain(family.compose(turn))) listedMs += draft.listedUntil - draft.at;
  }
  const systemsPerCycle = (wanted * cycleMs) / (listedMs / SAMPLES);
  const heaviest = options.seasons?.heaviest(family.code) ?? 1;
  const most = systemsPerCycle * heaviest;
  const lanes = Math.max(1, Math.ceil(most / offices.length));
  return { family, offices, cycleMs, lanes, probability: most / offices.length / lanes, heaviest };
}
