import type { Clock } from '../../platform/clock.ts';
import type { LiveLimits, Principal } from './types.ts';

const ATTEMPT_WINDOW_MS = 60_000;

export type Admission =
  | { ok: true; release: () => void }
  | { ok: false; reason: 'attempts' | 'connections' | 'total'; retryAfterSeconds: number };

/** LV26: who may open how many connections at once, and how often an address may try. Counts exactly; forgets addresses that are gone. */
export class AdmissionDesk {
  readonly #limits: LiveLimits;
  readonly #clock: Clock;
  readonly #open = new Map<string, number>();
  readonly #attempts = new Map<string, { startedMs: number; count: number }>();
  #sweptMs = 0;

  constructor(limits: LiveLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Counts one handshake; answers the seconds to wait when there were too many. */
  attempt(address: string): number | null {
    const nowMs = this.#clock.monotonicMs();
    this.#forget(nowMs);
    let window = this.#attempts.get(address);
    if (!window || nowMs - window.startedMs >= ATTEMPT_WINDOW_MS) this.#attempts.set(address, (window = { startedMs: nowMs, count: 0 }));
    window.count += 1;
    if (window.count <= this.#limits.attemptsPerMinute) return null;
    return Math.max(1, Math.ceil((window.startedMs + ATTEMPT_WINDOW_MS - nowMs) / 1_000));
  }

  /** Takes a place for one connection until `release`. */
  enter(address: string, principal: Principal | null): Admission {
    const places: [string, number][] = principal
      ? [
          [`user ${principal.userId}`, this.#limits.perUser],
          ...(principal.kind === 'key' ? [[`key ${principal.id}`, this.#limits.perKey] as [string, number]] : []),
        ]
      : [[`address ${address}`, this.#limits.perAddress]];
    if ((this.#open.get('all') ?? 0) >= this.#limits.total) return { ok: false, reason: 'total', retryAfterSeconds: 10 };
    if (places.some(([name, most]) => (this.#open.get(name) ?? 0) >= most))
      return { ok: false, reason: 'connections', retryAfterSeconds: 30 };
    const names = ['all', ...places.map(([name]) => name)];
    for (const name of names) this.#open.set(name, (this.#open.get(name) ?? 0) + 1);
    let released = false;
    return {
      ok: true,
      release: () => {
        if (released) return;
        released = true;
        for (const name of names) this.#leave(name);
      },
    };
  }

  #leave(name: string): void {
    const left = (this.#open.get(name) ?? 1) - 1;
    if (left > 0) this.#open.set(name, left);
    else this.#open.delete(name);
  }

  #forget(nowMs: number): void {
    if (nowMs - this.#sweptMs < ATTEMPT_WINDOW_MS) return;
    this.#sweptMs = nowMs;
    for (const [address, window] of this.#attempts) if (nowMs - window.startedMs >= ATTEMPT_WINDOW_MS) this.#attempts.delete(address);
  }
}
