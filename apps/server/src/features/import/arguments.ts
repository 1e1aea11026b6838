import { archiveTime, type Instant } from '@nwms/domain';
import { parseArgs } from 'node:util';
import { kindNamed } from './observations.ts';
import { RefusedFile } from './refused-file.ts';
import type { ImportRequest } from './types.ts';

export const HELP = `npm run import -- <source> <file> [options]

Loads archived alerts into the history of this installation. Run it as often as you like: what is known is left alone, and an import that was
stopped goes on where it was. A server may run meanwhile.

Sources
  warnings    VTEC events, CSV with one row per zone (IEM table "warnings")
  polygons    storm-based warnings with their polygons over time, GeoJSON (IEM table "sbw")
  watches     tornado and thunderstorm watches of the Storm Prediction Center, GeoJSON
  statements  Special Weather Statements, GeoJSON (IEM table "sps")
Files may be packed with gzip.

Options
  --from <time>      events that were known or in force after it: 2024-05-01 or 2024-05-01T18:00:00Z
  --to <time>        events that were known before it
  --complete <area>  the file holds every event of its hazards in that time: "offices" (of the offices it has rows of) or "us". Only then do
                     statistics read days without events as calm; without it events are shown, and no day counts as covered.
  --dry-run          reads and compares, writes nothing
  --strict           stops at the first row that cannot be taken
  --report <file>    where rows that were not taken are written (default: <file>.refused.ndjson in this folder)
  --help

Environment: DATABASE_URL or DATA_DIR, as for the server.
Ends with 0 when every row was taken or known, 3 when some were refused, 2 when the command or the file is not right, 1 on a failure.
`;

export interface ImportArguments extends ImportRequest {
  report: string | null;
}

/** Reads the command line; null = help was asked for. @throws RefusedFile that says what is wrong */
export function readArguments(args: readonly string[]): ImportArguments | null {
  const { values, positionals } = parsed(args);
  if (values.help) return null;
  const [source, path, ...others] = positionals;
  if (source === undefined || path === undefined) throw new RefusedFile('Give a source and a file. npm run import -- --help says more.');
  if (others.length > 0) throw new RefusedFile(`One file at a time, please: "${others[0] ?? ''}" is too much.`);
  const from = instantOf('--from', values.from);
  const to = instantOf('--to', values.to);
  if (from !== null && to !== null && from >= to) throw new RefusedFile('--to must be later than --from.');
  const complete = values.complete ?? null;
  if (complete !== null && complete !== 'offices' && complete !== 'us') throw new RefusedFile('--complete is "offices" or "us".');
  const kind = kindNamed(source);
  const options = { dryRun: values['dry-run'] ?? false, strict: values.strict ?? false };
  return { kind, path, from, to, complete, report: values.report ?? null, ...options };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        from: { type: 'string' },
        to: { type: 'string' },
        complete: { type: 'string' },
        'dry-run': { type: 'boolean' },
        strict: { type: 'boolean' },
        report: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new RefusedFile(error instanceof Error ? error.message : String(error));
  }
}

function instantOf(name: string, text: string | undefined): Instant | null {
  if (text === undefined) return null;
  const at = archiveTime(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text);
  if (at === null) throw new RefusedFile(`${name} must be a day such as 2024-05-01 or a time such as 2024-05-01T18:00:00Z, not "${text}".`);
  return at;
}
