/* oxlint-disable eslint/no-console -- a command, its output is its purpose */
/**
 * Prints what pages cost over the network, gzipped, and fails over budget. Run after a build. A page costs what its modules import
 * statically, all the way down; what is imported on demand counts where it is needed to use the page.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { START_ENTRY, START_PARTS } from './start-parts.ts';

interface Chunk {
  file: string;
  imports?: string[];
  dynamicImports?: string[];
  isEntry?: boolean;
}

/** kB (1,000 bytes). */
const BUDGET_KB = { document: 12, start: 3, landing: 130, alerts: 220, styles: 25, route: 60 };

const dist = resolve(import.meta.dirname, '../dist');
const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;
const sizes = new Map<string, number>();
const kbOf = (file: string): number => {
  const known = sizes.get(file);
  if (known !== undefined) return known;
  const kb = gzipSync(readFileSync(join(dist, file)), { level: 9 }).length / 1000;
  sizes.set(file, kb);
  return kb;
};

/** Files of these modules with everything they import statically. @throws when a module is not in the build. */
function filesOf(names: readonly string[], seen = new Set<string>()): Set<string> {
  for (const name of names) {
    const chunk = manifest[name];
    if (!chunk) throw new Error(`${name} is not a module of the build: adapt scripts/check-budget.ts`);
    if (seen.has(chunk.file)) continue;
    seen.add(chunk.file);
    filesOf(chunk.imports ?? [], seen);
  }
  return seen;
}

const ENTRY = 'index.html';
const FRAME = 'src/app/visitor-frame.tsx';
const SHELL = 'src/app/shell/shell.tsx';
/** What runs beside the first paint of the start page; everything else comes step by step. */
const start = filesOf([START_ENTRY]);
const landing = filesOf([START_ENTRY, ...(manifest[START_ENTRY]?.dynamicImports ?? []), ...START_PARTS]);
const alerts = filesOf([ENTRY, SHELL, 'src/app/pages/alerts.tsx', 'src/features/ticker/ticker.tsx']);
const around = filesOf([ENTRY, FRAME, SHELL]);
const sum = (files: Iterable<string>): number =>
  [...files].filter((file) => file.endsWith('.js')).reduce((all, file) => all + kbOf(file), 0);

/** Chunks that only some screens load, and that may be large. */
const HEAVY = /alert-map|chart/;
const routes = Object.keys(manifest)
  .filter((name) => (name.startsWith('src/app/pages/') || name.endsWith('-page.tsx')) && !HEAVY.test(name))
  .map((name) => ({ name: name.replace(/^src\//, ''), own: [...filesOf([name])].filter((file) => !around.has(file)) }));
const styles = readdirSync(join(dist, 'assets')).filter((name) => name.endsWith('.css'));
const results = [
  { what: 'document of the start page', kb: kbOf('start-simulated.html'), budget: BUDGET_KB.document },
  { what: 'landing page, scripts of its first paint', kb: sum(start), budget: BUDGET_KB.start },
  { what: 'landing page, to interactive', kb: sum(landing), budget: BUDGET_KB.landing },
  { what: 'shell + alerts dashboard', kb: sum(alerts), budget: BUDGET_KB.alerts },
  { what: 'style sheets', kb: styles.reduce((all, name) => all + kbOf(join('assets', name)), 0), budget: BUDGET_KB.styles },
  ...routes.map(({ name, own }) => ({ what: name, kb: sum(own), budget: BUDGET_KB.route })),
];
let over = false;
for (const { what, kb, budget } of results) {
  const bad = kb > budget || kb === 0;
  over ||= bad;
  console.log(`${bad ? 'OVER ' : 'ok   '}${what.padEnd(42)} ${kb.toFixed(1).padStart(7)} kB of ${budget}`);
}
const strays = [...landing, ...around].filter((file) => HEAVY.test(file) || /maplibre|alerts-page/.test(file));
if (strays.length > 0) {
  over = true;
  console.log(`OVER map, chart or alert code in the first load: ${strays.join(', ')}`);
}
if (over) process.exitCode = 1;
