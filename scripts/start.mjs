// `npm start`: install what is missing, build the browser application when it is older than its sources, run the product.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled, root, run, runOwnNode } from './runtime.mjs';

/** Newest change below a folder, dependencies and results aside. */
function newest(dir) {
  let latest = 0;
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    if (['node_modules', 'dist', 'test-results', 'e2e'].includes(entry.name)) continue;
    const path = join(dir, entry.name);
    latest = Math.max(latest, entry.isDirectory() ? newest(path) : statSync(path).mtimeMs);
  }
  return latest;
}

ensureInstalled();
const built = join(root, 'apps/web/dist/index.html');
const sources = ['apps/web', 'packages/contract', 'packages/client', 'packages/domain'].map((dir) => newest(join(root, dir)));
if (!existsSync(built) || statSync(built).mtimeMs < Math.max(...sources)) {
  console.log('Building the browser application ...');
  run('npm', ['run', '--silent', 'build'], { shell: process.platform === 'win32' });
}
runOwnNode(['apps/server/src/main.ts', ...process.argv.slice(2)]);
