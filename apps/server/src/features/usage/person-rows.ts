import type { Stretch } from '@nwms/domain';
import type { PERSON_COUNTS, PersonRow } from './visitor-columns.ts';

/** One visitor over a window. Whoever reads it does not change it: others share it. */
export interface Person extends Record<(typeof PERSON_COUNTS)[number], number> {
  v: string;
  user_id: string | null;
  first_at: number;
  last_at: number;
}

export const NOWHERE: readonly Stretch[] = [];
/** Of `first last`, commas between. */
export const stretchesOf = (text: string | null): readonly Stretch[] =>
  text === null
    ? NOWHERE
    : text.split(',').map((stretch): Stretch => {
        const at = stretch.indexOf(' ');
        return [Number(stretch.slice(0, at)), Number(stretch.slice(at + 1))];
      });

/** Both lists as one; made only where both have something. */
export const togetherOf = (one: readonly Stretch[] | undefined, other: readonly Stretch[]) =>
  one === undefined ? other : other === NOWHERE ? one : [...one, ...other];

/** Of `visitor first last`, commas between: the stretches of each. */
export function stretchesByVisitor(text: string | null): Map<string, Stretch[]> {
  const found = new Map<string, Stretch[]>();
  for (const one of text?.split(',') ?? []) {
    const [v = '', first, last] = one.split(' ');
    const own = found.get(v);
    const stretch: Stretch = [Number(first), Number(last)];
    if (own) own.push(stretch);
    else found.set(v, [stretch]);
  }
  return found;
}

/** A visitor as one row tells it. */
export function personOf({ v, user_id, ms, numbers }: PersonRow): Person {
  const next = numbersIn(numbers ?? '');
  // In the order of the text.
  return {
    v,
    user_id,
    ms,
    first_at: next(),
    last_at: next(),
    requests: next(),
    errors: next(),
    timed: next(),
    desktop: next(),
    mobile: next(),
    bot: next(),
    client: next(),
    unknown: next(),
    by_key: next(),
    by_api: next(),
    sessions: next(),
    active_ms: next(),
  } satisfies Person;
}

const BLANK = 32;
const ZERO = 48;

/** Whole numbers with blanks between, one after the other: `split` would make fifteen texts of each of some 10,000. */
function numbersIn(text: string): () => number {
  let at = 0;
  return () => {
    let value = 0;
    for (let code = text.charCodeAt(at); code > BLANK; code = text.charCodeAt(at)) {
      value = value * 10 + code - ZERO;
      at += 1;
    }
    at += 1;
    return value;
  };
}
