import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import type { Entry } from '@nwms/contract';
import { Client } from 'pg';
import { ANY_STATUS, type ChildServer, poll, startChild } from './child-server.ts';

/** How many times faster storms live: every start looks through two hours of their history, which must stay a few pages. */
const SPEED = 12;
/** Listed messages, for the same reason. */
const ACTIVE = 130;
/** Rows of a page of the log. */
const PAGE = 1000;

/** Where the product keeps its data: in the folder, or in a PostgreSQL database. */
export interface KillPlace {
  dataDir: string;
  databaseUrl?: string;
}

export interface KillResult {
  kills: number;
  entries: number;
  events: number;
  /** Empty when every promise was kept. */
  faults: string[];
}

/**
 * Kills the server without warning, again and again, while storms live faster than the clock. After each start, everything an earlier process
 * told must still be told, in the same place and the same words.
 */
export async function killAgainAndAgain(place: KillPlace, kills: number, liveMs: (round: number) => number): Promise<KillResult> {
  const told = new Map<number, string>();
  const events = new Set<string>();
  const faults: string[] = [];
  let epoch: string | null = null;
  for (let round = 0; round <= kills; round++) {
    const server = await startChild(place.dataDir, {
      SIM_SPEED: String(SPEED),
      SIM_ACTIVE: String(ACTIVE),
      ...(place.databaseUrl ? { DATABASE_URL: place.databaseUrl } : {}),
    });
    try {
      const seenSeq = Math.max(0, ...told.keys());
      const latest = await read(server, epoch, told, events, faults, round);
      if (latest.seq < seenSeq) faults.push(`round ${round}: the log went back from ${seenSeq} to ${latest.seq}`);
      if (epoch !== null && latest.epoch !== epoch) faults.push(`round ${round}: another epoch`);
      epoch = latest.epoch;
      for (const id of [...events].slice(-20)) {
        const found = await fetch(`${server.url}/api/v1/alerts/${encodeURIComponent(id)}`);
        await found.body?.cancel();
        if (found.status !== 200) faults.push(`round ${round}: ${id} answers ${found.status}`);
      }
      // What is told in the last moments before the kill counts too: whoever saw it acted on it.
      const until = performance.now() + liveMs(round);
      do await read(server, epoch, told, events, faults, round, Math.max(0, ...told.keys()));
      while (performance.now() < until);
    } finally {
      server.kill('SIGKILL');
      await server.exited;
    }
    if (round % 10 === 9) console.log(`${round + 1} kills, ${told.size} entries, ${faults.length} faults`);
    const holes = place.databaseUrl ? await holesInPostgres(place.databaseUrl) : holesIn(place.dataDir);
    faults.push(...holes.map((hole) => `round ${round}: ${hole}`));
    if (/repair|corrupt|malformed/i.test(server.said())) faults.push(`round ${round}: ${server.said().slice(-300)}`);
  }
  return { kills, entries: told.size, events: events.size, faults };
}

/** Reads the log from `after` on, page by page; compares what was told before and notes what is new. */
async function read(
  server: ChildServer,
  epoch: string | null,
  told: Map<number, string>,
  events: Set<string>,
  faults: string[],
  round: number,
  after?: number,
): Promise<{ epoch: string; seq: number }> {
  const head = await poll(
    () => server.json('/alerts/changes'),
    (answer) => answer.error === undefined,
    20_000,
  );
  const [currentEpoch, latest] = head.latest_cursor.split(':') as [string, string];
  if (epoch !== null && currentEpoch !== epoch) return { epoch: currentEpoch, seq: Number(latest) };
  let cursor = after === undefined ? head.oldest_cursor : `${currentEpoch}:${after}`;
  const known = new Set([...told.keys()].filter((seq) => seq > Number(cursor.split(':')[1])));
  const highest = Math.max(0, ...told.keys());
  for (;;) {
    const page = await server.json(`/alerts/changes?since=${cursor}&limit=${PAGE}&${ANY_STATUS}`);
    if (page.error !== undefined) {
      faults.push(`round ${round}: ${cursor} answers ${page.error}`);
      break;
    }
    for (const entry of page.changes as Entry[]) {
      if (entry.seq <= highest && !known.delete(entry.seq)) faults.push(`round ${round}: ${entry.seq} was put in later`);
      const text = JSON.stringify(entry);
      const before = told.get(entry.seq);
      if (before !== undefined && before !== text) faults.push(`round ${round}: entry ${entry.seq} changed`);
      told.set(entry.seq, text);
      events.add(entry.event_id);
    }
    cursor = page.cursor;
    if (!page.has_more) break;
  }
  if (known.size > 0) faults.push(`round ${round}: ${[...known].join(', ')} no longer told`);
  return { epoch: currentEpoch, seq: Number(latest) };
}

/** Tests of the weather service have numbers that are told to nobody: only the store knows that none is missing. */
function holesIn(dataDir: string): string[] {
  const db = new DatabaseSync(join(dataDir, `simulator-1-${SPEED}x`, 'log.db'), { readOnly: true });
  const row = db.prepare('select min(seq) as first, max(seq) as last, count(*) as n from log').get() as unknown as Numbers;
  const check = db.prepare('pragma integrity_check').get() as { integrity_check: string };
  db.close();
  return [...gapsIn(row), ...(check.integrity_check === 'ok' ? [] : [check.integrity_check])];
}

async function holesInPostgres(url: string): Promise<string[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<Record<keyof Numbers, string>>(
    'select min(seq) as first, max(seq) as last, count(*) as n from log.log',
  );
  await client.end();
  return gapsIn({ first: Number(rows[0]?.first), last: Number(rows[0]?.last), n: Number(rows[0]?.n) });
}

interface Numbers {
  first: number;
  last: number;
  n: number;
}

const gapsIn = ({ first, last, n }: Numbers): string[] =>
  n > 0 && last - first + 1 !== n ? [`${n} entries numbered ${first} to ${last}`] : [];
