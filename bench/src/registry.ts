import { boardPlaces } from './board-places.ts';
import type { Benchmark } from './harness.ts';
import { readLists, readNotModified } from './http-read.ts';
import { ingestSnapshot } from './ingest.ts';
import { history } from './history.ts';
import { keyGate } from './key-gate.ts';
import { keyVerify } from './key-verify.ts';
import { liveBroadcast, liveResume, liveSlowReaders } from './live.ts';
import { pastMemory } from './past-memory.ts';
import { startUp } from './start-up.ts';
import { timelinePlay } from './timeline-play.ts';
import { usageFigures } from './usage-figures.ts';
import { usageRecording } from './usage-recording.ts';
import { webScreens } from './web-screens.ts';

/** All benchmarks, in order of their names in docs/benchmarks.md. */
export const BENCHMARKS: readonly Benchmark[] = [
  readLists,
  readNotModified,
  keyGate,
  boardPlaces,
  liveBroadcast,
  liveResume,
  ingestSnapshot,
  usageRecording,
  usageFigures,
  history,
  startUp,
  keyVerify,
  timelinePlay,
  webScreens,
  liveSlowReaders,
  pastMemory,
];
