import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { poll, startChild } from './child-server.ts';

export interface UsageLedger {
  kills: number;
  /** Answers that callers got of counted requests, and those found in the records. */
  answered: number;
  recorded: number;
  /** Longest time before a kill at which an answer was given that is not recorded. */
  lostWithinMs: number;
  /** How much older than the newest recorded answer of its life the oldest missing one is: 0 where all that is missing came last. */
  lostBeforeRecordedMs: number;
  /** Empty when every promise was kept. */
  faults: string[];
}

const CALLERS = 6;

/**
 * Kills the server without warning while callers ask, again and again. Every answer's request id is a line in the callers' ledger: what is
 * missing in the records must be young, and whatever is recorded must be counted exactly once in every roll-up.
 */
export async function killWhileRecording(dataDir: string, kills: number, liveMs: (round: number) => number): Promise<UsageLedger> {
  const faults: string[] = [];
  const ledger = new Map<string, { round: number; at: number }>();
  const killedAt: number[] = [];
  for (let round = 0; round < kills; round += 1) {
    const server = await startChild(dataDir, { LIMITS_FACTOR: '100000' });
    const stop = new AbortController();
    try {
      await poll(
        () => server.json('/alerts?limit=1'),
        (answer) => answer.error === undefined,
        60_000,
      );
      const ask = async (caller: number) => {
        while (!stop.signal.aborted) {
          try {
            const answer = await fetch(`${server.url}/api/v1/alerts?limit=${1 + caller}`, {
              headers: { 'user-agent': `caller/${caller}` },
            });
            await answer.arrayBuffer();
            ledger.set(answer.headers.get('x-request-id') ?? '', { round, at: performance.now() });
          } catch {
            // The kill cuts answers off: callers did not get them, the ledger does not have them.
            return;
          }
        }
      };
      const asking = Array.from({ length: CALLERS }, (_, caller) => ask(caller));
      await new Promise((done) => setTimeout(done, liveMs(round)));
      killedAt.push(performance.now());
      server.kill('SIGKILL');
      stop.abort();
      await server.exited;
      await Promise.all(asking);
    } finally {
      server.kill('SIGKILL');
      await server.exited;
    }
    faults.push(...mismatches(dataDir).map((fault) => `round ${round}: ${fault}`));
  }
  const recorded = new Set(read<{ request_id: string }>(dataDir, 'select request_id from requests').map(({ request_id }) => request_id));
  const newestAt: number[] = [];
  for (const [id, { round, at }] of ledger) if (recorded.has(id)) newestAt[round] = Math.max(newestAt[round] ?? 0, at);
  let [lostWithinMs, lostBeforeRecordedMs] = [0, 0];
  for (const [id, { round, at }] of ledger) {
    if (recorded.has(id)) continue;
    lostWithinMs = Math.max(lostWithinMs, (killedAt[round] ?? 0) - at);
    lostBeforeRecordedMs = Math.max(lostBeforeRecordedMs, (newestAt[round] ?? 0) - at);
  }
  const found = [...ledger.keys()].filter((id) => recorded.has(id)).length;
  return {
    kills,
    answered: ledger.size,
    recorded: found,
    lostWithinMs: Math.round(lostWithinMs),
    lostBeforeRecordedMs: Math.round(lostBeforeRecordedMs),
    faults,
  };
}

/** Every roll-up that counts all requests must count the rows, each once. */
function mismatches(dataDir: string): string[] {
  const one = (sql: string) => Number(read<{ n: number }>(dataDir, sql)[0]?.n ?? 0);
  const rows = one('select count(*) as n from requests');
  const ids = one('select count(distinct id) as n from requests');
  const sums = ['all', 'endpoint', 'status', 'country', 'device'].map((kind): [string, number] => [
    kind,
    one(`select sum(requests) as n from rollups where kind = '${kind}' and rolled = 0`),
  ]);
  const visitors = one('select sum(requests) as n from visitors where rolled = 0');
  const check = read<{ integrity_check: string }>(dataDir, 'pragma integrity_check')[0]?.integrity_check;
  return [
    ...(ids === rows ? [] : [`${rows - ids} rows twice`]),
    ...sums.filter(([, n]) => n !== rows).map(([kind, n]) => `${kind}: ${n} of ${rows}`),
    ...(visitors === rows ? [] : [`visitors: ${visitors} of ${rows}`]),
    ...(check === 'ok' ? [] : [String(check)]),
  ];
}

function read<T>(dataDir: string, sql: string): T[] {
  const db = new DatabaseSync(join(dataDir, 'simulator-1-1x', 'usage.db'), { readOnly: true });
  try {
    return db.prepare(sql).all() as T[];
  } finally {
    db.close();
  }
}
