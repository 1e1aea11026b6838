import { Sketch, Uniques } from '@nwms/domain';
import type { Kept } from './layered.ts';
import { askInLayers } from './layered.ts';
import type { TallyPart, TallyQuestion, TallyReads, TallyRow } from './store-tallies.ts';
import { type Holds, Tally } from './tally.ts';
import type { Kind } from './types.ts';

/** Tallies by name. */
export type Tallies = ReadonlyMap<string, Tally>;

/** What a question is made of: stored roll-ups, and what they are counted by. */
export interface FigurePart extends TallyPart {
  /** Groups, and for each the name that a row counts under in it; null: none. */
  into: Readonly<Record<string, (row: TallyRow) => string | null>>;
  /** Groups of `into` whose tallies are counts and nothing else. */
  plain?: readonly string[];
}

export interface FigureQuestion extends Omit<TallyQuestion, 'parts'> {
  /** Names the question: what is kept of one is no other's. */
  name: string;
  parts: readonly FigurePart[];
}

/** A group for each kind, in which rows count under their names. */
export const namesByKind = (kinds: readonly Kind[]): FigurePart['into'] =>
  Object.fromEntries(kinds.map((kind) => [kind, (row: TallyRow) => (row.kind === kind ? row.name : null)]));

const NONE: Tallies = new Map();

/** Tallies of a question by group and name. Whoever reads them changes none: others share them. */
export class Figures {
  readonly #groups: ReadonlyMap<string, Tallies>;

  constructor(groups: ReadonlyMap<string, Tallies>) {
    this.#groups = groups;
  }

  of(group: string): Tallies {
    return this.#groups.get(group) ?? NONE;
  }

  /** One of them; with nothing counted where there is none. */
  one(group: string, name = ''): Tally {
    return this.of(group).get(name) ?? new Tally('counter');
  }

  /** The same with further rows. What they do not touch is shared. */
  async with(parts: readonly FigurePart[], rows: readonly TallyRow[], breathe: () => Promise<void>): Promise<Figures> {
    if (rows.length === 0) return this;
    const groups = new Map(this.#groups);
    const own = new Map<string, Map<string, Tally>>();
    const made = new Set<Tally>();
    const ownGroup = (group: string) => {
      const names = new Map(this.of(group));
      own.set(group, names);
      groups.set(group, names);
      return names;
    };
    const into = parts.map((part) => Object.entries(part.into));
    for (const [n, row] of rows.entries()) {
      const part = parts[row.part];
      if (!part) continue;
      for (const [group, nameOf] of into[row.part] ?? []) {
        const name = nameOf(row);
        if (name === null) continue;
        const names = own.get(group) ?? ownGroup(group);
        let tally = names.get(name);
        if (!tally || !made.has(tally)) {
          tally = tally?.copy() ?? new Tally('counter', holdsOf(part, group));
          names.set(name, tally);
          made.add(tally);
        }
        tally.mergeRead(row, part.counts);
      }
      if (n % ROWS_PER_BREATH === 0) await breathe();
    }
    return new Figures(groups);
  }

  /** Memory that several take together: what they share counts once. */
  static bytesOf(several: readonly Figures[]): number {
    const tallies = new Set<Tally>();
    let names = 0;
    for (const figures of several)
      for (const group of figures.#groups.values())
        for (const tally of group.values()) {
          names += 1;
          tallies.add(tally);
        }
    return [...tallies].reduce((sum, { memoryBytes }) => sum + memoryBytes, names * BYTES_PER_NAME);
  }
}

/** Rows that are put together between two breaths: their bytes take some microseconds each. */
const ROWS_PER_BREATH = 32;
/** A name and its place in a map. */
const BYTES_PER_NAME = 120;

function holdsOf(part: FigurePart, group: string): Holds {
  const isPlain = part.plain?.includes(group) ?? false;
  return {
    sketch: part.sketch && !isPlain ? new Sketch() : null,
    addresses: part.uniques && !isPlain ? new Uniques() : null,
    addressesNext: null,
  };
}

/** Answers questions; what came of rows that seldom change is kept (`askInLayers`). */
export function askFigures(
  deps: { tallies: TallyReads; kept: Kept; now(): number },
  question: FigureQuestion,
  breathe: () => Promise<void>,
): Promise<Figures> {
  const { parts } = question;
  return askInLayers<TallyRow, Figures>(deps.kept, {
    now: deps.now(),
    // Functions are no part of it: those of one name are always the same.
    key: JSON.stringify(question),
    read: (reach) => deps.tallies.tallies(question, reach),
    add: (base, rows) => (base ?? new Figures(new Map())).with(parts, rows, breathe),
    bytesOf: (states) => Figures.bytesOf(states),
  });
}
