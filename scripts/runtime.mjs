// Runs on whatever Node the machine has (>= 20.19), before anything is installed: plain JavaScript, no dependencies.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const windows = process.platform === 'win32';

/** The Node runtime the project brings as an npm package; the machine's own only starts the installation. */
export const ownNode = join(root, 'node_modules', 'node', 'bin', windows ? 'node.exe' : 'node');

const changedAt = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0);

/** Installs when nothing is installed or the lock file is newer than the installation. */
export function ensureInstalled() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    console.error(`NWMS needs Node 20.19 or later to start its installation; this is ${process.versions.node}.`);
    process.exit(1);
  }
  const marker = join(root, 'node_modules', '.package-lock.json');
  const fresh = existsSync(ownNode) && changedAt(marker) >= changedAt(join(root, 'package-lock.json'));
  if (fresh) return;
  console.log('Installing dependencies (first start, or the lock file changed) ...');
  // The lock file decides versions; it is not rewritten.
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { shell: windows });
}

/** Runs a command to its end; a failure ends this process with the same code. */
export function run(command, args, options = {}) {
  const done = spawnSync(command, args, { cwd: root, stdio: 'inherit', env: withOwnNode(), ...options });
  if (done.error) throw done.error;
  if (done.status !== 0) process.exit(done.status ?? 1);
}

/** The environment with our runtime and the installed commands first in PATH. */
export function withOwnNode(environment = process.env) {
  const path = [join(root, 'node_modules', '.bin'), environment.PATH ?? ''].join(windows ? ';' : ':');
  return { ...environment, PATH: path };
}

/** Runs a long-lived process in our runtime; signals go through to it and its exit code comes back. */
export function runOwnNode(args) {
  const child = spawn(ownNode, args, { cwd: root, stdio: 'inherit', env: withOwnNode() });
  // The terminal sends Ctrl-C to the whole group: this process only waits. A signal to this process alone is handed on.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 0)));
}
