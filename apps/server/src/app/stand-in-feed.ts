import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Instant } from '@nwms/domain';
import { type Atlas, createReplayFeed, createStormFeed, type Feed } from '@nwms/nws-sim';
import type { StandInWorld } from './stand-in.ts';

/** The weather of a stand-in that began at this instant. Throws with a sentence when a recording cannot be read. */
export function feedOf(world: StandInWorld, startedAt: Instant, atlas?: Atlas): Feed {
  if (world.kind === 'storms') return createStormFeed({ ...world, startedAt, ...(atlas ? { atlas } : {}) });
  const { path, zonesDir } = world;
  const capture = readFileSync(path);
  return createReplayFeed({ capture, name: basename(path), startedAt, relative: true, ...(zonesDir ? { zonesDir } : {}) });
}
