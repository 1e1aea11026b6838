/** Makes the documents of `/`: the application's own document with the start page already in it, for real and for simulated weather. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Manifest } from 'vite';
import { START_ENTRY, START_PARTS } from './start-parts.ts';

/** Stands where the site's own origin belongs; the server puts it in (platform/http/start-page.ts). */
const ORIGIN = 'https://origin.invalid';
const OTHER_SCRIPTS = ['<script type="module"', '<link rel="modulepreload"', '<link rel="preload"'];
const TITLE = 'NWMS · Weather alerts for people and programs';
const DESCRIPTION =
  'Every US National Weather Service alert in force, as one API and one live feed. Each answer says how fresh it is, so that an empty list means none.';

/** By file name: the server sends the second where its weather is an exercise. @throws when a place that must be filled is not in the document, or a part not in the build. */
export async function startDocuments(root: string): Promise<Record<'start.html' | 'start-simulated.html', string>> {
  const manifest = JSON.parse(readFileSync(join(root, 'dist/.vite/manifest.json'), 'utf8')) as Manifest;
  const built = readFileSync(join(root, 'dist/index.html'), 'utf8');
  const [real, simulated] = await firstPaints(root);
  return {
    'start.html': startDocument(built, manifest, real, ''),
    'start-simulated.html': startDocument(built, manifest, simulated, ' data-simulated'),
  };
}

/** `said`: attributes of the page's place that tell its scripts what was painted. */
function startDocument(built: string, manifest: Manifest, markup: string, said: string): string {
  let html = built;
  const put = (place: string | RegExp, text: string) => {
    const next = html.replace(place, () => text);
    if (next === html) throw new Error(`index.html has no ${place}`);
    html = next;
  };
  const { files, styles } = needed(manifest);
  const [entry = ''] = files;
  const early = (manifest[START_ENTRY]?.imports ?? []).map((name) => manifest[name]?.file ?? '');
  const later = files.filter((path) => path !== entry && !early.includes(path));
  const missing = (path: string) => !html.includes(`"/${path}"`);
  const head = [
    `<link rel="canonical" href="${ORIGIN}/" />`,
    `<meta property="og:url" content="${ORIGIN}/" />`,
    ...styles.filter(missing).map((path) => `<link rel="stylesheet" crossorigin href="/${path}" />`),
    `<script type="module" crossorigin src="/${entry}"></script>`,
    ...early.map((path) => `<link rel="modulepreload" crossorigin href="/${path}" />`),
  ];
  put(/<title>[^<]*<\/title>/, `<title>${TITLE}</title>`);
  put(/<meta name="description" content="[^"]*" \/>/, `<meta name="description" content="${DESCRIPTION}" />`);
  put('content="/og.png"', `content="${ORIGIN}/og.png"`);
  // The scripts of the other way in.
  const lines = html.split('\n');
  const kept = lines.filter((line) => !OTHER_SCRIPTS.some((begin) => line.trimStart().startsWith(begin)));
  if (lines.length === kept.length) throw new Error('index.html has no scripts on lines of their own');
  html = kept.join('\n');
  put('</head>', `${head.map((line) => `  ${line}\n`).join('')}  </head>`);
  if (markup.includes('<script')) throw new Error('The first paint has a script in it: the page policy allows no inline scripts');
  put(
    '<div id="root"></div>',
    `<div id="root"${said} data-origin="${ORIGIN}" data-later="${later.map((path) => `/${path}`).join(' ')}">${markup}</div>`,
  );
  return html;
}

/** The entry first. */
function needed(manifest: Manifest): { files: string[]; styles: string[] } {
  const files = new Set<string>();
  const styles = new Set<string>();
  const walk = (name: string) => {
    const chunk = manifest[name];
    if (!chunk) throw new Error(`${name} is not a module of the build: adapt scripts/start-parts.ts`);
    if (files.has(chunk.file)) return;
    files.add(chunk.file);
    for (const path of chunk.css ?? []) styles.add(path);
    for (const path of chunk.imports ?? []) walk(path);
  };
  const steps = manifest[START_ENTRY]?.dynamicImports ?? [];
  for (const name of [START_ENTRY, ...steps, ...START_PARTS]) walk(name);
  return { files: [...files], styles: [...styles] };
}

/** Builds the page for Node and renders it for both kinds of weather. */
async function firstPaints(root: string): Promise<readonly [string, string]> {
  const outDir = mkdtempSync(join(tmpdir(), 'nwms-first-paint-'));
  try {
    await build({
      root,
      configFile: join(root, 'vite.config.ts'),
      logLevel: 'warn',
      // What is rendered is the tree of the browser, piece by piece: otherwise it could not be taken over there.
      ssr: { noExternal: true, resolve: { conditions: ['browser', 'module', 'import', 'default'] } },
      // But not what renders it: the browser's keeps the build from ending.
      resolve: { alias: { 'react-dom/static': 'react-dom/static.node' } },
      build: { outDir, emptyOutDir: true, manifest: false, copyPublicDir: false, ssr: 'src/app/first-paint.tsx' },
    });
    // The router's browser code leaves its name there.
    Object.assign(globalThis, { self: globalThis });
    const made = (await import(pathToFileURL(join(outDir, 'first-paint.js')).href)) as {
      renderFirstPaint(origin: string, simulated: boolean): Promise<string>;
    };
    return [await made.renderFirstPaint(ORIGIN, false), await made.renderFirstPaint(ORIGIN, true)];
  } finally {
    rmSync(outDir, { recursive: true, force: true });
  }
}
