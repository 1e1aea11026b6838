/**
 * Everything `npm test` runs, in order of speed. Each step counts; a step that could not run counts as failed, never as passed.
 * Results are read from the runner's own report, not from its text.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ensureBrowser } from './find-browser.ts';
import { runSuite } from './test-suite.ts';

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

/** A step that passes or fails as a whole. What it printed comes with its verdict, so that two at once can be read. */
function check(name: string, [program = '', ...args]: readonly string[]): Promise<void> {
  const startedAt = performance.now();
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], shell: process.platform === 'win32' });
  const printed: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => printed.push(chunk));
  return new Promise((done) => {
    let ended = false;
    // A program that is not there is told as an error, and may be told as an end besides.
    const end = (ok: boolean) => {
      if (ended) return;
      ended = true;
      if (ok) passed += 1;
      else {
        failed += 1;
        faults.push(name);
      }
      process.stdout.write(Buffer.concat(printed));
      console.log(`${ok ? 'ok  ' : 'FAIL'} ${name} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
      done();
    };
    child.once('error', () => end(false));
    child.once('close', (status) => end(status === 0));
  });
}

async function inTurn(...steps: (() => Promise<void>)[]): Promise<void> {
  for (const step of steps) await step();
}

const faults: string[] = [];
const unsteady: string[] = [];

function suite(name: string, args: readonly string[], environment: Record<string, string> = {}): void {
  const verdict = runSuite({ name, args, environment, reports }, command);
  passed += verdict.passed;
  failed += verdict.failed;
  skipped += verdict.skipped;
  faults.push(...verdict.faults);
  unsteady.push(...verdict.unsteady);
}

await check('format', ['oxfmt', '--check', '.']);
await check('lint', ['oxlint', '--deny-warnings', '.']);
// Each uses one processor, and there are two.
await Promise.all([
  inTurn(
    () => check('types: server, packages, tools', ['tsc', '-p', 'tsconfig.json']),
    () => check('dependency rules', ['node', 'scripts/check-dependencies.ts']),
  ),
  inTurn(
    () => check('types: web', ['tsc', '-p', 'apps/web/tsconfig.json']),
    () => check('types: service worker', ['tsc', '-p', 'apps/web/sw/tsconfig.json']),
    () => check('build', ['npm', 'run', '--silent', 'build']),
    () => check('web budgets', ['node', 'apps/web/scripts/check-budget.ts']),
  ),
]);
suite('unit', ['--exclude', '**/*.e2e.test.ts']);

const browser = ensureBrowser();
if (browser) suite('browser', ['--config', 'vitest.e2e.config.ts'], { CHROMIUM_PATH: browser });
else {
  failed += 1;
  faults.push('browser: no Chromium here and none could be installed; set CHROMIUM_PATH');
}
rmSync(reports, { recursive: true, force: true });
if (process.env['NWMS_REQUIRE_POSTGRES'] !== '1') console.log('PostgreSQL suites run where a server answers; see CONTRIBUTING.md');
// Whoever sees only the end of a log sees what failed.
for (const line of unsteady) console.log(`UNSTEADY ${line}`);
for (const line of faults) console.log(`FAIL ${line}`);
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exit(failed > 0 ? 1 : 0);
