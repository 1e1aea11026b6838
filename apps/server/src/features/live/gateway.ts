import { HEARTBEAT_SECONDS } from '@nwms/contract';
import { Heartbeats, type LiveConnection } from './connection.ts';
import type { Hub } from './hub.ts';
import type { ChargeLive, Ending, Principal } from './types.ts';
import { CHARGE_EVERY_MS } from './ws-connection.ts';

const SWEEP_MS = 1_000;

/** All open connections of this process: heartbeats, checks once a second, and the graceful stop. */
export class Gateway {
  readonly #hub: Hub;
  readonly #charge: ChargeLive;
  readonly #open = new Set<LiveConnection>();
  #stopping = false;
  #cancelSweep: () => void = () => {};

  constructor(hub: Hub, charge: ChargeLive) {
    this.#hub = hub;
    this.#charge = charge;
    this.#scheduleSweep();
  }

  get stopping(): boolean {
    return this.#stopping;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Open connections by how they came. */
  transports(): { websocket: number; sse: number } {
    let sse = 0;
    for (const { encoding } of this.#open) if (encoding === 'sse') sse += 1;
    return { websocket: this.#open.size - sse, sse };
  }

  add(connection: LiveConnection): void {
    this.#open.add(connection);
    if (this.#stopping) connection.end({ code: 'live.shutting_down', retryAfterSeconds: 1 });
  }

  remove(connection: LiveConnection): void {
    this.#open.delete(connection);
  }

  principals(): Principal[] {
    const byCredential = new Map<string, Principal>();
    for (const { principal } of this.#open) if (principal) byCredential.set(`${principal.kind} ${principal.credential}`, principal);
    return [...byCredential.values()];
  }

  /** LV31: ends every connection of whoever it says; answers how many. */
  endWhere(isTheirs: (principal: Principal) => boolean, ending: Ending): number {
    let ended = 0;
    for (const connection of this.#open) {
      if (!connection.principal || !isTheirs(connection.principal)) continue;
      connection.end(ending);
      ended += 1;
    }
    return ended;
  }

  /** LV34: everybody gets what was committed, a last heartbeat with the final cursor, a reason and a proper close. */
  async stop(): Promise<void> {
    if (this.#stopping) return;
    this.#stopping = true;
    this.#cancelSweep();
    const { clock, limits } = this.#hub.deps;
    const startedMs = clock.monotonicMs();
    await this.#hub.settled();
    const all = [...this.#open];
    const spreadMs = Math.min(limits.stopSpreadSeconds * 1_000, all.length);
    const gone = new Promise<void>((done) => clock.after(limits.goneSeconds * 1_000, done));
    for (const [index, connection] of all.entries()) {
      const dueMs = startedMs + (index / all.length) * spreadMs;
      if (clock.monotonicMs() < dueMs) await this.#wait(10);
      connection.subscriber.send(new Heartbeats(this.#hub).for(connection.subscriber.cursor()));
      connection.end({ code: 'live.shutting_down', retryAfterSeconds: 1 });
    }
    while (this.#open.size > 0 && clock.monotonicMs() - startedMs < limits.goneSeconds * 1_000) await Promise.race([this.#wait(20), gone]);
    for (const connection of this.#open) connection.terminate();
    this.#hub.close();
  }

  #wait(delayMs: number): Promise<void> {
    return new Promise((done) => void this.#hub.deps.clock.after(delayMs, done));
  }

  #scheduleSweep(): void {
    this.#cancelSweep = this.#hub.deps.clock.after(SWEEP_MS, () => {
      void this.#sweep().finally(() => {
        if (!this.#stopping) this.#scheduleSweep();
      });
    });
  }

  async #sweep(): Promise<void> {
    const nowMs = this.#hub.deps.clock.monotonicMs();
    const beats = new Heartbeats(this.#hub);
    for (const connection of this.#open) {
      connection.check(nowMs);
      if (nowMs >= connection.chargeDueMs) void this.#chargeAgain(connection);
      // Half a step early rather than half a step late.
      if (nowMs + SWEEP_MS / 2 < connection.beatDueMs) continue;
      if (!this.#hub.turns.take()) await this.#hub.turns.next();
      connection.beatDueMs = nowMs + HEARTBEAT_SECONDS * 1_000;
      connection.subscriber.send(beats.for(connection.subscriber.cursor()));
    }
  }

  async #chargeAgain(connection: LiveConnection): Promise<void> {
    connection.chargeDueMs += CHARGE_EVERY_MS;
    const { principal, address } = connection;
    const charged = await this.#charge({ principal, address }, 1);
    if (!charged.ok) connection.end({ code: 'live.quota', retryAfterSeconds: charged.retryAfterSeconds });
  }
}
