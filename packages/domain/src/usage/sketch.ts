/**
 * DDSketch (Masson, Rim, Lee: "DDSketch", VLDB 2019): counts in bins whose borders grow by a fixed ratio. Any percentile it answers lies
 * within ± 1 % of the value that has that rank, and merging two sketches loses nothing.
 */
const ACCURACY = 0.01;
const GAMMA = (1 + ACCURACY) / (1 - ACCURACY);
const LOG_GAMMA = Math.log(GAMMA);
/** Below a nanosecond (in ms) nothing is told apart. */
const SMALLEST = 1e-6;

/** Memory of one bin. */
const BIN_BYTES = 16;

export class Sketch {
  /** Bins that have values, ascending, and how many each has: to be read in order, copied and put together, and small where values are few. */
  #bins: number[] = [];
  #counts: number[] = [];
  #zeros = 0;
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Memory it takes, roughly. */
  get memoryBytes(): number {
    return 150 + BIN_BYTES * this.#bins.length;
  }

  add(value: number, times = 1): void {
    this.#count += times;
    if (value < SMALLEST) this.#zeros += times;
    else this.#addTo(Math.ceil(Math.log(value) / LOG_GAMMA), times, 0);
  }

  copy(): Sketch {
    const copy = new Sketch();
    copy.#bins = this.#bins.slice();
    copy.#counts = this.#counts.slice();
    copy.#zeros = this.#zeros;
    copy.#count = this.#count;
    return copy;
  }

  merge(other: Sketch): void {
    this.#count += other.#count;
    this.#zeros += other.#zeros;
    let place = 0;
    for (const [n, bin] of other.#bins.entries()) place = this.#addTo(bin, other.#counts[n] ?? 0, place);
  }

  /** Value of nearest rank ⌈q·n⌉, 0 < q ≤ 1; null without values. */
  quantile(q: number): number | null {
    if (this.#count === 0) return null;
    let left = Math.max(1, Math.ceil(q * this.#count)) - this.#zeros;
    if (left <= 0) return 0;
    let found = 0;
    for (const [n, bin] of this.#bins.entries()) {
      found = bin;
      left -= this.#counts[n] ?? 0;
      if (left <= 0) break;
    }
    return (2 * GAMMA ** found) / (GAMMA + 1);
  }

  /** Compact form: the zeros, then bins ascending as (distance to the one before, count), all as variable-length integers. */
  encode(): Uint8Array {
    const bytes: number[] = [];
    writeInteger(bytes, this.#zeros);
    let before = 0;
    for (const [n, bin] of this.#bins.entries()) {
      const step = bin - before;
      writeInteger(bytes, step >= 0 ? step * 2 : -step * 2 - 1);
      writeInteger(bytes, this.#counts[n] ?? 0);
      before = bin;
    }
    return Uint8Array.from(bytes);
  }

  /** Adds what `encode` wrote. Throws on bytes that it cannot have written. */
  mergeEncoded(bytes: Uint8Array): void {
    const reader = { at: 0 };
    const zeros = readInteger(bytes, reader);
    this.#zeros += zeros;
    this.#count += zeros;
    let bin = 0;
    let place = 0;
    while (reader.at < bytes.length) {
      const step = readInteger(bytes, reader);
      bin += step % 2 === 0 ? step / 2 : -(step + 1) / 2;
      const count = readInteger(bytes, reader);
      this.#count += count;
      place = this.#addTo(bin, count, place);
    }
  }

  /** Its place is at or after `from`; answers the next one, where a larger bin may be. */
  #addTo(bin: number, times: number, from: number): number {
    const bins = this.#bins;
    let [low, high] = [from, bins.length];
    // Bins come in order, most of them next to each other.
    if ((bins[low] ?? Infinity) < bin)
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((bins[middle] ?? 0) < bin) low = middle + 1;
        else high = middle;
      }
    if (bins[low] === bin) this.#counts[low] = (this.#counts[low] ?? 0) + times;
    else {
      bins.splice(low, 0, bin);
      this.#counts.splice(low, 0, times);
    }
    return low + 1;
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
