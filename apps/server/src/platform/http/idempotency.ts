import { createHash, createHmac } from 'node:crypto';
import type { RouteSpec } from '@nwms/contract';
import { canonicalJson } from '@nwms/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../app-error.ts';
import type { Clock } from '../clock.ts';
import type { IdempotencyStore } from '../db/idempotency-store.ts';
import type { Part } from '../db/types.ts';
import type { Principal } from './principal.ts';

/** What a repeated request is answered with. Secrets must be null in it: it is stored. */
export interface RepeatableAnswer<T> {
  status: number;
  headers?: Record<string, string>;
  body: T;
}

/** Call it in the transaction of the effect, as its last statement. Without an Idempotency-Key it does nothing. */
export type KeepAnswer<T> = (transaction: Part, answer: RepeatableAnswer<T>) => Promise<void>;

export interface IdempotentCall {
  spec: RouteSpec;
  principal: Principal;
  request: FastifyRequest;
  reply: FastifyReply;
  body: unknown;
}

export interface Idempotency {
  /**
   * Runs `effect` once per Idempotency-Key, caller, route and 24 hours. The answer stands or falls with the effect, because `keep` writes it
   * in the same transaction: a caller whose connection broke after the commit gets it on the next try instead of a second object (B6).
   * Failures are not kept: the next try runs again.
   * @throws AppError request.invalid (key not of the form), idempotency.mismatch (422), idempotency.in_progress (409)
   */
  run<T>(call: IdempotentCall, effect: (keep: KeepAnswer<T>) => Promise<T>): Promise<T>;
  /** Removes what is over 24 hours old. */
  expire(): Promise<void>;
}

const KEPT_MS = 24 * 3_600_000;
const KEY = /^[\x21-\x7e]{8,128}$/;

/** The effect lost the race for its key to another process: it was rolled back and that one's answer counts. */
class LostRace extends Error {}

export function createIdempotency(deps: { store: IdempotencyStore; clock: Clock }): Idempotency {
  const { store, clock } = deps;
  const underWay = new Set<string>();
  return {
    async run<T>(call: IdempotentCall, effect: (keep: KeepAnswer<T>) => Promise<T>): Promise<T> {
      const key = keyOf(call.request);
      if (key === null) return effect(async () => {});
      const scope = hash([callerOf(call.principal), call.spec.method, call.spec.path, call.request.params ?? {}, key]);
      // Under the key, which is not stored: a body may hold a password, and a bare hash of it could be tried against a list.
      const bodyHash = createHmac('sha256', key)
        .update(canonicalJson(call.body ?? null))
        .digest('base64url');
      const kept = await replay<T>(scope, bodyHash, call.reply);
      if (kept) return kept.body;
      if (underWay.has(scope)) throw inProgress();
      underWay.add(scope);
      try {
        return await effect(async (transaction, answer) => {
          const now = clock.now();
          const mine = await store.keep(transaction, scope, { bodyHash, answer: JSON.stringify(answer) }, now, now - KEPT_MS);
          if (!mine) throw new LostRace();
        });
      } catch (error) {
        if (!(error instanceof LostRace)) throw error;
        const theirs = await replay<T>(scope, bodyHash, call.reply);
        if (theirs) return theirs.body;
        throw inProgress();
      } finally {
        underWay.delete(scope);
      }
    },
    expire: () => store.expire(clock.now() - KEPT_MS),
  };

  async function replay<T>(scope: string, bodyHash: string, reply: FastifyReply): Promise<RepeatableAnswer<T> | null> {
    const kept = await store.find(scope, clock.now() - KEPT_MS);
    if (!kept) return null;
    if (kept.bodyHash !== bodyHash)
      throw new AppError('idempotency.mismatch', { public: 'This Idempotency-Key was used with another body. Use a new key.' });
    const answer = JSON.parse(kept.answer) as RepeatableAnswer<T>;
    reply.headers({ ...answer.headers, 'Idempotency-Replayed': 'true' });
    return answer;
  }
}

function keyOf(request: FastifyRequest): string | null {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return null;
  const key = Array.isArray(header) ? header.join(', ') : header;
  if (KEY.test(key)) return key;
  const message = 'Idempotency-Key must be 8 to 128 visible ASCII characters';
  throw new AppError('request.invalid', { public: `${message}.`, fields: [{ name: 'Idempotency-Key', reason: 'format', message }] });
}

function callerOf(principal: Principal): string {
  if (principal.type === 'anonymous') return `address:${principal.address}`;
  return principal.type === 'key' ? `key:${principal.keyId}` : `user:${principal.account.id}`;
}

const hash = (value: unknown) => createHash('sha256').update(canonicalJson(value)).digest('base64url');
const inProgress = () =>
  new AppError('idempotency.in_progress', {
    public: 'The first request with this Idempotency-Key is still running.',
    retryAfterSeconds: 1,
  });
