/** LV37: tries that are shown; after them only quiet ones. */
export const MAX_ATTEMPTS = 10;
const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 30_000;

/** LV37: wait before attempt n (from 1), jittered to 50 to 150 %. */
export function retryDelayMs(attempt: number, random: () => number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), LONGEST_DELAY_MS) * (0.5 + random());
}

/** LV37: after a server said it is stopping, everyone comes back within 5 s, not all at once. */
export const restartDelayMs = (random: () => number): number => random() * 5_000;

/** LV38. */
export const quietDelayMs = (random: () => number): number => 30_000 + random() * 30_000;

/** LV35: the wait a server asks for in its close reason, in ms; 0 when it asks for none. */
export function askedDelayMs(reason: string): number {
  const seconds = Number(/\bretry=(\d{1,6})\b/.exec(reason)?.[1] ?? 0);
  return seconds * 1_000;
}
