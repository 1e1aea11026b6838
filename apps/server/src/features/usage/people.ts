import { type Stretch, visitsGoneOn, visitsOfPieces } from '@nwms/domain';
import type { Kept } from './kept.ts';
import { askInLayers } from './layered.ts';
import { keyPeriod, OPEN } from './segments.ts';
import type { VisitorReads, WholeVisitor } from './store-visitors.ts';
import { PERSON_COUNTS, type PersonRow } from './visitor-columns.ts';
import type { VisitorQuestion } from './visitor-pieces.ts';
import { VisitorTally } from './visitor-tally.ts';

/** One visitor over a window. Whoever reads it does not change it: others share it. */
export interface Person extends Record<(typeof PERSON_COUNTS)[number], number> {
  v: string;
  user_id: string | null;
  first_at: number;
  last_at: number;
}

/** Visitors of a window by name. */
export interface People {
  persons: ReadonlyMap<string, Person>;
  /** When those were first seen who were seen before the window. */
  known: ReadonlyMap<string, number>;
  /** Who has rows that came late: their visits cannot be told from sums. */
  late: ReadonlySet<string>;
}

const NOBODY: People = { persons: new Map(), known: new Map(), late: new Set() };
/** Memory of one: numbers, a name of some 25 letters, places in maps. */
const BYTES_PER_PERSON = 450;
const BYTES_PER_KNOWN = 120;

interface Deps {
  visitors: VisitorReads;
  kept: Kept;
}

/** All visitors of a window; what came of rows that seldom change is kept (`askInLayers`). */
export async function askPeople({ visitors, kept }: Deps, question: VisitorQuestion, breathe: () => Promise<void>): Promise<People> {
  const { window, principal } = question;
  const people = await askInLayers<PersonRow, People>(kept, {
    key: JSON.stringify(['people', window.from, window.unit, keyPeriod(window), principal]),
    read: (lowest) => visitors.persons(question, lowest),
    add: (base, rows) => withRows(base ?? NOBODY, rows, breathe),
    bytesOf: (settled, running) => bytesOf([settled, running]),
  });
  if (people.late.size === 0) return people;
  return withWhole(people, await visitors.whole(question, [...people.late]), breathe);
}

async function withRows(base: People, rows: readonly PersonRow[], breathe: () => Promise<void>): Promise<People> {
  if (rows.length === 0) return base;
  const [persons, known, late] = [new Map(base.persons), new Map(base.known), new Set(base.late)];
  for (const row of rows) {
    const { v, known_at } = row;
    if (known_at === null) {
      const { person, isLate } = personWith(persons.get(v), row);
      persons.set(v, person);
      if (isLate) late.add(v);
    } else known.set(v, Math.min(known.get(v) ?? known_at, known_at));
    await breathe();
  }
  return { persons, known, late };
}

/** A visitor as counted so far, with one layer more. Late: visits of the one lie among those of the other. */
function personWith(before: Person | undefined, row: PersonRow): { person: Person; isLate: boolean } {
  const { v, layer, first_at, last_at, user_id } = row;
  const stretches = stretchesOf(row.stretches);
  // Minutes are pieces of one visit, written by several processes; what is bigger may hold several and does not overlap.
  const isOpen = layer === OPEN;
  const visits = (isOpen ? visitsOfPieces : visitsGoneOn)(before?.last_at ?? null, stretches);
  const person = { v, user_id: before?.user_id ?? user_id } as Person;
  for (const name of PERSON_COUNTS) person[name] = (before?.[name] ?? 0) + row[name];
  if (isOpen) [person.sessions, person.active_ms] = [before?.sessions ?? 0, before?.active_ms ?? 0];
  person.sessions += visits?.sessions ?? 0;
  person.active_ms += visits?.activeMs ?? 0;
  person.first_at = Math.min(before?.first_at ?? Infinity, first_at ?? Infinity);
  person.last_at = Math.max(before?.last_at ?? 0, last_at ?? 0);
  return { person, isLate: visits === null };
}

const stretchesOf = (text: string | null): Stretch[] =>
  text === null
    ? []
    : text.split(' ').map((stretch): Stretch => {
        const at = stretch.indexOf('-');
        return [Number(stretch.slice(0, at)), Number(stretch.slice(at + 1))];
      });

/** Puts those who have late rows together anew, from everything that is stored of them. */
async function withWhole(people: People, rows: readonly WholeVisitor[], breathe: () => Promise<void>): Promise<People> {
  const tallies = new Map<string, VisitorTally>();
  for (const row of rows) {
    const tally = tallies.get(row.v) ?? new VisitorTally();
    tallies.set(row.v, tally);
    tally.merge(row);
    await breathe();
  }
  const persons = new Map(people.persons);
  for (const [v, tally] of tallies) {
    const { sessions, active_ms, first_at, last_at, user_id } = tally.encoded();
    persons.set(v, { v, user_id, first_at, last_at, ...tally.counts, sessions, active_ms });
  }
  return { ...people, persons, late: new Set() };
}

/** Memory that several take together: persons they share count once. */
function bytesOf(several: readonly People[]): number {
  const persons = new Set(several.flatMap((people) => [...people.persons.values()]));
  const names = several.reduce((sum, { persons: own, known }) => sum + own.size + known.size, 0);
  return persons.size * BYTES_PER_PERSON + names * BYTES_PER_KNOWN;
}
