import { TONES, type Tone } from './chart-spec.ts';

/** Colours and habits of the moment, read from the tokens: a canvas cannot resolve them by itself. */
export interface Look {
  tones: Readonly<Record<Tone, string>>;
  /** From few to many. */
  ramp: readonly string[];
  text: string;
  muted: string;
  line: string;
  surface: string;
  font: string;
  /** False with prefers-reduced-motion. */
  moves: boolean;
}

/** Steps of `--ramp-1` ... in tokens.css. */
const RAMP_STEPS = 5;

export function readLook(host: Element): Look {
  const style = getComputedStyle(host);
  const token = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    tones: Object.fromEntries(TONES.map((tone) => [tone, token(tone)])) as Record<Tone, string>,
    ramp: Array.from({ length: RAMP_STEPS }, (_, at) => token(`ramp-${at + 1}`)),
    text: token('text'),
    muted: token('muted'),
    line: token('line'),
    surface: token('surface'),
    font: style.fontFamily,
    moves: !matchMedia('(prefers-reduced-motion: reduce)').matches,
  };
}

/** Calls back when the theme or the wish for calm changes. Returns how to stop. */
export function watchLook(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  const motion = matchMedia('(prefers-reduced-motion: reduce)');
  motion.addEventListener('change', changed);
  return () => {
    observer.disconnect();
    motion.removeEventListener('change', changed);
  };
}
