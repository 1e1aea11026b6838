import type { VtecAction } from '@nwms/domain/alert/vocabulary';

import { type Area, type Hazard, HOUR_MS, MINUTE_MS, type Product, type Segment, type Turn } from './model.ts';

/** Part of an event whose areas share their times. */
export interface Group {
  areas: Area[];
  begin: number;
  end: number;
}

export interface ZonePlan {
  hazard: Hazard;
  etn: number;
  groups: Group[];
  /** Between two products of the event, hours. */
  updateHours: number;
  steps: readonly Step[];
  /** Areas that EXA or EXB may add. */
  spare: Area[];
}

/** A VTEC action for the whole event, or PARTIAL: cancel some areas and continue the rest in one product. */
export type Step = VtecAction | 'PARTIAL';

// Ways a zone event may live. CON at the end repeats until the end is near; without EXP the clock alone ends it.
const LIVES: readonly [readonly Step[], ...(readonly Step[])[]] = [
  ['NEW', 'CON'],
  ['NEW', 'CON'],
  ['NEW', 'CON'],
  ['NEW', 'CON', 'EXP'],
  ['NEW', 'EXT', 'CON', 'EXP'],
  ['NEW', 'EXA', 'CON'],
  ['NEW', 'CON', 'EXB', 'CON'],
  ['NEW', 'CON', 'PARTIAL', 'CON', 'EXP'],
  ['NEW', 'CON', 'CAN'],
  ['NEW', 'COR', 'CON'],
];

/** A life at random. */
export function pickLife(turn: Turn): readonly Step[] {
  return turn.random.pick(LIVES);
}

/** Plays a plan from its first product at `at`; returns the products in time order. */
export function playZones(turn: Turn, plan: ZonePlan, at: number): Product[] {
  const life: Life = { turn, plan, groups: plan.groups, spare: [...plan.spare], products: [] };
  push(
    life,
    at,
    life.groups.map((group) => [segment(life, 'NEW', group, at)]),
  );
  let now = at;
  for (const [index, step] of plan.steps.entries()) {
    if (step === 'NEW') continue;
    const last = index === plan.steps.length - 1 || (index === plan.steps.length - 2 && plan.steps.at(-1) === 'EXP');
    const repeats = step === 'CON' && last ? 12 : 1;
    for (let round = 0; round < repeats; round += 1) {
      const next = nextTime(life, step, now);
      if (next === null) break;
      now = next;
      takeStep(life, step, now);
      if (life.groups.length === 0) return life.products;
    }
  }
  return life.products;
}

interface Life {
  turn: Turn;
  plan: ZonePlan;
  groups: Group[];
  spare: Area[];
  products: Product[];
}

/** Time of the next product, or null when the event would be over by then. */
function nextTime(life: Life, step: Step, now: number): number | null {
  const end = Math.min(...life.groups.map((group) => group.end));
  if (step === 'EXP') {
    const notice = end - life.turn.random.whole(4, 9) * MINUTE_MS;
    return notice > now + 2 * MINUTE_MS ? notice : null;
  }
  const minutes =
    step === 'COR' ? life.turn.random.whole(5, 20) : Math.round(life.plan.updateHours * 60 * life.turn.random.between(0.8, 1.2));
  const next = now + minutes * MINUTE_MS;
  return next < end - 25 * MINUTE_MS ? next : null;
}

function takeStep(life: Life, step: Step, at: number): void {
  if (step === 'EXP' || step === 'CAN') {
    const due = step === 'CAN' ? life.groups : life.groups.filter((group) => group.end - at < HOUR_MS / 4);
    const rest = life.groups.filter((group) => !due.includes(group));
    push(life, at, [...due.map((group) => [segment(life, step, group, at)]), ...rest.map((group) => [segment(life, 'CON', group, at)])]);
    life.groups = rest;
    return;
  }
  if (step === 'PARTIAL') return partialCancel(life, at);
  if (step === 'EXA' || step === 'EXB') return grow(life, step, at);
  if (step === 'EXT') for (const group of life.groups) group.end += life.turn.random.whole(2, 6) * HOUR_MS;
  push(
    life,
    at,
    life.groups.map((group) => [segment(life, step, group, at)]),
  );
}

function partialCancel(life: Life, at: number): void {
  const segments: Segment[][] = [];
  for (const group of life.groups) {
    const cut = Math.floor(group.areas.length / 3);
    const gone = { ...group, areas: group.areas.slice(0, cut) };
    group.areas = group.areas.slice(cut);
    if (cut > 0) segments.push([segment(life, 'CAN', gone, at)]);
    segments.push([segment(life, 'CON', group, at)]);
  }
  push(life, at, segments);
}

/** EXA adds areas with the event's times; EXB adds them and extends the time, so the old areas get EXT. */
function grow(life: Life, step: 'EXA' | 'EXB', at: number): void {
  const [first] = life.groups;
  const added = life.spare.splice(0, 3);
  if (!first || added.length === 0) {
    push(
      life,
      at,
      life.groups.map((group) => [segment(life, 'CON', group, at)]),
    );
    return;
  }
  if (step === 'EXB') for (const group of life.groups) group.end += 3 * HOUR_MS;
  const fresh: Group = { areas: added, begin: first.begin, end: first.end };
  const kept = life.groups.map((group) => [segment(life, step === 'EXB' ? 'EXT' : 'CON', group, at)]);
  push(life, at, [...kept, [segment(life, step, fresh, at)]]);
  life.groups = [...life.groups, fresh];
}

function segment(life: Life, action: VtecAction, group: Group, at: number): Segment {
  return zoneSegment(life.turn, life.plan, action, group, at);
}

/** A segment over zones. `expires` follows the office's cycle of six to nine hours, whatever the event's end (trap 15). */
export function zoneSegment(turn: Turn, plan: Pick<ZonePlan, 'hazard' | 'etn'>, action: VtecAction, group: Group, at: number): Segment {
  const over = action === 'CAN' || action === 'UPG';
  const cycle = at + turn.random.whole(24, 36) * 15 * MINUTE_MS;
  // 16 minutes: what upstream gives its own "has been cancelled" notices.
  const expires = over ? at + 16 * MINUTE_MS : action === 'EXP' ? cycle : Math.min(cycle, Math.max(group.end, at + HOUR_MS));
  return {
    action,
    hazard: plan.hazard,
    office: turn.office,
    etn: plan.etn,
    areas: [...group.areas],
    begin: group.begin,
    end: group.end,
    expires,
    quiet: over && turn.random.chance(0.75),
  };
}

function push(life: Life, at: number, segments: Segment[][]): void {
  if (segments.length > 0) life.products.push({ at, segments });
}
