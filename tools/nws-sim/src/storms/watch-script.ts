import { clusterOf, countyArea } from './areas.ts';
import { hazard } from './hazards.ts';
import { type Area, type Hazard, HOUR_MS, MINUTE_MS, type Product, roundUp, type Segment, type Turn } from './model.ts';
import { type Group, pickLife, playZones, type Step, zoneSegment } from './zone-script.ts';

export interface WatchPlan {
  watch: Hazard;
  warning: Hazard;
  areas: Area[];
  spare: Area[];
  leadHours: number;
  lastHours: number;
}

/**
 * Watch, then (four times in five) one product that upgrades it for some areas and cancels it for the others (trap 4): the
 * upgraded segment carries UPG of the watch and NEW of the warning, the other one CAN. Otherwise the watch is cancelled.
 */
export function playWatch(turn: Turn, plan: WatchPlan): Product[] {
  const begin = roundUp(turn.at + plan.leadHours * HOUR_MS, HOUR_MS);
  const watchGroup: Group = { areas: plan.areas, begin, end: begin + plan.lastHours * HOUR_MS };
  const watch = {
    hazard: plan.watch,
    etn: turn.etn(0),
    groups: [watchGroup],
    updateHours: plan.leadHours / 3,
    steps: ['NEW', 'CON'] as const,
    spare: [],
  };
  const decision = turn.at + Math.round(plan.leadHours * 60 * turn.random.between(0.5, 0.8)) * MINUTE_MS;
  const before = playZones(turn, watch, turn.at).filter((product) => product.at < decision - 30 * MINUTE_MS);
  if (!turn.random.chance(0.8)) return [...before, { at: decision, segments: [[zoneSegment(turn, watch, 'CAN', watchGroup, decision)]] }];
  const share = Math.max(1, Math.ceil(plan.areas.length * turn.random.between(0.5, 1)));
  const raised: Group = { ...watchGroup, areas: plan.areas.slice(0, share) };
  const dropped: Group = { ...watchGroup, areas: plan.areas.slice(share) };
  const warning = { hazard: plan.warning, etn: turn.etn(0), groups: [raised], updateHours: 6, steps: pickLife(turn), spare: plan.spare };
  const [opening, ...after] = playZones(turn, warning, decision);
  const upgrade = zoneSegment(turn, watch, 'UPG', { ...raised, areas: plan.areas.slice(0, share), end: watchGroup.end }, decision);
  const segments: Segment[][] = [[upgrade, ...(opening?.segments[0] ?? [])]];
  if (dropped.areas.length > 0) segments.push([zoneSegment(turn, watch, 'CAN', dropped, decision)]);
  return [...before, { at: decision, segments }, ...after];
}

/**
 * Tornado or severe thunderstorm watch by counties over an office and its neighbours: every office sends its own VTEC with the
 * national watch number. Products of several offices are told apart by the office of their segments.
 */
export function playConvectiveWatch(turn: Turn): Product[] {
  const danger = turn.random.chance(0.4) ? hazard('TO.A') : hazard('SV.A');
  const end = roundUp(turn.at + turn.random.whole(5, 8) * HOUR_MS, HOUR_MS);
  const neighbours = nearestOffices(turn, turn.random.whole(1, 3));
  return neighbours
    .flatMap((office) => {
      const counties = clusterOf(turn.atlas, office, turn.random.whole(6, 24), turn.random).map(countyArea);
      const local: Turn = { ...turn, office, at: turn.at + turn.random.whole(0, 6) * MINUTE_MS };
      const steps = turn.random.pick<readonly Step[]>([
        ['NEW', 'PARTIAL', 'PARTIAL', 'CAN'],
        ['NEW', 'CON', 'PARTIAL', 'EXP'],
        ['NEW', 'EXA', 'PARTIAL', 'EXT', 'EXP'],
      ]);
      const spare = clusterOf(turn.atlas, office, 40, turn.random)
        .map(countyArea)
        .filter((area) => !counties.some((known) => known.ugc === area.ugc));
      return playZones(
        local,
        { hazard: danger, etn: turn.etn(0), groups: [{ areas: counties, begin: local.at, end }], updateHours: 1.3, steps, spare },
        local.at,
      );
    })
    .sort((a, b) => a.at - b.at);
}

function nearestOffices(turn: Turn, count: number): Turn['office'][] {
  const [x, y] = turn.office.position;
  return turn.atlas.offices
    .filter((office) => office.region === 'lower48' && turn.atlas.countiesOf(office).length > 5)
    .toSorted((a, b) => Math.hypot(a.position[0] - x, a.position[1] - y) - Math.hypot(b.position[0] - x, b.position[1] - y))
    .slice(0, count);
}
