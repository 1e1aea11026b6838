import { CHANNELS, type Channel } from '@nwms/domain';
import type { AlertMatcher, CompiledFilter, FilterInput, LiveBoard } from './types.ts';
import type { Encoding } from './frames.ts';

/** A filter that one or many connections hold; equal filters are one object, so each is evaluated once per entry. */
export interface SharedFilter {
  key: string;
  input: FilterInput;
  matches: AlertMatcher;
}

/** Everyone who gets the same bytes: same channels, same filter, same encoding. */
export interface Audience {
  key: string;
  mask: number;
  filter: SharedFilter | null;
  encoding: Encoding;
}

export const maskOf = (channels: Iterable<Channel>): number => {
  let mask = 0;
  for (const channel of channels) mask |= 1 << CHANNELS.indexOf(channel);
  return mask;
};
export const channelsIn = (mask: number): Channel[] => CHANNELS.filter((_, index) => mask & (1 << index));

export type FilterAnswer = { ok: true; filter: SharedFilter } | { ok: false; detail: string };

/** Interns filters and audiences; what nobody holds any more is forgotten. */
export class Audiences {
  readonly #board: Pick<LiveBoard, 'compileFilter'>;
  readonly #filters = new Map<string, WeakRef<SharedFilter>>();
  readonly #audiences = new Map<string, WeakRef<Audience>>();
  readonly #dropped = new FinalizationRegistry<() => void>((forget) => forget());

  constructor(board: Pick<LiveBoard, 'compileFilter'>) {
    this.#board = board;
  }

  filter(input: FilterInput): FilterAnswer {
    const key = JSON.stringify(Object.entries(input).sort(([a], [b]) => (a < b ? -1 : 1)));
    const known = this.#filters.get(key)?.deref();
    if (known) return { ok: true, filter: known };
    const compiled: CompiledFilter = this.#board.compileFilter(input);
    if (!compiled.ok) return compiled;
    return { ok: true, filter: this.#keep(this.#filters, { key, input, matches: compiled.matches }) };
  }

  audience(mask: number, filter: SharedFilter | null, encoding: Encoding): Audience {
    const key = `${encoding} ${mask} ${filter?.key ?? ''}`;
    return this.#audiences.get(key)?.deref() ?? this.#keep(this.#audiences, { key, mask, filter, encoding });
  }

  #keep<T extends { key: string }>(into: Map<string, WeakRef<T>>, value: T): T {
    const { key } = value;
    const ref = new WeakRef(value);
    into.set(key, ref);
    this.#dropped.register(value, () => {
      if (into.get(key) === ref) into.delete(key);
    });
    return value;
  }
}
