import { hash } from 'node:crypto';
import { costRuleOf, type RouteSpec } from '@nwms/contract';
import { limitField, mergeStates, policyField, reservedUnits, settledUnits, tightest, type CostRule } from '@nwms/domain';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { AppError } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import { addressKey } from '../../platform/http/address-key.ts';
import type { ReadyReply } from '../../platform/http/fast-path.ts';
import { meteredOf } from '../../platform/http/metered.ts';
import type { IdentifyCredential, Principal } from '../../platform/http/principal.ts';
import { allowancesOf, type GateLimits } from './allowances.ts';
import { createMinuteBuckets, type MinuteBuckets } from './quota/minute-buckets.ts';
import type { Exceeded, Quotas, ScopedState, Taken } from './quota/types.ts';
import { exceededError, floodError, guessingError } from './refusals.ts';

/** Requests per minute of one caller, whatever they cost. */
const FLOOD_PER_MINUTE = 1_200;
/** Requests per minute and address to routes that read no credential. */
const OPEN_PER_MINUTE = 300;
/** Map tiles per minute and caller. */
const TILES_PER_MINUTE = 600;
/** Credentials per minute and address that are none. */
const GUESSES_PER_MINUTE = 30;
const TRUSTED_TIMES = 10;

/** Units a request holds until its answer is known. */
interface Charge {
  units: number;
  giveBack(units: number): void;
  states(): ScopedState[];
}

declare module 'fastify' {
  interface FastifyRequest {
    charge: Charge | null;
    /** A handler sets it when a call cost fewer units than were reserved for it; null = as reserved. */
    actualUnits: number | null;
  }
}

export interface GateDeps {
  clock: Clock;
  random: () => number;
  quotas: Quotas;
  limits: GateLimits;
  /** The caller's address in clear, as far as it can be trusted. */
  addressOf(request: IncomingMessage): string;
}

/** Everything between the socket and a handler that says no (docs/quotas.md), in the order of its hooks. */
export interface Gate {
  /** Before credentials are read: floods, and addresses that try credentials. */
  guard(app: FastifyInstance): void;
  /** After the caller is known: takes what the call costs, gives back what it did not, writes the headers. */
  meter(app: FastifyInstance): void;
  /** Counts credentials that are none. */
  counted(identify: IdentifyCredential): IdentifyCredential;
  /** Units of an address without a credential, for what is no request. */
  takeAnonymous(address: string, units: number): Taken | Exceeded;
  /** The ready answer of an anonymous request with its headers; null: the hooks must see it. */
  ready(request: IncomingMessage, find: () => ReadyReply | null): ReadyReply | null;
}

export function createGate(deps: GateDeps): Gate {
  const { clock, quotas, limits } = deps;
  const scaled = (perMinute: number) => Math.round(perMinute * limits.factor);
  const [floods, opens, tiles, guesses, addresses] = Array.from({ length: 5 }, () => createMinuteBuckets(clock)) as [
    MinuteBuckets,
    MinuteBuckets,
    MinuteBuckets,
    MinuteBuckets,
    MinuteBuckets,
  ];
  const rules = new WeakMap<RouteSpec, CostRule>();
  const ruleOf = (spec: RouteSpec): CostRule => {
    let rule = rules.get(spec);
    if (!rule) rules.set(spec, (rule = costRuleOf(spec)));
    return rule;
  };
  const anonymousLimit = (address: string) => scaled(limits.anonymousPerMinute() * (limits.isTrusted(address) ? TRUSTED_TIMES : 1));
  const stateOf = (bucket: MinuteBuckets, caller: string, limit: number): ScopedState => ({
    window: 'minute',
    scope: 'address',
    limit,
    remaining: Math.max(0, limit - bucket.used(caller)),
    startsAt: bucket.startsAt(),
  });
  const takeFrom = (bucket: MinuteBuckets, caller: string, { units, limit }: { units: number; limit: number }): Taken | Exceeded => {
    const states = () => [stateOf(bucket, caller, limit)];
    if (!bucket.take(caller, units, limit)) return { ok: false, exceeded: stateOf(bucket, caller, limit), states };
    const startsAt = bucket.startsAt();
    return { ok: true, units, states, giveBack: (back) => bucket.giveBack(caller, back, startsAt) };
  };

  /** Null: nothing is counted here. */
  const take = (spec: RouteSpec, principal: Principal, request: FastifyRequest): Taken | Exceeded | Promise<Taken | Exceeded> | null => {
    if (spec.allowance === 'stream') return null;
    if (spec.access === 'open') return takeFrom(opens, principal.address, { units: 1, limit: scaled(OPEN_PER_MINUTE) });
    const caller = principal.type === 'anonymous' ? principal.address : principal.account.id;
    if (spec.allowance === 'tiles') return takeFrom(tiles, caller, { units: 1, limit: scaled(TILES_PER_MINUTE) });
    const units = unitsOf(spec, request.raw);
    if (units === 0) return null;
    if (principal.type === 'anonymous') return takeFrom(addresses, caller, { units, limit: anonymousLimit(caller) });
    return quotas.take(allowancesOf(principal, limits.factor), units);
  };
  const unitsOf = (spec: RouteSpec, { url = '', headers }: IncomingMessage): number => {
    const rule = ruleOf(spec);
    const start = rule.dearer ? url.indexOf('?') : -1;
    return start < 0 ? rule.units : reservedUnits(rule, new URLSearchParams(url.slice(start + 1)), headers.accept);
  };
  /** Whether the answer is metered at all, or only kept from being a flood. */
  const isFree = (spec: RouteSpec) => spec.access === 'open' || spec.allowance === 'tiles';

  const settle = (request: FastifyRequest, status: number): number => {
    const { charge, metered } = request;
    if (!charge) return 0;
    request.charge = null;
    const spec = request.routeOptions.config.spec;
    if (spec && isFree(spec)) return 0;
    const units = settledUnits(status, Math.min(charge.units, request.actualUnits ?? charge.units));
    if (units < charge.units) charge.giveBack(charge.units - units);
    if (metered) metered.units = units;
    return units;
  };

  return {
    guard(app) {
      app.decorateRequest('charge', null);
      app.decorateRequest('actualUnits', null);
      app.addHook('onRequest', (request, _reply, done) => {
        const { spec } = request.routeOptions.config;
        if (!spec) return done();
        const address = addressKey(deps.addressOf(request.raw));
        const credential = spec.access === 'open' ? null : credentialIn(request.headers);
        const refuse = (error: AppError) => {
          request.metered = { ...meteredOf({ type: 'anonymous', address }), refused: error.code };
          done(error);
        };
        if (!floods.take(credential === null ? address : hash('sha256', credential), 1, scaled(FLOOD_PER_MINUTE)))
          return refuse(floodError(floods.startsAt(), clock.now()));
        if (credential !== null && guesses.used(address) >= scaled(GUESSES_PER_MINUTE))
          return refuse(guessingError(guesses.startsAt(), clock.now()));
        done();
      });
    },
    counted: (identify) => (secret, address) => {
      const failed = (error: unknown): never => {
        // Sessions that ended and keys that were deleted are no guesses.
        if (error instanceof AppError && (error.code === 'key.invalid' || error.code === 'auth.invalid_token'))
          guesses.take(address, 1, Number.MAX_SAFE_INTEGER);
        throw error;
      };
      try {
        const known = identify(secret, address);
        return known instanceof Promise ? known.catch(failed) : known;
      } catch (error) {
        return failed(error);
      }
    },
    meter(app) {
      app.addHook('onRequest', (request, reply, done) => {
        const { spec } = request.routeOptions.config;
        const { metered } = request;
        if (!spec || !metered) return done();
        const principal: Principal = request.principal ?? { type: 'anonymous', address: metered.address };
        const settled = (taken: Taken | Exceeded | null) => {
          if (!taken) return done();
          if (taken.ok) {
            request.charge = taken;
            return done();
          }
          writeHeaders(reply, taken.states(), clock.now());
          const error = exceededError(taken.exceeded, clock.now(), deps.random());
          metered.refused = error.code;
          done(error);
        };
        const taken = take(spec, principal, request);
        if (taken instanceof Promise) taken.then(settled, done);
        else settled(taken);
      });
      app.addHook('onSend', (request, reply, payload, done) => {
        const { charge } = request;
        if (charge) {
          const units = settle(request, reply.statusCode);
          writeHeaders(reply, charge.states(), clock.now());
          if (units !== 1 && !isFree(request.routeOptions.config.spec as RouteSpec)) reply.header('NWMS-Cost', String(units));
        }
        done(null, payload);
      });
      // Answers that never went out: what they took was worked for.
      app.addHook('onResponse', (request, reply, done) => {
        settle(request, reply.statusCode);
        done();
      });
    },
    takeAnonymous: (address, units) => takeFrom(addresses, address, { units, limit: anonymousLimit(address) }),
    ready(request, find) {
      const address = addressKey(deps.addressOf(request));
      const reply = find();
      if (!reply) return null;
      const isOpen = reply.spec.access === 'open';
      const units = isOpen ? 1 : unitsOf(reply.spec, request);
      const bucket = isOpen ? opens : addresses;
      const limit = isOpen ? scaled(OPEN_PER_MINUTE) : anonymousLimit(address);
      if (reply.spec.allowance !== undefined || floods.used(address) >= scaled(FLOOD_PER_MINUTE)) return null;
      const taken = takeFrom(bucket, address, { units, limit });
      if (!taken.ok) return null;
      floods.take(address, 1, Number.MAX_SAFE_INTEGER);
      const cost = isOpen ? 1 : settledUnits(reply.status, units);
      if (cost < units) taken.giveBack(units - cost);
      const now = clock.now();
      const [state] = taken.states();
      if (state) reply.headers.push('RateLimit-Policy', policyField([state]), 'RateLimit', limitField(state, now));
      if (cost !== 1) reply.headers.push('NWMS-Cost', String(cost));
      reply.units = cost;
      return reply;
    },
  };
}

/** Whatever is presented as a credential, as one text. */
function credentialIn({ authorization, 'x-api-key': key }: IncomingHttpHeaders): string | null {
  return authorization === undefined && key === undefined ? null : `${authorization ?? ''}\n${String(key ?? '')}`;
}

function writeHeaders(reply: FastifyReply, states: readonly ScopedState[], now: number): void {
  const merged = mergeStates(states);
  const shown = tightest(merged);
  if (!shown) return;
  reply.header('RateLimit-Policy', policyField(merged));
  reply.header('RateLimit', limitField(shown, now));
}
