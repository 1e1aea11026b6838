import { readFileSync } from 'node:fs';
import type { DatabaseConfig } from '../../../platform/db/types.ts';
import { openStorage, runStep, STEP_MS, T0, type World } from './storage-fixture.ts';
import { alertTables } from './tables.ts';
import type { SnapshotInput } from '../types.ts';

/** Started by the crash tests: goes through a recorded world from where the last process stopped, until it is killed or done. */
interface Recorded extends Omit<SnapshotInput, 'listed'> {
  listed: string[];
}

const [place = '', recording = ''] = process.argv.slice(2);
const snapshots = JSON.parse(readFileSync(recording, 'utf8')) as Recorded[];
const world: World = {
  snapshot(step) {
    const recorded = snapshots[step];
    if (!recorded) throw new Error(`no step ${step}`);
    return { ...recorded, listed: new Set(recorded.listed) };
  },
};

const at = { now: T0 };
const probe = await openStorage(JSON.parse(place) as DatabaseConfig, { at: T0 });
const last = await alertTables(probe.database.log)
  .selectFrom('polls')
  .select((e) => e.fn.max('started_at').as('at'))
  .executeTakeFirst();
// The step of the last poll may have stopped before its clock transitions: it is done again, which must change nothing else.
const first = last?.at == null ? 0 : (Number(last.at) - T0) / STEP_MS;
at.now = T0 + first * STEP_MS;
probe.clock.jump(at.now - probe.clock.now());
process.stdout.write('running\n');
for (let step = first; step < snapshots.length; step += 1) await runStep(probe, world, step);
await probe.close();
process.stdout.write('done\n');
