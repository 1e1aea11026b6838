import { createLiveFeed } from '@nwms/client';
import type { AlertList } from '@nwms/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type ChildServer, poll } from './child-server.ts';
import { seeded } from './live-recovery.ts';
import { type Deployment, deployment, freshAfter, postgres, wholeLog } from './processes.ts';
import { type Leaving, takeOverAgainAndAgain } from './takeovers.ts';

/** Ten seconds is the promise on a machine of its own (docs/evidence.md has the figures), 20 more for one that is stuck; tests share theirs. */
const TAKEN_OVER_WITHIN_MS = 120_000;
const TAKEOVERS = Number(process.env['NWMS_TAKEOVERS'] ?? 20);
const WAYS: readonly Leaving[] = ['kill', 'kill', 'stop', 'kill', 'cut', 'kill', 'kill', 'freeze', 'kill', 'stop'];
const seed = Number(process.env['NWMS_CHAOS_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

const hasData = async (child: ChildServer) => (await child.json('/alerts/stats')).total > 50;
const settled = (child: ChildServer) => poll(() => hasData(child), Boolean, 60_000);

/** Reads live from a cursor until a number is there: the numbers told, in order, and how often the place was lost. */
async function heardFrom(child: ChildServer, cursor: string, until: number): Promise<{ seqs: number[]; gaps: number }> {
  const feed = createLiveFeed({ url: `${child.url}/ws/alerts`, WebSocket: WebSocket as never, cursor });
  const seqs: number[] = [];
  let gaps = 0;
  const reached = Promise.withResolvers<void>();
  feed.onMessage((message) => {
    if (message.type === 'gap') gaps += 1;
    if ('seq' in message && typeof message.seq === 'number') seqs.push(message.seq);
    if ((seqs.at(-1) ?? 0) >= until) reached.resolve();
  });
  feed.connect();
  await reached.promise;
  feed.disconnect();
  return { seqs, gaps };
}

// A handful of processes at once: a run of its own, as the other long ones.
describe.skipIf(process.env['NWMS_CHAOS'] !== '1' || !postgres || postgres.skip !== null)('several processes on one PostgreSQL', () => {
  let group: Deployment;
  beforeEach(async () => {
    group = await deployment();
  });
  afterEach(() => group.close(), 60_000);

  it('tell the same list under the same numbers, validators and words, and a socket goes on at the other without gap or repeat', async () => {
    const leader = await group.start();
    await settled(leader);
    const follower = await group.start({ ROLES: 'api' });
    await settled(follower);
    const question = '/api/v1/alerts?active_only=true&limit=1000';
    const pair = await poll(
      async () => {
        const [mine, theirs] = await Promise.all([fetch(leader.url + question), fetch(follower.url + question)]);
        return {
          mine: (await mine.json()) as AlertList,
          theirs: (await theirs.json()) as AlertList,
          etags: [mine.headers.get('etag'), theirs.headers.get('etag')],
        };
      },
      ({ mine, theirs }) => mine.alerts.length > 50 && JSON.stringify(mine.alerts) === JSON.stringify(theirs.alerts),
      40_000,
    );
    expect(pair.mine.alerts.length).toBeGreaterThan(50);
    expect(pair.etags[0]).toBe(pair.etags[1]);
    expect(pair.theirs.freshness.status).toBe('simulated');
    await freshAfter(follower, Date.now() - 1_000, 10_000);

    const head = await leader.json('/alerts/changes');
    const [, seq] = (head.latest_cursor as string).split(':');
    await poll(
      () => leader.json('/alerts/changes'),
      (now) => Number(now.latest_cursor.split(':')[1]) > Number(seq) + 3,
      30_000,
    );
    const told = (await wholeLog(leader)).filter((entry) => entry.seq > Number(seq));
    const until = told.at(-1)!.seq;
    expect((await follower.json('/alerts/changes')).latest_cursor.split(':')[0]).toBe(head.latest_cursor.split(':')[0]);
    await poll(
      () => follower.json('/alerts/changes'),
      (now) => Number(now.latest_cursor.split(':')[1]) >= until,
      10_000,
    );
    // A socket that read at the one goes on at the other, also from a number the other has not seen yet.
    const listed = told.filter((entry) => entry.status !== 'Test').map((entry) => entry.seq);
    const middle = listed[Math.floor(listed.length / 2)]!;
    const epoch = head.latest_cursor.split(':')[0];
    const here = await heardFrom(leader, head.latest_cursor, middle);
    const place = here.seqs.filter((heard) => heard <= middle).at(-1)!;
    const onThere = await heardFrom(follower, `${epoch}:${place}`, listed.at(-1)!);
    expect(here.gaps + onThere.gaps).toBe(0);
    expect([...here.seqs.filter((heard) => heard <= place), ...onThere.seqs].slice(0, listed.length)).toEqual(listed);
    const there = (await wholeLog(follower)).filter((entry) => entry.seq > Number(seq) && entry.seq <= until);
    expect(there.map((entry) => entry.text)).toEqual(told.map((entry) => entry.text));
  }, 300_000);

  it('twenty collectors are killed, stopped, frozen and cut off in turn: no number lost or double, no alert lost, no end invented', async () => {
    const random = seeded(seed);
    const leavings = Array.from({ length: TAKEOVERS }, (_, round) => WAYS[round % WAYS.length]!);
    const result = await takeOverAgainAndAgain(group, {
      leavings,
      pauseMs: () => random() * 2_500,
      withinMs: TAKEN_OVER_WITHIN_MS,
      candidates: 2,
    });
    const { takeovers, verdict, ...rest } = result;
    for (const way of new Set(leavings)) {
      const times = takeovers.filter(({ how }) => how === way).map(({ freshMs }) => freshMs);
      console.log(`${way}: ${times.length} takeovers, median ${median(times).toFixed(0)} ms, longest ${Math.max(...times).toFixed(0)} ms`);
    }
    console.log(`seed ${seed}: ${JSON.stringify({ issued: verdict.issued, ends: verdict.ends, ...rest })}`);
    expect(rest.faults).toEqual([]);
    expect(verdict).toMatchObject({ lost: [], duplicated: [], falselyEnded: [], invented: [] });
    expect(rest.entries).toBeGreaterThan(500);
  }, 1_800_000);
});

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
