import { createHash } from 'node:crypto';
import { addressPeriod, type AddressHash } from '../../platform/address-hash.ts';
import { createAgents } from './agents.ts';
import type { Locator } from './locate.ts';
import { traitsOf } from './traits.ts';
import type { Agent, FinishedRequest, Place, Traits, UsageRow } from './types.ts';

/** Addresses, and traits of all of them together, that are remembered: strangers may invent both. */
const REMEMBERED = { addresses: 20_000, traits: 20_000 };
/** Longer agents are made up; they are read each time. */
const REMEMBERED_AGENT_LENGTH = 512;
const ID_LENGTH = 20;

interface KnownAddress {
  now: string;
  next: string;
  place: Place;
  /** By User-Agent as sent. */
  agents: Map<string, KnownAgent>;
}
interface KnownAgent {
  agent: Agent;
  visitor: { now: string; next: string };
  /** By route. */
  traits: Map<string, Traits[]>;
}

/** Turns a finished request into a row: agent, place, hashes. The address itself goes no further. */
export function createIdentify(deps: {
  addressHash: Pick<AddressHash, 'pair'>;
  locator: Locator;
}): (request: FinishedRequest) => UsageRow | Promise<UsageRow> {
  const agentOf = createAgents();
  let addresses = new Map<string, KnownAddress>();
  let period = Number.NaN;
  let remembered = 0;
  const forget = () => {
    addresses = new Map();
    remembered = 0;
  };
  const known = (from: KnownAddress, userAgent: string): KnownAgent => {
    const found = from.agents.get(userAgent);
    if (found) return found;
    const agent = agentOf(userAgent);
    const made: KnownAgent = { agent, visitor: visitorOf(from, agent), traits: new Map() };
    if (userAgent.length <= REMEMBERED_AGENT_LENGTH) from.agents.set(userAgent, made);
    return made;
  };
  const traitsFor = (request: FinishedRequest, from: KnownAddress): Traits => {
    const { endpoint, method, status, error, cache, caller, userAgent } = request;
    const { type: principal, keyId, userId } = caller;
    const { agent, visitor, traits } = known(from, userAgent);
    let ofRoute = traits.get(endpoint);
    if (!ofRoute) traits.set(endpoint, (ofRoute = []));
    for (const one of ofRoute) {
      const isSame =
        one.status === status &&
        one.method === method &&
        one.cache === cache &&
        one.error === error &&
        one.principal === principal &&
        one.userId === userId &&
        one.keyId === keyId;
      if (isSame) return one;
    }
    const whose = userId === null ? visitor : { now: userId, next: userId };
    const made = traitsOf({
      endpoint,
      method,
      status,
      error,
      cache,
      ...agent,
      ...from.place,
      principal,
      keyId,
      userId,
      visitor: whose.now,
      visitorNext: whose.next,
      address: from.now,
      addressNext: from.next,
    });
    ofRoute.push(made);
    remembered += 1;
    if (remembered > REMEMBERED.traits) forget();
    return made;
  };
  const rowOf = (request: FinishedRequest, from: KnownAddress): UsageRow => {
    const { at, ms, bytes, alerts, geographic, timeFiltered, cost, requestId } = request;
    return { traits: traitsFor(request, from), at, ms, bytes, alerts, geographic, timeFiltered, cost, requestId };
  };
  return (request) => {
    const { address } = request.caller;
    // Under the next key everybody is somebody else; it comes every 90 days.
    if (addressPeriod(request.at) !== period) {
      forget();
      period = addressPeriod(request.at);
    }
    const found = addresses.get(address);
    if (found) return rowOf(request, found);
    const remember = (place: Place) => {
      const made: KnownAddress = { ...deps.addressHash.pair(address, request.at), place, agents: new Map() };
      if (addresses.size >= REMEMBERED.addresses) forget();
      if (addressPeriod(request.at) === period) addresses.set(address, made);
      return rowOf(request, made);
    };
    // What counts as one caller is written with its length; databases of places want a plain address.
    const place = deps.locator.placeOf(address.replace('/64', ''));
    return place instanceof Promise ? place.then(remember) : remember(place);
  };
}

/** Without an account a visitor is an address with a browser (or program) and a system. */
function visitorOf(from: KnownAddress, agent: Agent): { now: string; next: string } {
  const what = `${agent.browser ?? agent.agent ?? ''}|${agent.os ?? ''}`;
  // The address hash is keyed already: whoever has no key cannot try addresses here either.
  const idOf = (hash: string) => `vis_${createHash('sha256').update(`${hash}|${what}`).digest('base64url').slice(0, ID_LENGTH)}`;
  return { now: idOf(from.now), next: idOf(from.next) };
}
