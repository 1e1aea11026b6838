import { createHash } from 'node:crypto';
import { addressPeriod, type AddressHash } from '../../platform/address-hash.ts';
import { createAgents } from './agents.ts';
import type { Locator } from './locate.ts';
import type { Agent, FinishedRequest, Place, UsageRow } from './types.ts';

/** Addresses remembered with what was found out about them. */
const REMEMBERED = 20_000;
const ID_LENGTH = 20;

interface KnownAddress {
  now: string;
  next: string;
  place: Place;
  visitors: Map<string, { now: string; next: string }>;
}

/** Turns a finished request into a row: agent, place, hashes. The address itself goes no further. */
export function createIdentify(deps: {
  addressHash: Pick<AddressHash, 'pair'>;
  locator: Locator;
}): (request: FinishedRequest) => UsageRow | Promise<UsageRow> {
  const agentOf = createAgents();
  const addresses = new Map<string, KnownAddress>();
  const rowOf = (request: FinishedRequest, from: KnownAddress): UsageRow => {
    const { caller, userAgent, ...rest } = request;
    const { type, keyId, userId } = caller;
    const agent = agentOf(userAgent);
    const visitor = userId === null ? visitorOf(from, agent) : { now: userId, next: userId };
    return {
      ...rest,
      ...agent,
      ...from.place,
      principal: type,
      keyId,
      userId,
      visitor: visitor.now,
      visitorNext: visitor.next,
      address: from.now,
      addressNext: from.next,
    };
  };
  return (request) => {
    const { address } = request.caller;
    const key = `${addressPeriod(request.at)} ${address}`;
    const known = addresses.get(key);
    if (known) return rowOf(request, known);
    const remember = (place: Place) => {
      const found: KnownAddress = { ...deps.addressHash.pair(address, request.at), place, visitors: new Map() };
      if (addresses.size >= REMEMBERED) addresses.clear();
      addresses.set(key, found);
      return rowOf(request, found);
    };
    // What counts as one caller is written with its length; databases of places want a plain address.
    const place = deps.locator.placeOf(address.replace('/64', ''));
    return place instanceof Promise ? place.then(remember) : remember(place);
  };
}

/** Without an account a visitor is an address with a browser (or program) and a system. */
function visitorOf(from: KnownAddress, agent: Agent): { now: string; next: string } {
  const what = `${agent.browser ?? agent.agent ?? ''}|${agent.os ?? ''}`;
  const known = from.visitors.get(what);
  if (known) return known;
  // The address hash is keyed already: whoever has no key cannot try addresses here either.
  const idOf = (hash: string) => `vis_${createHash('sha256').update(`${hash}|${what}`).digest('base64url').slice(0, ID_LENGTH)}`;
  const visitor = { now: idOf(from.now), next: idOf(from.next) };
  from.visitors.set(what, visitor);
  return visitor;
}
