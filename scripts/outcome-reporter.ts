/**
 * A reporter of the test runner that writes down what `npm test` counts, to the file named by NWMS_OUTCOME. The runner's own JSON leaves
 * out errors outside of any test, which end a run as failed with no test to blame.
 */
import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** One thing that went wrong: the file it happened in (relative to the root, empty if unknown) and a line for a reader. */
export interface Fault {
  file: string;
  line: string;
}

/** What a run came to. `flaky`: passed only when tried again by the runner itself. */
export interface Outcome {
  passed: number;
  failed: number;
  skipped: number;
  faults: Fault[];
  flaky: Fault[];
}

const firstLine = (text: string | undefined): string => text?.split('\n')[0] ?? 'no message';

function readModule(module: TestModule, outcome: Outcome): void {
  const file = module.relativeModuleId;
  for (const test of module.children.allTests()) {
    const { state, errors } = test.result();
    const fault = { file, line: `${file} > ${test.fullName}: ${firstLine(errors?.[0]?.message)}` };
    if (state === 'passed') outcome.passed += 1;
    else if (state === 'failed') outcome.failed += 1;
    else outcome.skipped += 1;
    if (state === 'failed') outcome.faults.push(fault);
    if (test.diagnostic()?.flaky) outcome.flaky.push(fault);
  }
  // A file that does not load and a hook that fails have no failed test: what they kept from running counts as skipped.
  const around = [{ name: '', errors: module.errors() }];
  for (const suite of module.children.allSuites()) around.push({ name: ` > ${suite.fullName}`, errors: suite.errors() });
  for (const { name, errors } of around)
    for (const error of errors) {
      outcome.failed += 1;
      outcome.faults.push({ file, line: `${file}${name}: ${firstLine(error.message)}` });
    }
}

// oxlint-disable-next-line import/no-default-export -- the runner takes what a file exports as default
export default class OutcomeReporter implements Reporter {
  onTestRunEnd: NonNullable<Reporter['onTestRunEnd']> = (modules, unhandled) => {
    const outcome: Outcome = { passed: 0, failed: 0, skipped: 0, faults: [], flaky: [] };
    for (const module of modules) readModule(module, outcome);
    for (const error of unhandled) {
      const path = typeof error['VITEST_TEST_PATH'] === 'string' ? error['VITEST_TEST_PATH'] : '';
      const file = modules.find((module) => module.moduleId === path)?.relativeModuleId ?? '';
      outcome.failed += 1;
      outcome.faults.push({ file, line: `${file}: outside of any test: ${firstLine(error.message)}` });
    }
    // oxlint-disable-next-line node/no-process-env -- how a reporter is told where to write
    const target = process.env['NWMS_OUTCOME'];
    if (target) writeFileSync(target, JSON.stringify(outcome));
  };
}
