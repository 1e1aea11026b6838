// `npm test`: installs what is missing (a browser too) and runs everything. Ends with a plain line `N passed, N failed`.
import { ensureInstalled, ownNode, root, withOwnNode } from './runtime.mjs';
import { spawnSync } from 'node:child_process';

ensureInstalled();
const done = spawnSync(ownNode, ['scripts/test-all.ts', ...process.argv.slice(2)], { cwd: root, stdio: 'inherit', env: withOwnNode() });
process.exit(done.status ?? 1);
