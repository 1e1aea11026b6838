import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';

import { createReplayFeed, createStormFeed, type Feed, randomFaultPlan, startNwsSim } from './index.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    host: { type: 'string', default: '127.0.0.1' },
    seed: { type: 'string', default: '7' },
    speed: { type: 'string', default: '1' },
    active: { type: 'string', default: '220' },
    seasons: { type: 'string', default: 'all' },
    replay: { type: 'string' },
    zones: { type: 'string' },
    faults: { type: 'string' },
    log: { type: 'boolean', default: false },
  },
});

const startedAt = Date.now();

function storms(): Feed {
  return createStormFeed({
    seed: Number(values.seed),
    startedAt,
    speed: Number(values.speed),
    targetActive: Number(values.active),
    seasons: values.seasons === 'calendar' ? 'calendar' : 'all',
  });
}

function replay(path: string): Feed {
  const zones = values.zones === undefined ? {} : { zonesDir: values.zones };
  return createReplayFeed({ capture: readFileSync(path), name: basename(path), startedAt, relative: true, ...zones });
}

const sim = await startNwsSim({
  feed: values.replay === undefined ? storms() : replay(values.replay),
  weatherSeed: Number(values.seed),
  clock: () => Date.now(),
  host: values.host,
  port: Number(values.port),
  ...(values.faults === undefined ? {} : { faults: randomFaultPlan(Number(values.faults)) }),
  ...(values.log ? { log: (line: string) => console.error(line) } : {}),
});
console.log(sim.url);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void sim.close());
