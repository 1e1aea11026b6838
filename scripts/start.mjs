// `npm start`: install what is missing, build what is older than its sources, run the product.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled, root, run, runOwnNode } from './runtime.mjs';

/** Newest change of a file or below a folder, dependencies and results aside. */
function newest(dir) {
  const own = statSync(dir);
  if (!own.isDirectory()) return own.mtimeMs;
  let latest = 0;
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    if (['node_modules', 'dist', 'test-results', 'e2e'].includes(entry.name)) continue;
    const path = join(dir, entry.name);
    latest = Math.max(latest, entry.isDirectory() ? newest(path) : statSync(path).mtimeMs);
  }
  return latest;
}

ensureInstalled();
const parts = [
  {
    name: 'server',
    built: 'apps/server/dist/built',
    sources: ['apps/server', 'packages/contract', 'packages/domain', 'tools/nws-sim', 'node_modules/.package-lock.json'],
  },
  { name: 'web', built: 'apps/web/dist/index.html', sources: ['apps/web', 'packages/contract', 'packages/client', 'packages/domain'] },
];
const isStale = ({ built, sources }) =>
  !existsSync(join(root, built)) || statSync(join(root, built)).mtimeMs < Math.max(...sources.map((path) => newest(join(root, path))));
const stale = parts.filter(isStale).map(({ name }) => name);
if (stale.length > 0) {
  console.log(`Building (${stale.join(', ')}) ...`);
  run('npm', ['run', '--silent', 'build', '--', ...stale], { shell: process.platform === 'win32' });
}
runOwnNode(['apps/server/dist/app/main.js', ...process.argv.slice(2)]);
