/** Seeded randomness: every draw is a function of the parts that name it, so any part of the simulated world can be rebuilt alone. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  /** Uniform in [from, to). */
  between(from: number, to: number): number;
  /** Uniform integer, both ends included. */
  whole(from: number, to: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly [T, ...T[]]): T;
}

/** 32-bit FNV-1a (offset 2166136261, prime 16777619) over the parts, mixed once more so that near keys give far numbers. */
export function hash32(...parts: (string | number)[]): number {
  let hash = 2166136261;
  for (const part of parts) {
    const text = `${part}|`;
    for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 16777619);
  }
  return mix(hash);
}

/** Random stream named by its parts; the same parts give the same stream on every machine. */
export function seededRandom(...parts: (string | number)[]): Random {
  let state = hash32(...parts);
  const next = (): number => {
    // Weyl step by the golden ratio (2^32 / phi), then a finaliser: enough for weather, not for secrets.
    state = (state + 0x9e3779b9) | 0;
    return mix(state) / 4294967296;
  };
  return {
    next,
    between: (from, to) => from + next() * (to - from),
    whole: (from, to) => from + Math.floor(next() * (to - from + 1)),
    chance: (probability) => next() < probability,
    pick: (list) => list[Math.floor(next() * list.length)] ?? list[0],
  };
}

/** Finaliser of MurmurHash3 (constants 0x85ebca6b, 0xc2b2ae35): unsigned 32-bit result. */
function mix(value: number): number {
  let mixed = value | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
