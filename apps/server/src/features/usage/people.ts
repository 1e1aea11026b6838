import { type Stretch, visitsGoneOn, visitsOfPieces } from '@nwms/domain';
import type { Kept } from './layered.ts';
import { askInLayers } from './layered.ts';
import { Overlay } from './overlay.ts';
import { People } from './people-state.ts';
import { NOWHERE, type Person, personOf, stretchesByVisitor, stretchesOf, togetherOf } from './person-rows.ts';
import { CLOSED, keyPeriod, type Layer, OPEN } from './segments.ts';
import type { VisitorReads, WholeVisitor } from './store-visitors.ts';
import { type LoadRow, PERSON_COUNTS, type PersonRow } from './visitor-columns.ts';
import type { VisitorQuestion } from './visitor-pieces.ts';
import { VisitorTally } from './visitor-tally.ts';

/** Memory of one: numbers, and a name of some 25 letters. */
const BYTES_PER_PERSON = 400;
/** Of a place in a map. */
const BYTES_PER_NAME = 60;

interface Deps {
  visitors: VisitorReads;
  kept: Kept;
}

/** All visitors of a window; what came of rows that seldom change is kept (`askInLayers`). */
export async function askPeople({ visitors, kept }: Deps, question: VisitorQuestion, breathe: () => Promise<void>): Promise<People> {
  const { window, principal } = question;
  const people = await askInLayers<PersonRow, People>(kept, {
    now: window.to,
    key: JSON.stringify(['people', window.from, window.unit, keyPeriod(window), principal]),
    read: (reach) => visitors.persons(question, reach),
    add: (base, rows) => withRows(base ?? People.NOBODY, rows, breathe),
    bytesOf: (states) =>
      states.reduce((sum, { made, persons, known }) => sum + made * BYTES_PER_PERSON + (persons.size + known.size) * BYTES_PER_NAME, 0),
  });
  if (people.late.size === 0) return people;
  return withWhole(people, await visitors.whole(question, [...people.late]), breathe);
}

/** What every visitor asked, and a crawler of that: a fraction of what all of a visitor takes. */
export type Load = Pick<Person, 'requests' | 'bot'>;
const BYTES_PER_LOAD = 140;

/** The same with nothing but loads, for those who count visitors and power users. */
export function askLoads({ visitors, kept }: Deps, question: VisitorQuestion, breathe: () => Promise<void>): Promise<Overlay<Load>> {
  const { window, principal } = question;
  return askInLayers<LoadRow, Overlay<Load>>(kept, {
    now: window.to,
    key: JSON.stringify(['loads', window.from, window.unit, keyPeriod(window), principal]),
    read: (reach) => visitors.loads(question, reach),
    async add(base, rows) {
      const [ground, own] = [base ?? Overlay.EMPTY, new Map<string, Load>()];
      for (const [n, { v, requests, bot }] of rows.entries()) {
        const before = own.get(v) ?? ground.get(v);
        own.set(v, { requests: requests + (before?.requests ?? 0), bot: bot + (before?.bot ?? 0) });
        if (n % ROWS_PER_BREATH === 0) await breathe();
      }
      return ground.with(own);
    },
    bytesOf: (states) => states.reduce((sum, { own, size }) => sum + own.size * BYTES_PER_LOAD + size * BYTES_PER_NAME, 0),
  });
}

/** Rows that are looked at between two breaths. */
const ROWS_PER_BREATH = 256;

async function withRows(base: People, rows: readonly PersonRow[], breathe: () => Promise<void>): Promise<People> {
  if (rows.length === 0) return base;
  const [persons, known, late] = [new Map<string, Person>(), new Map<string, number>(), new Set(base.late)];
  const overMidnight = stretchesByVisitor(rows.find(({ v }) => v === '')?.stretches ?? null);
  const add = (layer: Layer, person: Person, stretches: readonly Stretch[]) => {
    const before = persons.get(person.v) ?? base.persons.get(person.v);
    if (stretches !== NOWHERE && !addVisits(person, layer, stretches, before?.last_at ?? null)) late.add(person.v);
    persons.set(person.v, before ? together(before, person) : person);
  };
  const minutes = new Map<string, { person: Person; stretches: readonly Stretch[] }>();
  for (const [n, row] of rows.entries()) {
    const { v, known_at, numbers, layer } = row;
    if (known_at !== null) known.set(v, Math.min(known.get(v) ?? base.known.get(v) ?? known_at, known_at));
    else if (numbers !== null) {
      const [person, stretches] = [personOf(row), stretchesOf(row.stretches)];
      const own = minutes.get(v);
      if (layer < CLOSED) add(layer, person, togetherOf(overMidnight.get(v), stretches));
      else if (own) minutes.set(v, { person: together(own.person, person), stretches: [...own.stretches, ...stretches] });
      else minutes.set(v, { person, stretches });
    }
    if (n % ROWS_PER_BREATH === 0) await breathe();
  }
  for (const { person, stretches } of minutes.values()) add(OPEN, person, stretches);
  return base.with({ persons, known, late });
}

/** Puts right how many visits there were in a layer: those that go on were counted twice. False: it cannot be told. */
function addVisits(person: Person, layer: Layer, stretches: readonly Stretch[], before: number | null): boolean {
  // Minutes are pieces of one visit, written by several processes; what is bigger may hold several and does not overlap.
  const isOpen = layer >= CLOSED;
  if (isOpen) [person.sessions, person.active_ms] = [0, 0];
  const change = (isOpen ? visitsOfPieces : visitsGoneOn)(before, stretches);
  person.sessions += change?.sessions ?? 0;
  person.active_ms += change?.activeMs ?? 0;
  return change !== null;
}

/** The same visitor in one layer and in those before it. */
function together(before: Person, person: Person): Person {
  for (const name of PERSON_COUNTS) person[name] += before[name];
  person.user_id = before.user_id ?? person.user_id;
  person.first_at = Math.min(before.first_at, person.first_at);
  person.last_at = Math.max(before.last_at, person.last_at);
  return person;
}

/** Puts those who have late rows together anew, from everything that is stored of them. */
async function withWhole(people: People, rows: readonly WholeVisitor[], breathe: () => Promise<void>): Promise<People> {
  const tallies = new Map<string, VisitorTally>();
  for (const row of rows) {
    const tally = tallies.get(row.v) ?? new VisitorTally();
    tallies.set(row.v, tally);
    tally.merge(row);
    await breathe();
  }
  const persons = new Map<string, Person>();
  for (const [v, tally] of tallies) {
    const { sessions, active_ms, first_at, last_at, user_id } = tally.encoded();
    persons.set(v, { v, user_id, first_at, last_at, ...tally.counts, sessions, active_ms });
  }
  return people.with({ persons, known: new Map(), late: new Set() });
}
