/** B1, A1 over several processes: the collecting process is taken away again and again while the weather changes and a witness listens. */
import { createLiveFeed } from '@nwms/client';
import type { Feed } from '@nwms/nws-sim';
import { Client } from 'pg';
import { WebSocket } from 'ws';
import type { ChildServer } from './child-server.ts';
import { poll } from './child-server.ts';
import { type Deployment, freshAfter, wholeLog } from './processes.ts';
import { judge, readRecord, type StoredRecord, type Verdict } from './truth.ts';

/** How a collector goes: without a word, in order, stuck for a while, or with its connection to the database cut. */
export type Leaving = 'kill' | 'stop' | 'freeze' | 'cut';

export interface Takeover {
  how: Leaving;
  /** From the leaving until the witness answered with data fetched after it, in ms. */
  freshMs: number;
}

export interface TakeoverResult {
  takeovers: Takeover[];
  verdict: Verdict;
  entries: number;
  /** Entries the witness heard over one socket. */
  heard: number;
  /** Answers of the witness that were looked at. */
  answers: number;
  /** Empty when every promise was kept. */
  faults: string[];
}

export interface TakeoverPlan {
  leavings: readonly Leaving[];
  /** Pause before the n-th leaving, in ms: it should fall into every part of a poll. */
  pauseMs(round: number): number;
  /** A takeover that takes longer is a fault. Includes the 20 s after which a stuck collector counts as one. */
  withinMs: number;
  /** Processes that may collect. */
  candidates: number;
}

const STARTED = 'This process collects alerts now';
const ENDED = 'This process no longer collects alerts';

/** Does this process say that it collects? */
const collects = (child: ChildServer) => child.said().lastIndexOf(STARTED) > child.said().lastIndexOf(ENDED);

export async function takeOverAgainAndAgain(group: Deployment, plan: TakeoverPlan): Promise<TakeoverResult> {
  // All at once, on an empty database: who is first to write is part of the question.
  const starts = [group.start({ ROLES: 'api' }), ...Array.from({ length: plan.candidates }, () => group.start())];
  const [witness, ...candidates] = (await Promise.all(starts)) as [ChildServer, ...ChildServer[]];
  let alive = candidates;
  await poll(
    () => witness.json('/alerts/stats'),
    (stats) => stats.total > 50,
    90_000,
  );
  const listening = await listen(witness, group.url);
  const takeovers: Takeover[] = [];
  const faults: string[] = [];
  for (const [round, how] of plan.leavings.entries()) {
    const leader = (
      await poll(
        async () => alive.filter(collects),
        (found) => found.length === 1,
        plan.withinMs,
      )
    )[0]!;
    await new Promise((next) => setTimeout(next, plan.pauseMs(round)));
    const at = Date.now();
    await leave(how, leader, group.url);
    const freshMs = await freshAfter(witness, at, plan.withinMs);
    takeovers.push({ how, freshMs });
    console.log(`takeover ${round + 1} (${how}): fresh again after ${freshMs.toFixed(0)} ms`);
    if (how === 'kill' || how === 'stop') {
      await leader.exited;
      const isLast = round === plan.leavings.length - 1;
      alive = [...alive.filter((child) => child !== leader), ...(isLast ? [] : [await group.start()])];
    }
    // What wakes up late has lost its right, and must know it before it says or writes anything.
    if (how === 'freeze') {
      leader.kill('SIGCONT');
      await poll(
        async () => collects(leader),
        (still) => !still,
        plan.withinMs,
      );
    }
  }
  const wholeUntil = takeovers.length > 0 ? Date.now() : 0;
  // The history of the last takeover may still be under way.
  const verdict = await poll(
    async () => judge(await readRecord(group.url), group.world(), wholeUntil),
    ({ lost }) => lost.length === 0,
    60_000,
  ).catch(async () => judge(await readRecord(group.url), group.world(), wholeUntil));
  const record = await readRecord(group.url);
  const lastSeq = record.entries.at(-1)?.seq ?? 0;
  faults.push(...(await disagreements([witness, ...alive], lastSeq)));
  const { heard, answers, ...found } = await listening.stop(lastSeq);
  faults.push(...found.faults, ...tooFresh(record, group.world(), answers), ...misheard(record, heard, await wholeLog(witness)));
  return { takeovers, verdict, entries: lastSeq, heard: heard.length, answers: answers.length, faults };
}

async function leave(how: Leaving, leader: ChildServer, url: string): Promise<void> {
  if (how === 'kill') leader.kill('SIGKILL');
  else if (how === 'stop') leader.kill('SIGTERM');
  else if (how === 'freeze') leader.kill('SIGSTOP');
  else await cutLock(url);
}

/** Ends the session that holds the right to write, as a lost network does. */
async function cutLock(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`select pg_terminate_backend(l.pid) from pg_locks l join pg_database d on d.oid = l.database
    where l.locktype = 'advisory' and d.datname = current_database()`);
  await client.end();
}

interface Answer {
  /** Number of the newest entry the answer knows. */
  seq: number;
  /** As of when it claims to be true, epoch milliseconds. */
  asOf: number;
}

/** One socket and one question after the other at a process, from now to `stop`. */
async function listen(witness: ChildServer, url: string) {
  const client = new Client({ connectionString: url });
  await client.connect();
  const head = await witness.json('/alerts?limit=1');
  const heard: { seq: number; text: string }[] = [];
  const answers: Answer[] = [];
  const faults: string[] = [];
  const feed = createLiveFeed({ url: `${witness.url}/ws/alerts`, WebSocket: WebSocket as never, cursor: head.position.cursor });
  feed.onMessage((message) => {
    if (message.type === 'gap') faults.push(`the witness lost its place: ${message.reason}`);
    if (message.type === 'alert' || message.type === 'update') heard.push({ seq: message.seq, text: JSON.stringify(message) });
  });
  feed.connect();
  const state = { isStopped: false };
  const look = async () => {
    const answer = await witness.json('/alerts?limit=1').catch(() => null);
    if (!answer?.position) return;
    const seq = Number(answer.position.cursor.split(':')[1]);
    const { rows } = await client.query('select coalesce(max(seq), 0) as n from log.log');
    // The database was asked after the answer: whatever the witness knew must be in it.
    if (seq > Number(rows[0].n)) faults.push(`the witness knew ${seq} when the database had ${rows[0].n}`);
    answers.push({ seq, asOf: Date.parse(answer.freshness.data_as_of ?? '1970-01-01') });
  };
  const looking = (async () => {
    while (!state.isStopped) {
      await look();
      await new Promise((next) => setTimeout(next, 50));
    }
  })();
  return {
    async stop(lastSeq: number) {
      await poll(
        async () => Number(feed.status().cursor?.split(':')[1] ?? 0),
        (seq) => seq >= lastSeq,
        60_000,
      ).catch(() => faults.push(`the witness heard nothing up to ${lastSeq}`));
      state.isStopped = true;
      await looking;
      feed.disconnect();
      await client.end();
      return { heard: heard.filter(({ seq }) => seq <= lastSeq), answers, faults };
    },
  };
}

/** Who says "as of" an instant must have what the list of that instant held. (A history that is read later brings what was in no list.) */
function tooFresh({ entries, messages, polls }: StoredRecord, world: Feed, answers: readonly Answer[]): string[] {
  const stored = new Map(messages.map((message) => [message.id, message]));
  // The first entry that names a message was written with the poll that brought it.
  const needed: { at: number; seq: number; upstreamId: string }[] = [];
  const named = new Set<string>();
  for (const { seq, messageId } of entries) {
    const message = stored.get(messageId);
    if (message === undefined || named.has(messageId)) continue;
    named.add(messageId);
    needed.push({ at: message.receivedAt, seq, upstreamId: message.upstreamId });
  }
  const faults = new Set<string>();
  for (const { seq, asOf } of answers) {
    const nextPoll = polls.find((started) => started > asOf) ?? asOf;
    const late = needed.filter((entry) => entry.at < nextPoll && entry.seq > seq);
    if (late.length === 0) continue;
    const listed = new Set(world.activeAt(asOf).features.map(({ properties }) => properties.id));
    const missing = late.find(({ upstreamId }) => listed.has(upstreamId));
    if (missing) faults.add(`${seq} was told as of ${new Date(asOf).toISOString()}, when ${missing.seq} was known`);
  }
  return [...faults];
}

/** The same numbers under the same words everywhere, from the first to the last. */
async function disagreements(children: readonly ChildServer[], lastSeq: number): Promise<string[]> {
  const logs: string[][] = [];
  for (const child of children) {
    await poll(
      () => child.json('/alerts/changes'),
      (head) => Number(head.latest_cursor.split(':')[1]) >= lastSeq,
      30_000,
    );
    logs.push((await wholeLog(child)).filter(({ seq }) => seq <= lastSeq).map(({ text }) => text));
  }
  const [first = [], ...others] = logs;
  return others.flatMap((log, at) => {
    const place = log.findIndex((text, index) => text !== first[index]);
    if (log.length !== first.length) return [`process ${at + 1} tells ${log.length} entries, the witness ${first.length}`];
    return place < 0 ? [] : [`process ${at + 1} differs at place ${place}: ${log[place]?.slice(0, 200)}`];
  });
}

/** What came over the socket: every listed entry once, in order, in the words of the log. */
function misheard(
  record: StoredRecord,
  heard: readonly { seq: number; text: string }[],
  told: Awaited<ReturnType<typeof wholeLog>>,
): string[] {
  const from = heard[0]?.seq ?? Infinity;
  const last = record.entries.at(-1)?.seq ?? 0;
  const due = told.filter(({ seq, status }) => seq >= from && seq <= last && status !== 'Test').map(({ seq }) => seq);
  const seqs = heard.map(({ seq }) => seq);
  return JSON.stringify(due) === JSON.stringify(seqs)
    ? []
    : [`the socket brought ${seqs.length} of ${due.length} entries, or in another order`];
}
