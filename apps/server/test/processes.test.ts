import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Deployment, deployment, postgres } from './processes.ts';
import { takeOverAgainAndAgain } from './takeovers.ts';

/** One page or two of history, as on an ordinary day. */
const EVERYDAY_SPEED = 3;

// One takeover every day; `npm run chaos -- processes` has twenty of every kind.
describe.skipIf(!postgres || postgres.skip !== null)('several processes on one PostgreSQL', () => {
  let group: Deployment;
  beforeEach(async () => {
    group = await deployment(EVERYDAY_SPEED);
  });
  afterEach(() => group.close(), 60_000);

  it('when the collecting process is killed another goes on: no number lost or double, no alert lost, no end invented', async () => {
    const result = await takeOverAgainAndAgain(group, { leavings: ['kill'], pauseMs: () => 700, withinMs: 60_000, candidates: 2 });
    const { takeovers, verdict, ...rest } = result;
    console.log(JSON.stringify({ takeovers, issued: verdict.issued, ends: verdict.ends, ...rest }));
    expect(rest.faults).toEqual([]);
    expect(verdict).toMatchObject({ lost: [], duplicated: [], falselyEnded: [], invented: [] });
    expect(rest.entries).toBeGreaterThan(100);
  }, 150_000);
});
