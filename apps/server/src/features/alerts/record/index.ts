import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/types.ts';
import type { Places } from '../../places/types.ts';
import { createPause } from '../storage/pause.ts';
import { areaInfo } from './area-info.ts';
import { createEventFacts } from './facts.ts';
import { createPartsFill } from './store-parts-fill.ts';
import { createPartStore } from './store-parts.ts';
import { createEventReigns } from './store-reigns.ts';
import { createFactStore } from './store-facts.ts';
import type { AlertRecord } from './types.ts';

/** The stored record for statistics and playback. Questions run off the request thread. */
export function createAlertRecord({ database, clock, places }: { database: Database; clock: Clock; places: Places }): AlertRecord {
  const pause = createPause(clock);
  return {
    area: (code) => areaInfo(places, code, clock.now()),
    facts: createEventFacts({ store: createFactStore(database, pause), clock, places, pause }),
    reigns: createEventReigns({ reads: database.reads.log, pause }),
    parts: createPartStore(database),
    fillParts: createPartsFill(database, clock, pause),
  };
}
