interface Timer {
  dueMs: number;
  run: () => void;
}

/** A clock that moves only when told. `advance` runs due timers in order and lets promises settle between them. */
export interface FakeClock {
  now(): number;
  monotonicMs(): number;
  after(delayMs: number, run: () => void): () => void;
  /** Moves both clocks. */
  advance(ms: number): Promise<void>;
  /** Jumps the wall clock alone, as an administrator or NTP would. */
  jump(ms: number): void;
}

export function fakeClock(startAt: number): FakeClock {
  let wallOffset = startAt;
  let monotonic = 0;
  const timers = new Set<Timer>();
  const settle = () => new Promise<void>((done) => setImmediate(done));
  return {
    now: () => wallOffset + monotonic,
    monotonicMs: () => monotonic,
    after(delayMs, run) {
      const timer = { dueMs: monotonic + Math.max(0, delayMs), run };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    async advance(ms) {
      const end = monotonic + ms;
      for (;;) {
        await settle();
        const due = [...timers].filter((t) => t.dueMs <= end).sort((a, b) => a.dueMs - b.dueMs)[0];
        if (!due) break;
        timers.delete(due);
        monotonic = Math.max(monotonic, due.dueMs);
        due.run();
      }
      monotonic = end;
      await settle();
    },
    jump(ms) {
      wallOffset += ms;
    },
  };
}
