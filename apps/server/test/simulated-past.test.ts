import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { MIGRATIONS } from '../migrations/index.ts';
import { type PastOptions, writeSimulatedPast } from '../src/app/simulated-past.ts';
import { claimFeed } from '../src/platform/db/feed-claim.ts';
import { openDatabase } from '../src/platform/db/open.ts';
import { silentLog } from '../src/platform/log.ts';

const HOUR = 3_600_000;
const TO = Date.UTC(2026, 5, 15, 2);
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const folder = () => {
  const made = mkdtempSync(join(tmpdir(), 'nwms-past-'));
  folders.push(made);
  return made;
};
const options = (dir: string, more: Partial<PastOptions> = {}): PastOptions => ({
  place: { kind: 'sqlite', dir },
  claim: 'simulator-7-1x-calendar',
  seed: 7,
  targetActive: 20,
  from: TO - 2 * HOUR,
  to: TO,
  log: silentLog,
  signal: new AbortController().signal,
  onProgress: () => {},
  ...more,
});

/** What was kept, in words that do not depend on how often it was interrupted. */
async function kept(dir: string) {
  const database = await openDatabase({ kind: 'sqlite', dir }, { migrations: MIGRATIONS });
  try {
    const rows = async (text: string) => (await sql<Record<string, unknown>>`${sql.raw(text)}`.execute(database.log)).rows;
    return {
      messages: await rows('select id, source, received_at from messages order by id'),
      states: await rows(
        'select event_id, known_from, known_until, version from revisions where state is not null order by event_id, known_from, version',
      ),
      facts: await rows('select event_id, begin_at, severity, source from event_facts order by event_id'),
      statuses: await rows(`select distinct json_extract(parsed, '$.status') as status from messages`),
      polls: await rows('select min(started_at) as first, max(started_at) as last from polls'),
    };
  } finally {
    await database.close();
  }
}

describe('a simulated past', () => {
  it('is whole: an interrupted run that goes on keeps what an uninterrupted one does, known when it was issued, all of it exercises', async () => {
    const [whole, broken] = [folder(), folder()];
    const { stored } = await writeSimulatedPast(options(whole));
    expect(stored).toBeGreaterThan(10);
    const stop = new AbortController();
    const first = await writeSimulatedPast(
      options(broken, { signal: stop.signal, onProgress: (at) => void (at >= TO - HOUR && stop.abort()) }),
    );
    expect(first.to).toBe(TO - HOUR);
    expect((await writeSimulatedPast(options(broken))).from).toBe(TO - HOUR);
    const record = await kept(broken);
    expect(record).toEqual(await kept(whole));
    expect(record.statuses.map(({ status }) => status).filter((status) => status !== 'Exercise' && status !== 'Test')).toEqual([]);
    expect(new Set(record.messages.map(({ source }) => source))).toEqual(new Set(['simulator']));
    expect(record.messages.every(({ received_at: at }) => Number(at) > TO - 2 * HOUR && Number(at) <= TO)).toBe(true);
    expect(record.polls).toEqual([{ first: expect.any(Number), last: TO }]);
    expect(record.facts.length).toBeGreaterThan(5);
    expect((await writeSimulatedPast(options(broken))).stored).toBe(0);
  });

  it('is not put into a database of real alerts, nor before a record that begins later', async () => {
    const dir = folder();
    const live = await openDatabase({ kind: 'sqlite', dir }, { migrations: MIGRATIONS });
    await claimFeed(live.app, 'nws');
    await live.close();
    await expect(writeSimulatedPast(options(dir))).rejects.toThrow(/holds alerts of the feed "nws"/);
    const later = folder();
    await writeSimulatedPast(options(later, { from: TO - HOUR / 3 }));
    await expect(writeSimulatedPast(options(later, { from: TO - 48 * HOUR }))).rejects.toThrow(/a past cannot be put before it/);
  });
});
