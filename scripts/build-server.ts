/**
 * Puts the server's sources and what they import into few files: two thirds of a start were reading 2,200 small ones. Names stay and nothing is shortened, so that a
 * line of a stack is found by its text. Sources still run as they are (`npm run dev`, tests).
 */
import { readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';

const root = resolve(import.meta.dirname, '..');
const source = join(root, 'apps/server/src');
/** As deep below the root as `app/`, from where the product finds its root. */
const folder = join(root, 'apps/server/dist/app');

/** Threads have a file of their own, which its starter names beside itself. */
const THREADS = ['platform/db/sqlite-worker', 'app/stand-in-thread'];
const THREAD = /new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)/g;
const threadNames: Plugin = {
  name: 'thread-names',
  transform: (code, id) =>
    id.startsWith(source) && code.includes('new Worker(') ? code.replaceAll(THREAD, "new URL('./$1.js', import.meta.url)") : null,
};

/** Writes `apps/server/dist`. `dist/built` has the time of its beginning: what changed later is not in it. */
export async function buildServer(): Promise<void> {
  const startedAt = new Date();
  const entries = ['main', ...THREADS].map((path) => [path.slice(path.lastIndexOf('/') + 1), join(source, `${path}.ts`)]);
  const bundle = await rolldown({
    cwd: root,
    input: Object.fromEntries(entries),
    platform: 'node',
    plugins: [threadNames],
    logLevel: 'warn',
  });
  rmSync(join(root, 'apps/server/dist'), { recursive: true, force: true });
  const { output } = await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' });
  await bundle.close();
  // A thread that is missing here would be missed when it is started.
  for (const { fileName } of output)
    for (const [, name] of readFileSync(join(folder, fileName), 'utf8').matchAll(/new Worker\(new URL\("\.\/([^"]+)"/g))
      if (!output.some((file) => file.fileName === name))
        throw new Error(`${fileName} starts a thread ${name}, which THREADS does not name`);
  const marker = join(root, 'apps/server/dist/built');
  writeFileSync(marker, '');
  utimesSync(marker, startedAt, startedAt);
}
