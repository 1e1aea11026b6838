/** What the two services of P13 have in common: they verify keys in a process of their own, on orders of their parent. */

/** Keys of every service, of as many accounts; all in use. */
export const KEYS = 1_000;
export const ACCOUNTS = 100;
/** Calls a minute that the limited key may make. */
export const LIMIT = 100;

/** `warm`: every key once. `rate`: so many callers verify one key after the other for so long. `limited`: so many calls at once with the key that has a limit. */
export type Order = { kind: 'warm'; callers: number } | { kind: 'rate'; callers: number; ms: number } | { kind: 'limited'; calls: number };

export interface OrderAnswer {
  /** Decisions made, and those of them that let the call pass. */
  decided: number;
  passed: number;
  /** Decisions per second. */
  perSecond: number;
}

export interface Verifier {
  /** Whether the call with the n-th key may pass: the key is good and its limit has room for it. */
  verify(n: number): Promise<boolean>;
  verifyLimited(): Promise<boolean>;
  stop(): Promise<void>;
}

/** Answers orders until the parent is gone. */
export function serveOrders(verifier: Verifier): void {
  const send = (message: unknown) => process.send?.(message);
  process.on('message', (order: Order) => void answer(verifier, order).then(send));
  process.once('disconnect', () => void verifier.stop().finally(() => process.exit(0)));
  send('ready');
}

async function answer(verifier: Verifier, order: Order): Promise<OrderAnswer> {
  const startedMs = performance.now();
  let [decided, passed] = [0, 0];
  const note = (ok: boolean) => {
    decided += 1;
    if (ok) passed += 1;
  };
  if (order.kind === 'limited') {
    await Promise.all(Array.from({ length: order.calls }, async () => note(await verifier.verifyLimited())));
  } else if (order.kind === 'warm') {
    let next = 0;
    const caller = async () => {
      for (let n = next++; n < KEYS; n = next++) note(await verifier.verify(n));
    };
    await Promise.all(Array.from({ length: order.callers }, caller));
  } else {
    let next = 0;
    const caller = async () => {
      while (performance.now() - startedMs < order.ms) {
        // Answers from memory never leave the event loop; timers and background writes must run all the same.
        if (decided % 1_000 === 999) await new Promise((turn) => setImmediate(turn));
        next = (next + 1) % KEYS;
        note(await verifier.verify(next));
      }
    };
    await Promise.all(Array.from({ length: order.callers }, caller));
  }
  return { decided, passed, perSecond: decided / ((performance.now() - startedMs) / 1_000) };
}
