/**
 * One run of the test runner. Files with a failure are run once more by themselves: two full cores starve timers and sockets now and then.
 * What fails twice is a fault; what passes alone counts as passed and is named as unsteady, so that it gets mended.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fault, Outcome } from './outcome-reporter.ts';

/** Runs a command line in the project's root and answers its exit status. */
export type Command = (line: readonly string[], environment: Record<string, string>) => number;

/** What a suite came to after the second look; lines are for a reader. */
export interface Verdict {
  passed: number;
  failed: number;
  skipped: number;
  faults: string[];
  unsteady: string[];
}

/** More files than this failing together are no matter of load. */
const MOST_SECOND_LOOKS = 6;

const nameOf = ({ line }: Fault): string => line.split(': ')[0] ?? line;

function run(command: Command, report: string, args: readonly string[], environment: Record<string, string>): Outcome {
  const status = command(['vitest', 'run', ...args, '--reporter=default', '--reporter=./scripts/outcome-reporter.ts'], {
    ...environment,
    NWMS_OUTCOME: report,
  });
  const lost: Fault = { file: '', line: `the runner ended with status ${status} and told no reason` };
  try {
    const outcome = JSON.parse(readFileSync(report, 'utf8')) as Outcome;
    if (status === 0 || outcome.failed > 0) return outcome;
    return { ...outcome, failed: 1, faults: [lost] };
  } catch {
    return { passed: 0, failed: 1, skipped: 0, faults: [lost], flaky: [] };
  }
}

/** Runs a suite, and the files that failed in it once more, one after the other. `reports` is a folder for what the runner writes down. */
export function runSuite(
  options: { name: string; args: readonly string[]; environment?: Record<string, string>; reports: string },
  command: Command,
): Verdict {
  const { name, args, environment = {}, reports } = options;
  const first = run(command, join(reports, `${name}.json`), args, environment);
  const files = [...new Set(first.faults.map(({ file }) => file))];
  const asFound = { ...first, faults: first.faults.map(({ line }) => line), unsteady: first.flaky.map(({ line }) => line) };
  if (files.length === 0 || files.length > MOST_SECOND_LOOKS || files.includes('')) return asFound;

  console.log(`\n${name}: failed, once more by themselves:\n  ${files.join('\n  ')}\n`);
  const again = run(command, join(reports, `${name}-again.json`), [...args, ...files, '--maxWorkers=1'], environment);
  const stillBroken = new Set(again.faults.map(nameOf));
  return {
    passed: first.passed + first.faults.filter((fault) => !stillBroken.has(nameOf(fault))).length,
    failed: again.failed,
    skipped: first.skipped,
    faults: again.faults.map(({ line }) => line),
    unsteady: [...asFound.unsteady, ...first.faults.filter((fault) => !stillBroken.has(nameOf(fault))).map(({ line }) => line)],
  };
}
