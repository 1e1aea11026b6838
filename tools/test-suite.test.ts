import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Outcome } from '../scripts/outcome-reporter.ts';
import { runSuite } from '../scripts/test-suite.ts';

const none: Outcome = { passed: 0, failed: 0, skipped: 0, faults: [], flaky: [] };
const fault = (file: string, what = 'red: expected 1') => ({ file, line: `${file} > ${what}` });

/** Plays the given outcomes one after the other, as the runner would write them; null writes nothing. */
function played(outcomes: (Outcome | null)[], status = 1) {
  const lines: string[][] = [];
  const verdict = runSuite({ name: 'unit', args: ['--x'], reports: mkdtempSync(join(tmpdir(), 'nwms-suite-')) }, (line, environment) => {
    const outcome = outcomes[lines.length];
    lines.push([...line]);
    if (outcome) writeFileSync(environment['NWMS_OUTCOME'] ?? '', JSON.stringify(outcome));
    return outcome && outcome.failed === 0 ? 0 : status;
  });
  return { verdict, lines };
}

test('a green suite runs once', () => {
  const { verdict, lines } = played([{ ...none, passed: 9, skipped: 2 }]);
  expect(lines).toHaveLength(1);
  expect(verdict).toEqual({ passed: 9, failed: 0, skipped: 2, faults: [], unsteady: [], flaky: [] });
});

test('what fails beside others and passes alone counts as passed, and is named', () => {
  const { verdict, lines } = played([
    { ...none, passed: 8, failed: 1, faults: [fault('a.test.ts')] },
    { ...none, passed: 3 },
  ]);
  expect(lines[1]).toEqual(expect.arrayContaining(['a.test.ts', '--maxWorkers=1']));
  expect(verdict).toMatchObject({ passed: 9, failed: 0, faults: [], unsteady: ['a.test.ts > red: expected 1'] });
});

test('what fails twice is a fault, whatever its message says the second time', () => {
  const { verdict } = played([
    { ...none, passed: 8, failed: 2, faults: [fault('a.test.ts'), fault('b.test.ts')] },
    { ...none, passed: 3, failed: 1, faults: [fault('a.test.ts', 'red: expected 2')] },
  ]);
  expect(verdict).toMatchObject({
    passed: 9,
    failed: 1,
    faults: ['a.test.ts > red: expected 2'],
    unsteady: ['b.test.ts > red: expected 1'],
  });
});

test('a runner that dies, or says failed without a reason, is a fault', () => {
  expect(played([null]).verdict).toMatchObject({ failed: 1, faults: ['the runner ended with status 1 and told no reason'] });
  const silent = runSuite({ name: 'unit', args: [], reports: mkdtempSync(join(tmpdir(), 'nwms-suite-')) }, (_, environment) => {
    writeFileSync(environment['NWMS_OUTCOME'] ?? '', JSON.stringify({ ...none, passed: 5 }));
    return 3;
  });
  expect(silent).toMatchObject({ passed: 5, failed: 1, faults: ['the runner ended with status 3 and told no reason'] });
});

test('a second look that dies leaves the suite red', () => {
  const { verdict } = played([{ ...none, passed: 8, failed: 1, faults: [fault('a.test.ts')] }, null]);
  expect(verdict.failed).toBe(1);
});

test('many files failing together are not looked at again', () => {
  const faults = Array.from({ length: 7 }, (_, n) => fault(`${n}.test.ts`));
  const { verdict, lines } = played([{ ...none, failed: 7, faults }]);
  expect(lines).toHaveLength(1);
  expect(verdict.failed).toBe(7);
});
