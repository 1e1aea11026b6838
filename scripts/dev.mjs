// `npm run dev`: server on simulated weather with restart on change, and the browser application with hot reload. No account, key or network.
import { spawn } from 'node:child_process';
import { ensureInstalled, ownNode, root, withOwnNode } from './runtime.mjs';

ensureInstalled();
const environment = { FEED: 'simulator', PORT: '8080', SIM_SPEED: '30', NWS_POLL_SECONDS: '5', ...withOwnNode() };
const start = (args) => spawn(ownNode, args, { cwd: root, stdio: 'inherit', env: environment });
const children = [
  start(['--watch', '--watch-preserve-output', 'apps/server/src/main.ts']),
  start(['node_modules/vite/bin/vite.js', 'apps/web', '--config', 'apps/web/vite.config.ts']),
];
process.on('SIGINT', () => children.forEach((child) => child.kill()));
process.on('SIGTERM', () => children.forEach((child) => child.kill()));
