/** One measured figure beside its yardstick of the same run. Machines are noisy: the ratio of medians is what counts. */
export interface Figure {
  name: string;
  unit: string;
  ours: number;
  yardstick: number;
  /** ours ÷ yardstick. */
  ratio: number;
  /** `>=` or `<=` and the ratio aimed at; null for figures that are only printed. */
  target: { sign: '>=' | '<='; ratio: number } | null;
  note?: string;
}

export interface Benchmark {
  /** P1, P2 ... as in docs/benchmarks.md. */
  name: string;
  what: string;
  run(context: BenchContext): Promise<Figure[]>;
}

export interface BenchContext {
  /** Fewer repetitions, for a look. */
  quick: boolean;
  log(line: string): void;
}

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
};

export const percentile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0;
};

/** Runs ours and yardstick in turn, A B B A A B, so that drift of the machine hits both; medians of each. */
export async function paired(
  rounds: number,
  ours: () => Promise<number>,
  yardstick: () => Promise<number>,
): Promise<{ ours: number; yardstick: number; ratios: number[] }> {
  const a: number[] = [];
  const b: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    if (round % 2 === 0) a.push(await ours());
    b.push(await yardstick());
    if (round % 2 === 1) a.push(await ours());
  }
  return { ours: median(a), yardstick: median(b), ratios: a.map((value, index) => value / (b[index] ?? Number.NaN)) };
}

export function figure(input: Omit<Figure, 'ratio'> & { ratio?: number }): Figure {
  return { ...input, ratio: input.ratio ?? input.ours / input.yardstick };
}

export function verdict(item: Figure): 'met' | 'MISSED' | '' {
  if (!item.target) return '';
  const met = item.target.sign === '>=' ? item.ratio >= item.target.ratio : item.ratio <= item.target.ratio;
  return met ? 'met' : 'MISSED';
}

const short = (value: number) => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3));

/** name, ours, yardstick, ratio, target, verdict: one line per figure. */
export function line(item: Figure): string {
  const target = item.target ? `${item.target.sign} ${item.target.ratio}` : '';
  return [
    item.name.padEnd(46),
    `${short(item.ours)} ${item.unit}`.padStart(18),
    `${short(item.yardstick)} ${item.unit}`.padStart(18),
    short(item.ratio).padStart(8),
    target.padStart(8),
    verdict(item).padStart(7),
    item.note ?? '',
  ].join('  ');
}
