import { mainDeviceOf, type UserType, userTypeOf } from '@nwms/domain';
import { Overlay } from './overlay.ts';
import type { Person } from './person-rows.ts';
import type { Device } from './types.ts';

/** All visitors together. */
export interface VisitorTotals {
  visitors: number;
  newcomers: number;
  accounts: number;
  requests: number;
  sessions: number;
  activeMs: number;
  byDevice: ReadonlyMap<Device, number>;
  byType: ReadonlyMap<UserType, number>;
}

export const typeOf = ({ requests, bot, by_api, sessions }: Person): UserType =>
  userTypeOf({ requests, botRequests: bot, apiRequests: by_api, sessions });

interface Members {
  persons: Overlay<Person>;
  /** When those were first seen who were seen before the window. */
  known: Overlay<number>;
  /** Who has rows that came late: their visits cannot be told from sums. */
  late: ReadonlySet<string>;
}

/** Visitors of a window by name. Whoever reads them changes nothing: others share it. */
export class People implements Members {
  static readonly NOBODY = new People(null, { persons: Overlay.EMPTY, known: Overlay.EMPTY, late: new Set() });

  readonly persons: Overlay<Person>;
  readonly known: Overlay<number>;
  readonly late: ReadonlySet<string>;
  /** What lies below the names that were put over it. */
  readonly #ground: People | null;
  #totals: VisitorTotals | null = null;

  private constructor(ground: People | null, { persons, known, late }: Members) {
    this.#ground = ground;
    this.persons = persons;
    this.known = known;
    this.late = late;
  }

  /** The same with these over it. */
  with({ persons, known, late }: { [Name in 'persons' | 'known']: Members[Name]['own'] } & Pick<Members, 'late'>): People {
    return new People(this, { persons: this.persons.with(persons), known: this.known.with(known), late });
  }

  /** Names that it shares with no state it was made from. */
  get made(): number {
    return this.persons.own.size;
  }

  /** All of them together: those of the ground, with whoever was touched counted anew. */
  totals(): VisitorTotals {
    return (this.#totals ??= this.#count());
  }

  #count(): VisitorTotals {
    if (!this.#ground)
      return { visitors: 0, newcomers: 0, accounts: 0, requests: 0, sessions: 0, activeMs: 0, byDevice: new Map(), byType: new Map() };
    const below = this.#ground.totals();
    const totals = { ...below, byDevice: new Map(below.byDevice), byType: new Map(below.byType) };
    for (const name of this.persons.own.keys()) change(totals, this.#ground, this, name);
    for (const name of this.known.own.keys()) if (!this.persons.own.has(name)) change(totals, this.#ground, this, name);
    return totals;
  }
}

type Counting = {
  -readonly [Name in keyof VisitorTotals]: VisitorTotals[Name] extends ReadonlyMap<infer K, number> ? Map<K, number> : number;
};

function change(totals: Counting, before: People, after: People, name: string): void {
  count(totals, before, name, -1);
  count(totals, after, name, 1);
}

function count(totals: Counting, { persons, known }: People, name: string, by: 1 | -1): void {
  const person = persons.get(name);
  if (!person) return;
  totals.visitors += by;
  if (!known.has(name)) totals.newcomers += by;
  if (person.user_id !== null) totals.accounts += by;
  totals.requests += by * person.requests;
  totals.sessions += by * person.sessions;
  totals.activeMs += by * person.active_ms;
  const [device, type] = [mainDeviceOf(person), typeOf(person)];
  totals.byDevice.set(device, (totals.byDevice.get(device) ?? 0) + by);
  totals.byType.set(type, (totals.byType.get(type) ?? 0) + by);
}
