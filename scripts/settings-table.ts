/** Writes the table of settings into the README between its two marks; `--check` only compares. */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { SETTINGS } from '../apps/server/src/platform/config/settings.ts';

const path = resolve(import.meta.dirname, '../README.md');
const rows = Object.values(SETTINGS).map(
  (setting) => `| \`${setting.name}\` | ${setting.default ? `\`${setting.default}\`` : ''} | ${setting.help} |`,
);
const table = ['| variable | default | meaning |', '|---|---|---|', ...rows].join('\n');
const text = readFileSync(path, 'utf8');
const [before = '', rest = ''] = text.split('<!-- settings -->\n');
const after = rest.split('<!-- /settings -->')[1] ?? '';
const wanted = `${before}<!-- settings -->\n${table}\n<!-- /settings -->${after}`;
if (process.argv.includes('--check')) {
  if (wanted !== text) {
    console.error('README.md: the table of settings is out of date; run npm run docs:settings');
    process.exit(1);
  }
} else writeFileSync(path, wanted);
