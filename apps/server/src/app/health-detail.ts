import type { Health } from '@nwms/contract';
import type { FastifyRequest } from 'fastify';
import type { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Ingest } from '../features/ingest/index.ts';
import type { Live } from '../features/live/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/types.ts';
import type { Identity } from '../platform/http/identity.ts';
import type { Principal } from '../platform/http/principal.ts';

interface Parts {
  clock: Clock;
  identity: Identity;
  database: Pick<Database, 'engine'>;
  storage: { log: { latestSeq(): number } };
  live: Pick<Live, 'connections'>;
  ingest: Pick<Ingest, 'upstream'>;
  loopDelay: ReturnType<typeof monitorEventLoopDelay>;
  version: string;
}

/** Health never waits for a database: whoever is not known by then sees what everybody sees. */
const IDENTIFY_WITHIN_MS = 250;

/** The part of the health answer that only administrators get. */
export function healthDetail(parts: Parts): (request: FastifyRequest) => Promise<Health['admin'] | null> {
  const { clock } = parts;
  const startedMs = clock.monotonicMs();
  return async (request) => {
    if (request.headers.authorization === undefined) return null;
    const principal = await inTime(clock, parts.identity.quietly(request));
    if (principal?.type !== 'session' || principal.account.role !== 'admin') return null;
    const { rss, heapUsed } = process.memoryUsage();
    const { quarantined_24h, polls_24h } = parts.ingest.upstream();
    return {
      version: parts.version,
      node: process.version,
      database: parts.database.engine.kind,
      running_seconds: Math.floor((clock.monotonicMs() - startedMs) / 1_000),
      memory: { rss_bytes: rss, heap_used_bytes: heapUsed },
      event_loop_delay_p99_ms: Math.round(parts.loopDelay.percentile(99) / 1e4) / 100,
      log_seq: parts.storage.log.latestSeq(),
      live_connections: parts.live.connections(),
      quarantined_24h,
      polls_24h,
    };
  };
}

async function inTime(clock: Clock, answer: Promise<Principal>): Promise<Principal | null> {
  let cancel = () => {};
  const late = new Promise<null>((resolve) => {
    cancel = clock.after(IDENTIFY_WITHIN_MS, () => resolve(null));
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    cancel();
  }
}
