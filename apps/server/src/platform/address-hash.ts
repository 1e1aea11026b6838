import { createHmac } from 'node:crypto';
import type { Clock } from './clock.ts';
import { addressKey } from './http/address-key.ts';

/** Days one key lives (W18): afterwards the same address hashes to something else. */
export const ADDRESS_PERIOD_MS = 90 * 86_400_000;

/** The period an instant belongs to. */
export const addressPeriod = (at: number): number => Math.floor(at / ADDRESS_PERIOD_MS);

export interface AddressHash {
  /** Keyed hash of an address under the key of now, 22 characters; IPv6 by its /64. From memory, so that it works inside a transaction. */
  hash(address: string): string;
  /** Under the key of the period of `at` and under the one that follows: any 90 days can then be counted under one key. */
  pair(address: string, at: number): { now: string; next: string };
  /** Makes the key of the next period ready; call it now and then. */
  renew(): Promise<void>;
}

/** `keyOf` makes or reads the key of a period, the same for all processes. */
export async function openAddressHash(deps: { clock: Clock; keyOf: (period: number) => Promise<Buffer> }): Promise<AddressHash> {
  const periodNow = () => addressPeriod(deps.clock.now());
  let keys = new Map<number, Buffer>();
  const renew = async () => {
    const period = periodNow();
    // One more than is used now: a period may turn over between two renewals.
    const wanted = [period, period + 1, period + 2];
    const found: [number, Buffer][] = [];
    for (const one of wanted) found.push([one, await deps.keyOf(one)]);
    keys = new Map(found);
  };
  await renew();
  // A clock that stepped out of the known periods keeps the newest key until the next renewal.
  const under = (period: number, address: string) =>
    createHmac('sha256', keys.get(period) ?? ([...keys.values()].at(-1) as Buffer))
      .update(addressKey(address))
      .digest('base64url')
      .slice(0, 22);
  return {
    renew,
    hash: (address) => under(periodNow(), address),
    pair: (address, at) => ({ now: under(addressPeriod(at), address), next: under(addressPeriod(at) + 1, address) }),
  };
}
