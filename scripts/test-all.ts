/**
 * Everything `npm test` runs, in order of speed. Each step counts; a step that could not run counts as failed, never as passed.
 * Results are read from the runner's own report, not from its text.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ensureBrowser } from './find-browser.ts';

const root = resolve(import.meta.dirname, '..');
const reports = mkdtempSync(join(tmpdir(), 'nwms-test-'));
let passed = 0;
let failed = 0;
let skipped = 0;

function command(line: readonly string[], extra: Record<string, string> = {}): number {
  const [program = '', ...args] = line;
  return (
    spawnSync(program, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...extra }, shell: process.platform === 'win32' })
      .status ?? 1
  );
}

function check(name: string, line: readonly string[]): void {
  const startedAt = performance.now();
  const ok = command(line) === 0;
  if (ok) passed += 1;
  else failed += 1;
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${name} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
}

interface Report {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numFailedTestSuites: number;
}

function suite(name: string, args: readonly string[], extra: Record<string, string> = {}): void {
  const file = join(reports, `${name}.json`);
  const status = command(['vitest', 'run', ...args, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`], extra);
  try {
    const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
    passed += report.numPassedTests;
    skipped += report.numPendingTests;
    failed += report.numFailedTests;
    // A file that fails to load has no tests to count: it still failed.
    if (status !== 0 && report.numFailedTests === 0) failed += Math.max(1, report.numFailedTestSuites);
  } catch {
    failed += 1;
    console.error(`FAIL ${name}: the runner wrote no report`);
  }
}

check('format', ['oxfmt', '--check', '.']);
check('lint', ['oxlint', '--deny-warnings', '.']);
check('types: server, packages, tools', ['tsc', '-p', 'tsconfig.json']);
check('types: web', ['tsc', '-p', 'apps/web/tsconfig.json']);
check('types: service worker', ['tsc', '-p', 'apps/web/sw/tsconfig.json']);
check('dependency rules', ['node', 'scripts/check-dependencies.ts']);
check('build', ['npm', 'run', '--silent', 'build']);
check('web budgets', ['node', 'apps/web/scripts/check-budget.ts']);
suite('unit', ['--exclude', '**/*.e2e.test.ts']);

const browser = ensureBrowser();
if (browser) suite('browser', ['--config', 'vitest.e2e.config.ts'], { CHROMIUM_PATH: browser });
else {
  failed += 1;
  console.error('FAIL browser: no Chromium here and none could be installed; set CHROMIUM_PATH');
}
rmSync(reports, { recursive: true, force: true });
if (process.env['NWMS_REQUIRE_POSTGRES'] !== '1') console.log('PostgreSQL suites run where a server answers; see CONTRIBUTING.md');
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exit(failed > 0 ? 1 : 0);
