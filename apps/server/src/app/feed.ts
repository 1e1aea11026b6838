import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Instant, Source } from '@nwms/domain';
import type { Clock } from '../platform/clock.ts';
import type { Config } from '../platform/config/config.ts';
import type { Log } from '../platform/log.ts';
import type { PrepareStandIn } from './stand-in.ts';

/** Where alerts come from, decided once at start and never switched while running. */
export interface ResolvedFeed {
  feed: 'nws' | 'simulator' | 'replay';
  source: Source;
  /** Each feed keeps its own data: simulated and real alerts never share a database. */
  dataDir: string;
  /** Name under which a database belongs to this feed. */
  claim: string;
  /** Starts the stand-in where there is one; its world is a function of its settings and of when it began. */
  open(startedAt: Instant): Promise<OpenFeed>;
}

export interface OpenFeed {
  baseUrl: string;
  close(): Promise<void>;
}

/** api.weather.gov must answer within this long for FEED=auto to choose it. */
const PROBE_TIMEOUT_MS = 3_000;

async function answers(baseUrl: string, contact: string): Promise<boolean> {
  try {
    const response = await fetch(`${baseUrl}/alerts/active/count`, {
      headers: { 'User-Agent': userAgent(contact), Accept: 'application/ld+json, application/json' },
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
      redirect: 'error',
    });
    await response.body?.cancel();
    return response.ok;
  } catch {
    // Any failure means the same here: not reachable now.
    return false;
  }
}

/** The weather service asks for an application name and a contact. */
export const userAgent = (contact: string) => `NWMS/0.1 (${contact})`;

export interface FeedDeps {
  clock: Clock;
  log: Log;
  standIn: PrepareStandIn;
}

export async function resolveFeed(config: Config, deps: FeedDeps): Promise<ResolvedFeed> {
  const { feed: wanted, data } = config;
  let choice = wanted.choice;
  if (choice === 'auto') {
    choice = (await answers(wanted.baseUrl, wanted.contact)) ? 'nws' : 'simulator';
    deps.log.info(
      { feed: choice },
      choice === 'nws' ? 'api.weather.gov answers: live data' : 'api.weather.gov does not answer: SIMULATED weather',
    );
  }
  if (choice === 'nws') {
    const open = async () => ({ baseUrl: wanted.baseUrl, close: async () => {} });
    return { feed: 'nws', source: 'nws', dataDir: join(data.dir, 'nws'), claim: 'nws', open };
  }
  return choice === 'replay' ? replay(config, deps) : simulator(config, deps);
}

/** A world of its own per seed, speed and calendar: another seed must not find this one's alerts. */
export const simulatorFolder = ({ seed, speed, seasons }: Pick<Config['feed']['simulator'], 'seed' | 'speed' | 'seasons'>): string =>
  `simulator-${seed}-${speed}x${seasons === 'calendar' ? '-calendar' : ''}`;

function simulator(config: Config, deps: FeedDeps): ResolvedFeed {
  const { seed, speed, targetActive, seasons } = config.feed.simulator;
  const dataDir = join(config.data.dir, simulatorFolder(config.feed.simulator));
  const { open } = deps.standIn({ kind: 'storms', seed, speed, targetActive, seasons }, deps);
  return { feed: 'simulator', source: 'simulator', dataDir, claim: basename(dataDir), open };
}

function replay(config: Config, deps: FeedDeps): ResolvedFeed {
  const path = config.feed.replayPath;
  if (!path || !existsSync(path)) throw new Error(`REPLAY_PATH: no file at ${path ?? '(unset)'}`);
  const beside = join(dirname(path), '../zones');
  const zonesDir = config.feed.replayZones ?? (existsSync(beside) ? beside : undefined);
  const dataDir = join(config.data.dir, `replay-${basename(path).replaceAll(/[^A-Za-z0-9.-]/g, '_')}`);
  const { open } = deps.standIn({ kind: 'replay', path, ...(zonesDir ? { zonesDir } : {}) }, deps);
  return { feed: 'replay', source: 'replay', dataDir, claim: basename(dataDir), open };
}
