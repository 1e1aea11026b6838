import { evaluate, type EventState, type Instant, overAt } from '@nwms/domain';

/**
 * Parts of [from, until) in which a state says "in force". Zones end and start at instants of their own and with each the area changes,
 * so the state is asked at every one of them; parts in which the same zones are affected are one.
 */
export function partsInForce(event: EventState, from: Instant, until: Instant): { from: Instant; until: Instant }[] {
  if (until <= from) return [];
  const instants = new Set<Instant>([from]);
  const note = (at: Instant | null) => at !== null && at > from && at < until && instants.add(at);
  for (const zone of event.zones) {
    note(zone.from);
    note(zone.until);
    note(zone.over?.at ?? null);
  }
  note(event.withdrawnAt);
  note(overAt(event));
  const edges = [...instants].sort((a, b) => a - b);
  const parts: { from: Instant; until: Instant }[] = [];
  let last = '';
  for (const [index, at] of edges.entries()) {
    const { state } = evaluate(event, at);
    const inForce = state === 'in_force' || state === 'expiring' || state === 'unconfirmed';
    const next = edges[index + 1] ?? until;
    const before = parts.at(-1);
    const key = inForce ? zonesKey(event, at) : '';
    if (inForce && before && before.until === at && key === last) before.until = next;
    else if (inForce) parts.push({ from: at, until: next });
    last = key;
  }
  return parts;
}

const zonesKey = (event: EventState, at: Instant) =>
  event.zones
    .filter((zone) => !(zone.over && zone.over.how !== 'expired') && (zone.until === null || zone.until > at))
    .map((zone) => zone.code)
    .join();
