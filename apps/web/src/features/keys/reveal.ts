/** How long a new secret is in sight (KEY-04, R-45): pure, so that no clock has to be waited for. */
export const REVEAL_MS = 30_000;

export interface Reveal {
  /** Milliseconds left. */
  leftMs: number;
  /** While the pointer or the focus is on it, no time passes. */
  held: boolean;
  /** 'Show for longer' works once. */
  extended: boolean;
}

export const newReveal: Reveal = { leftMs: REVEAL_MS, held: false, extended: false };

/** After this much time went by. */
export const passed = (reveal: Reveal, ms: number): Reveal =>
  reveal.held ? reveal : { ...reveal, leftMs: Math.max(0, reveal.leftMs - ms) };
export const hold = (reveal: Reveal, held: boolean): Reveal => (reveal.held === held ? reveal : { ...reveal, held });
/** Thirty seconds more, once. */
export const extend = (reveal: Reveal): Reveal =>
  reveal.extended ? reveal : { ...reveal, leftMs: reveal.leftMs + REVEAL_MS, extended: true };
export const isOver = ({ leftMs }: Reveal): boolean => leftMs <= 0;
/** Whole seconds, rounded up: 0 only when it is over. */
export const secondsLeft = ({ leftMs }: Reveal): number => Math.ceil(leftMs / 1000);
