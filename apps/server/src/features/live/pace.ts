import type { Encoding } from './frames.ts';
import type { Hub } from './hub.ts';
import type { Ending } from './types.ts';

/** One reader's end of the wire. */
export interface Transport {
  readonly encoding: Encoding;
  isOpen(): boolean;
  /** Bytes accepted but not yet taken by the kernel. */
  bufferedBytes(): number;
  write(bytes: Buffer): void;
  /** Calls once when the buffer is empty again, or never. */
  onceDrained(run: () => void): void;
  end(ending: Ending): void;
}

/** How fast one reader is written to: no faster than it takes, and not at the cost of the others (LV28). */
export class Pace {
  readonly #hub: Hub;
  readonly #transport: Transport;
  #stalled = false;

  constructor(hub: Hub, transport: Transport) {
    this.#hub = hub;
    this.#transport = transport;
  }

  /** More waits for the reader than it may keep waiting: the next room is an empty buffer, or its end. */
  stall(): void {
    this.#stalled = true;
  }

  /** Waits until the reader has taken enough. False: it did not in time, and was ended. */
  async room(): Promise<boolean> {
    const { limits, clock } = this.#hub.deps;
    if (!this.#stalled && this.#transport.bufferedBytes() < limits.pacedBytes) return true;
    const seconds = this.#stalled ? limits.drainSeconds : limits.stuckReplaySeconds;
    const drained = await new Promise<boolean>((done) => {
      const cancel = clock.after(seconds * 1_000, () => done(false));
      this.#transport.onceDrained(() => {
        cancel();
        done(true);
      });
    });
    this.#stalled = false;
    if (!drained && this.#transport.isOpen()) this.#transport.end({ code: 'live.slow', retryAfterSeconds: 1 });
    return drained;
  }

  /** Waits for its turn among all that have much to read. */
  async turn(): Promise<void> {
    if (!this.#hub.turns.take()) await this.#hub.turns.next();
  }

  /** One after the other, each when there is room. */
  async send(parts: readonly Buffer[]): Promise<void> {
    for (const part of parts) {
      if (!(await this.room())) return;
      await this.turn();
      this.#transport.write(part);
    }
  }

  wait(delayMs: number): Promise<void> {
    return new Promise((done) => void this.#hub.deps.clock.after(delayMs, done));
  }
}
