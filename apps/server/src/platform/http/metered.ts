import type { ErrorCode } from '@nwms/contract';
import type { Principal } from './principal.ts';

/**
 * What the gate knows and decided about one request of a contract route. Set before the handler runs, complete when `onResponse` does;
 * recording reads it from there and from nowhere else.
 */
export interface Metered {
  /** By the credential that came with it: a refused key is still `key`. Open routes read no credential, so everybody is `anonymous` there. */
  caller: Principal['type'];
  /** Null: no key, or one that is not known. */
  keyId: string | null;
  /** Account of the key or session; null: nobody, or not known. */
  userId: string | null;
  /** What counts as one caller: an IPv4 address, or the /64 of an IPv6 address. In clear: hash it before it is kept. */
  address: string;
  /** Quota units it cost in the end; 0 until it was settled, and for what was refused. */
  units: number;
  /** Why the gate refused it (credential, level, quota, overload); null = it let it pass. Refusals of the route itself are not here. */
  refused: ErrorCode | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null on what is no route of the contract: pages, the reference, unknown addresses. */
    metered: Metered | null;
  }
}

export const meteredOf = (principal: Principal): Metered => ({
  caller: principal.type,
  keyId: principal.type === 'key' ? principal.keyId : null,
  userId: principal.type === 'anonymous' ? null : principal.account.id,
  address: principal.address,
  units: 0,
  refused: null,
});
