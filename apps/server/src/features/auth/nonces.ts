import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';

/** A nonce is for one sign-in within this long. */
const VALID_MS = 600_000;

/** Nonces that carry their own proof: handing one out stores nothing, so that a GET changes nothing; use is what is remembered. */
export interface Nonces {
  make(): string;
  /** Until when it would be accepted; null when it is not ours or too old. */
  check(nonce: string): number | null;
}

export function createNonces(clock: Clock, secret: string): Nonces {
  const proof = (text: string) => createHmac('sha256', secret).update(`nonce:${text}`).digest('base64url');
  return {
    make() {
      const text = `${randomBytes(16).toString('base64url')}.${clock.now() + VALID_MS}`;
      return `${text}.${proof(text)}`;
    },
    check(nonce) {
      const at = nonce.lastIndexOf('.');
      const text = nonce.slice(0, Math.max(0, at));
      const given = Buffer.from(nonce.slice(at + 1));
      const wanted = Buffer.from(proof(text));
      if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return null;
      const until = Number(text.split('.')[1]);
      return Number.isFinite(until) && clock.now() < until ? until : null;
    },
  };
}
