import type { Log } from '../../platform/log.ts';
import type { SteadyClock } from '../../platform/steady-clock.ts';
import type { AlertWriter } from '../alerts/types.ts';
import type { Places } from '../places/types.ts';
import type { IngestState } from './state.ts';
import type { InTurn } from './turns.ts';

/** What goes on whether upstream answers or not: ends by the clock, gaps, late shapes. */
export interface Clockwork {
  /** One look at everything; called every second. Throws nothing. */
  look(): Promise<void>;
  stop(): void;
}

/** A failing database is told once a minute, not once a second. */
const TELL_EVERY_MS = 60_000;

export function createClockwork(deps: {
  clock: SteadyClock;
  log: Log;
  writer: AlertWriter;
  inTurn: InTurn;
  state: IngestState;
  places: Pick<Places, 'onLoaded'>;
}): Clockwork {
  const { clock, log, writer } = deps;
  const lateCodes = new Set<string>();
  let looking = false;
  let toldAtMs = -Infinity;
  const forget = deps.places.onLoaded((codes) => {
    for (const code of codes) lateCodes.add(code);
  });

  const relocate = async () => {
    const codes = [...lateCodes];
    lateCodes.clear();
    try {
      await deps.inTurn(() => writer.relocate(codes));
    } catch (error) {
      for (const code of codes) lateCodes.add(code);
      throw error;
    }
  };
  /** What was extended while no process collected must not be told as over: the first round speaks first, be it that upstream is away. */
  const hasAsked = () => {
    const { cause } = deps.state.facts();
    return cause !== 'starting' && cause !== 'never_polled';
  };
  const steps = async () => {
    const dueAt = writer.nextTickAt();
    if (dueAt !== null && dueAt <= clock.now() && hasAsked()) await deps.inTurn(() => writer.tick());
    if (lateCodes.size > 0) await relocate();
    await deps.state.look();
  };

  return {
    async look() {
      if (looking) return;
      looking = true;
      try {
        await steps();
      } catch (error) {
        if (clock.monotonicMs() - toldAtMs >= TELL_EVERY_MS) {
          toldAtMs = clock.monotonicMs();
          log.error({ err: error }, 'Clock transitions could not be stored; retried every second');
        }
      } finally {
        looking = false;
      }
    },
    stop: forget,
  };
}
