/** `npm run verify`: the everyday check, in seconds: format, lint, types, graph and the pure rules, side by side. */
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const steps: [string, string[]][] = [
  ['format', ['oxfmt', '--check', '.']],
  ['lint', ['oxlint', '--deny-warnings', '.']],
  ['types', ['tsc', '-p', 'tsconfig.json']],
  ['types (web)', ['tsc', '-p', 'apps/web/tsconfig.json']],
  ['types (worker)', ['tsc', '-p', 'apps/web/sw/tsconfig.json']],
  ['dependency rules', ['node', 'scripts/check-dependencies.ts']],
  ['rules', ['vitest', 'run', 'packages/domain', 'packages/contract', 'apps/server/src/platform', '--reporter=dot']],
];

const outcomes = await Promise.all(
  steps.map(
    ([name, [program = '', ...args]]) =>
      new Promise<boolean>((done) => {
        const startedAt = performance.now();
        const child = spawn(program, args, { cwd: root, shell: process.platform === 'win32' });
        let output = '';
        child.stdout.on('data', (chunk) => (output += String(chunk)));
        child.stderr.on('data', (chunk) => (output += String(chunk)));
        child.on('close', (code) => {
          console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
          if (code !== 0) console.log(output);
          done(code === 0);
        });
      }),
  ),
);
process.exit(outcomes.every(Boolean) ? 0 : 1);
