/** `npm run bench`, `npm run bench -- P1 P4`: measurements against a yardstick of the same run. Writes bench/results/<time>.json; `--quick` for a look. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { buildServer } from '../../scripts/build-server.ts';
import { type Figure, line, verdict } from './harness.ts';
import { BENCHMARKS } from './registry.ts';

const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const quick = process.argv.includes('--quick');
const chosen = BENCHMARKS.filter(
  (benchmark) => wanted.length === 0 || wanted.some((name) => benchmark.name.toLowerCase() === name.toLowerCase()),
);
if (chosen.length === 0) {
  console.error(`No such benchmark. Known: ${BENCHMARKS.map((benchmark) => benchmark.name).join(', ')}`);
  process.exit(2);
}

// What is measured as the product is these sources, not what was built some day.
await buildServer();
console.log(`Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model ?? 'cpu'}, ${Math.round(totalmem() / 2 ** 30)} GB`);
console.log(
  ['name'.padEnd(46), 'ours'.padStart(18), 'yardstick'.padStart(18), 'ratio'.padStart(8), 'target'.padStart(8), 'verdict'.padStart(7)].join(
    '  ',
  ),
);
const broken: string[] = [];
const results: { benchmark: string; figures: Figure[] }[] = [];
for (const benchmark of chosen) {
  try {
    const figures = await benchmark.run({ quick, log: (text) => console.log(`  ${benchmark.name}: ${text}`) });
    results.push({ benchmark: benchmark.name, figures });
    for (const item of figures) console.log(line(item));
  } catch (error) {
    // What one needs and this machine has not (PostGIS, say) is no reason to lose the figures of the others.
    broken.push(benchmark.name);
    console.log(`${benchmark.name} could not be measured: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const folder = resolve(import.meta.dirname, '../results');
mkdirSync(folder, { recursive: true });
const at = new Date().toISOString();
writeFileSync(
  join(folder, `${at.replaceAll(':', '-')}.json`),
  JSON.stringify({ at, node: process.versions.node, cpu: cpus()[0]?.model, results }, null, 1),
);
const missed = results.flatMap((result) => result.figures).filter((item) => verdict(item) === 'MISSED');
console.log(missed.length === 0 ? 'All targets met.' : `${missed.length} targets missed: ${missed.map((item) => item.name).join('; ')}`);
if (broken.length > 0) console.log(`Not measured: ${broken.join(', ')}`);
process.exit(broken.length === 0 ? 0 : 1);
