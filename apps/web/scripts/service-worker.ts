/** Makes dist/sw.js: the worker of apps/web/sw with the list of files it keeps from the start. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Manifest } from 'vite';

/**
 * Modules that a start without a network needs: the frame of visitors, the sign-in that such a start leads to, the start page, the list that
 * was kept. The rest is kept when it is first used.
 */
const PARTS = [
  'src/app/visitor-frame.tsx',
  'src/app/after-load.ts',
  'src/app/update-strip.tsx',
  'src/features/auth/login-page.tsx',
  'src/features/landing/landing-page.tsx',
  'src/features/alerts/last-known/last-known-panel.tsx',
  'src/features/ticker/ticker.tsx',
];
/** The one font file that English needs. */
const isFont = (name: string): boolean => name.startsWith('inter-latin-wght-normal') && name.endsWith('.woff2');

/** Addresses of the build's files, and a version that changes with any of them. @throws when a part is not in the build. */
function filesToKeep(dist: string): { files: string[]; version: string } {
  const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Manifest;
  const files = new Set<string>();
  const walk = (name: string, seen: Set<string>) => {
    const chunk = manifest[name];
    if (!chunk) throw new Error(`${name} is not a module of the build: adapt scripts/service-worker.ts`);
    if (seen.has(name)) return;
    seen.add(name);
    for (const path of [chunk.file, ...(chunk.css ?? [])]) files.add(path);
    for (const path of chunk.imports ?? []) walk(path, seen);
  };
  const entries = Object.keys(manifest).filter((name) => manifest[name]?.isEntry);
  const seen = new Set<string>();
  for (const name of [...entries, ...PARTS]) walk(name, seen);
  for (const name of readdirSync(join(dist, 'assets'))) if (isFont(name)) files.add(`assets/${name}`);
  const sum = createHash('sha256');
  // The document is kept too: another one is another version.
  for (const path of ['index.html', 'theme.js', ...[...files].sort()]) sum.update(path).update(readFileSync(join(dist, path)));
  return { files: [...files].sort().map((path) => `/${path}`), version: sum.digest('base64url').slice(0, 16) };
}

/** Run after the application is built into `root`/dist. */
export async function buildServiceWorker(root: string): Promise<void> {
  const dist = join(root, 'dist');
  const { files, version } = filesToKeep(dist);
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    define: { SW_FILES: JSON.stringify(files), SW_VERSION: JSON.stringify(version) },
    build: {
      outDir: dist,
      emptyOutDir: false,
      target: 'es2022',
      // One plain script: workers that are modules are not known to every browser of the target.
      lib: { entry: join(root, 'sw/worker.ts'), formats: ['iife'], name: 'nwms', fileName: () => 'sw.js' },
    },
  });
}
