/**
 * `npm run spec:coverage`: which rows of the acceptance checklist no test names. A row counts as covered when its id stands in the name of a
 * test or of a group of tests; whether the test proves the row is for its reader to judge.
 * `--area AUTH,ROLE` shows these areas alone, `--require AUTH,ROLE` fails when one of them has a row without a test.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { idsInTestNames, readChecklist, testFiles } from './spec-tests.ts';

const root = resolve(import.meta.dirname, '..');
const { values } = parseArgs({ options: { area: { type: 'string' }, require: { type: 'string' } } });
const list = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((part) => part.trim().toUpperCase())
    .filter(Boolean);
const rows = readChecklist(readFileSync(resolve(root, 'docs/checklist-ids.txt'), 'utf8'));
const named = new Map<string, number>();
for (const file of testFiles(root)) {
  for (const id of idsInTestNames(readFileSync(file, 'utf8'))) named.set(id, (named.get(id) ?? 0) + 1);
}

const required = list(values.require);
const shown = list(values.area);
const areas = Map.groupBy(rows, (id) => id.slice(0, id.lastIndexOf('-')));
for (const area of [...required, ...shown]) {
  if (!areas.has(area)) {
    console.error(`No such area: ${area}. There are ${[...areas.keys()].join(', ')}`);
    process.exit(2);
  }
}

const wanted = new Set([...shown, ...required]);
let covered = 0;
let total = 0;
for (const [area, ids] of areas) {
  if (wanted.size > 0 && !wanted.has(area)) continue;
  const open = ids.filter((id) => !named.has(id));
  covered += ids.length - open.length;
  total += ids.length;
  console.log(
    `${area.padEnd(6)} ${String(ids.length - open.length).padStart(3)} of ${String(ids.length).padStart(3)}${open.length > 0 ? `   without a test: ${open.join(' ')}` : ''}`,
  );
  if (required.includes(area) && open.length > 0) process.exitCode = 1;
}
console.log(`${covered} of ${total} rows are named by a test`);
const strangers = [...named.keys()].filter((id) => areas.has(id.slice(0, id.lastIndexOf('-'))) && !rows.includes(id));
if (strangers.length > 0) {
  console.error(`Tests name rows that the checklist does not have: ${strangers.join(' ')}`);
  process.exitCode = 1;
}
