import { closeSync, openSync, writeSync } from 'node:fs';
import type { ImportRequest, ImportResult, Refusal } from './types.ts';

/** Rows that were not taken, one JSON object per line; the file is made with the first of them. */
export interface RefusalReport {
  add(refusal: Refusal): void;
  count(): number;
  close(): void;
}

export function createRefusalReport(path: string): RefusalReport {
  let file: number | null = null;
  let count = 0;
  return {
    add({ line, feature, fault }) {
      file ??= openSync(path, 'w');
      count += 1;
      const place = feature === null ? { line } : { feature };
      writeSync(file, `${JSON.stringify({ ...place, ...fault })}\n`);
    },
    count: () => count,
    close() {
      if (file !== null) closeSync(file);
    },
  };
}

/** `line 12: expire "yesterday": expire is not a time with its offset. Write it as ...` */
export function refusalText({ line, feature, fault }: Refusal): string {
  const place = feature === null ? `line ${line}` : `feature ${feature}`;
  const value = fault.value === '' ? '' : ` ${JSON.stringify(fault.value)}`;
  return `${place}: ${fault.field}${value}: ${fault.message} ${fault.fix}`;
}

const number = (value: number) => value.toLocaleString('en-US');
const day = (at: number | null) => (at === null ? 'none' : new Date(at).toISOString().slice(0, 16).replace('T', ' '));

/** What happened, in lines for people. */
export function summaryLines(summary: ImportResult, { dryRun, complete }: Pick<ImportRequest, 'dryRun' | 'complete'>): string[] {
  const { rows, added, extended, known, own, outside, refused, durationMs } = summary;
  const seconds = Math.max(durationMs, 1) / 1000;
  const refusedRows = refused.reduce((sum, each) => sum + each.rows, 0);
  const nothing = added + extended === 0 && known + own > 0 ? ['  nothing new: all of it was known'] : [];
  return [
    `${dryRun ? 'Dry run, nothing was written. ' : ''}${number(rows)} rows read in ${seconds.toFixed(1)} s (${number(Math.round(rows / seconds))} a second)`,
    `  events ${dryRun ? 'that would be new' : 'new'}: ${number(added)}; extended by further rows: ${number(extended)}; known: ${number(known)}; heard by this server itself, left alone: ${number(own)}${outside > 0 ? `; outside of --from and --to: ${number(outside)}` : ''}`,
    ...nothing,
    `  time: ${day(summary.from)} to ${day(summary.to)} UTC`,
    `  rows refused: ${number(refusedRows)}${refused.map(({ reason, rows: count }) => `\n    ${reason}: ${number(count)}`).join('')}`,
    ...(complete === null ? [] : [coverageLine(summary.covered, dryRun)]),
  ];
}

function coverageLine(covered: ImportResult['covered'], dryRun: boolean): string {
  const [first] = covered;
  if (!first)
    return '  covered: nothing, because rows are missing (see above): correct or refetch the file, or choose another --from and --to';
  const codes = [...new Set(covered.map((span) => span.code))].sort().join(', ');
  const offices = [...new Set(covered.map((span) => span.office))].sort();
  const where = covered.some((span) => span.office === null) ? 'the country' : offices.join(', ');
  return `  ${dryRun ? 'would be covered' : 'covered from now on'}: ${codes} of ${where}, ${day(first.from)} to ${day(first.to)} UTC`;
}
