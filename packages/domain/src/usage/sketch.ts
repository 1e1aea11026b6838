/**
 * DDSketch (Masson, Rim, Lee: "DDSketch", VLDB 2019): counts in bins whose borders grow by a fixed ratio. Any percentile it answers lies
 * within ± 1 % of the value that has that rank, and merging two sketches loses nothing.
 */
const ACCURACY = 0.01;
const GAMMA = (1 + ACCURACY) / (1 - ACCURACY);
const LOG_GAMMA = Math.log(GAMMA);
/** Below a nanosecond (in ms) nothing is told apart. */
const SMALLEST = 1e-6;

export class Sketch {
  readonly #bins = new Map<number, number>();
  #zeros = 0;
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Memory it takes, roughly. */
  get memoryBytes(): number {
    return 100 + 40 * this.#bins.size;
  }

  add(value: number, times = 1): void {
    this.#count += times;
    if (value < SMALLEST) this.#zeros += times;
    else this.#addTo(Math.ceil(Math.log(value) / LOG_GAMMA), times);
  }

  merge(other: Sketch): void {
    this.#count += other.#count;
    this.#zeros += other.#zeros;
    for (const [bin, count] of other.#bins) this.#addTo(bin, count);
  }

  /** Value of nearest rank ⌈q·n⌉, 0 < q ≤ 1; null without values. */
  quantile(q: number): number | null {
    if (this.#count === 0) return null;
    let left = Math.max(1, Math.ceil(q * this.#count)) - this.#zeros;
    if (left <= 0) return 0;
    let found = 0;
    for (const bin of [...this.#bins.keys()].sort((a, b) => a - b)) {
      found = bin;
      left -= this.#bins.get(bin) ?? 0;
      if (left <= 0) break;
    }
    return (2 * GAMMA ** found) / (GAMMA + 1);
  }

  /** Compact form: the zeros, then bins ascending as (distance to the one before, count), all as variable-length integers. */
  encode(): Uint8Array {
    const bytes: number[] = [];
    writeInteger(bytes, this.#zeros);
    let before = 0;
    for (const bin of [...this.#bins.keys()].sort((a, b) => a - b)) {
      const step = bin - before;
      writeInteger(bytes, step >= 0 ? step * 2 : -step * 2 - 1);
      writeInteger(bytes, this.#bins.get(bin) ?? 0);
      before = bin;
    }
    return Uint8Array.from(bytes);
  }

  /** Adds what `encode` wrote. Throws on bytes that it cannot have written. */
  mergeEncoded(bytes: Uint8Array): void {
    const place = { at: 0 };
    const zeros = readInteger(bytes, place);
    this.#zeros += zeros;
    this.#count += zeros;
    let bin = 0;
    while (place.at < bytes.length) {
      const step = readInteger(bytes, place);
      bin += step % 2 === 0 ? step / 2 : -(step + 1) / 2;
      const count = readInteger(bytes, place);
      this.#count += count;
      this.#addTo(bin, count);
    }
  }

  #addTo(bin: number, times: number): void {
    this.#bins.set(bin, (this.#bins.get(bin) ?? 0) + times);
  }
}

/** Seven bits per byte, lowest first; the high bit says that more follow. Division instead of shifts: counts may pass 2^32. */
function writeInteger(bytes: number[], value: number): void {
  let rest = value;
  while (rest >= 128) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
}

function readInteger(bytes: Uint8Array, place: { at: number }): number {
  let value = 0;
  for (let factor = 1; ; factor *= 128) {
    const byte = bytes[place.at];
    if (byte === undefined) throw new Error('a sketch ends in the middle of a number');
    place.at += 1;
    value += (byte % 128) * factor;
    if (byte < 128) return value;
  }
}
