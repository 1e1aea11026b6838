import { BlockList, isIP, isIPv6 } from 'node:net';
import { AppError } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import { addressKey } from '../../platform/http/address-key.ts';

/** Attempts of one address that may fail within a minute. */
const MAX_ATTEMPTS = 20;
const WINDOW_MS = 60_000;
/** Addresses remembered; beyond it the one that came first is forgotten, so strangers cannot fill the memory. */
const MAX_ADDRESSES = 50_000;

/** Sign-in attempts per address (F11: of the connection, or of what a listed proxy vouches for). */
export interface Throttle {
  /** Throws 429 `auth.too_many_attempts`. Answers how to give the attempt back: one that succeeded is no guess. */
  attempt(kind: string, address: string): () => void;
}

export function createThrottle(clock: Clock, trustedIps: () => readonly string[]): Throttle {
  const attempts = new Map<string, number[]>();
  const isTrusted = createAddressList(trustedIps);
  return {
    attempt(kind, address) {
      if (isTrusted(address)) return () => {};
      const nowMs = clock.monotonicMs();
      const key = `${kind} ${addressKey(address)}`;
      const recent = (attempts.get(key) ?? []).filter((atMs) => nowMs - atMs < WINDOW_MS);
      if (recent.length >= MAX_ATTEMPTS) {
        const waitSeconds = Math.ceil(((recent[0] ?? nowMs) + WINDOW_MS - nowMs) / 1_000);
        throw new AppError('auth.too_many_attempts', {
          public: `Too many sign-in attempts from this address. Try again in ${waitSeconds} s.`,
          retryAfterSeconds: Math.max(1, waitSeconds),
        });
      }
      recent.push(nowMs);
      attempts.delete(key);
      attempts.set(key, recent);
      if (attempts.size > MAX_ADDRESSES) attempts.delete(attempts.keys().next().value ?? '');
      return () => {
        const held = attempts.get(key);
        const at = held?.lastIndexOf(nowMs) ?? -1;
        if (at >= 0) held?.splice(at, 1);
      };
    },
  };
}

/** Whether an address is among addresses and CIDRs that may change; the list is compiled again only then. */
export function createAddressList(entries: () => readonly string[]): (address: string) => boolean {
  let compiledFrom = '';
  let list = new BlockList();
  return (address) => {
    const now = entries();
    if (now.length === 0) return false;
    const text = now.join(',');
    if (text !== compiledFrom) {
      list = new BlockList();
      for (const entry of now) add(list, entry);
      compiledFrom = text;
    }
    const plain = address.replace(/^::ffff:(?=\d+\.)/, '');
    return isIP(plain) !== 0 && list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
  };
}

function add(list: BlockList, entry: string): void {
  const [address = '', bits] = entry.split('/');
  if (isIP(address) === 0) return;
  const family = isIPv6(address) ? 'ipv6' : 'ipv4';
  if (bits === undefined) list.addAddress(address, family);
  else list.addSubnet(address, Number(bits), family);
}
