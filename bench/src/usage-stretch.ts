import type { Bundle } from '@nwms/server/features/usage/bundles';
import { Tally } from '@nwms/server/features/usage/tally';
import type { Kind, PrincipalKind, RollupRow, VisitorRow } from '@nwms/server/features/usage/types';
import { VisitorTally } from '@nwms/server/features/usage/visitor-tally';

/** One stretch of time in memory: what is counted in it, and its visitors, by the product's own tallies. */
export class Stretch {
  readonly #rollups = new Map<string, Map<string, Map<string, Tally>>>();
  readonly #visitors = new Map<string, Map<string, VisitorTally>>();
  readonly size: number;
  readonly start: number;

  constructor(size: number, start: number) {
    this.size = size;
    this.start = start;
  }

  add(bundle: Bundle): void {
    const { kinds, principal, scopes, visitor } = bundle.traits;
    for (const [kind, name] of kinds) this.#tally(principal, kind, name).add(bundle);
    for (const scope of scopes) this.#visitor(scope, visitor).add(bundle);
  }

  /** Of everything together only. */
  addToAll(bundle: Bundle): void {
    this.#tally(bundle.traits.principal, 'all', '').add(bundle);
  }

  /** Takes up a smaller stretch, as it is stored. */
  take(rollups: readonly RollupRow[], visitors: readonly VisitorRow[]): void {
    for (const row of rollups) this.#tally(row.principal, row.kind, row.name).merge(row);
    for (const row of visitors) this.#visitor(row.scope, row.visitor).merge(row);
  }

  rollupRows(rolled: 0 | 1): RollupRow[] {
    const rows: RollupRow[] = [];
    for (const [principal, kinds] of this.#rollups)
      for (const [kind, names] of kinds)
        for (const [name, tally] of names)
          rows.push({ size: this.size, start: this.start, kind, name, principal, part: '', rolled, ...tally.encoded() });
    return rows;
  }

  visitorRows(rolled: 0 | 1): VisitorRow[] {
    const rows: VisitorRow[] = [];
    for (const [scope, visitors] of this.#visitors)
      for (const [visitor, tally] of visitors)
        rows.push({ size: this.size, start: this.start, visitor, scope, part: '', rolled, ...tally.encoded() });
    return rows;
  }

  #tally(principal: string | PrincipalKind, kind: string | Kind, name: string): Tally {
    const names = inner(inner(this.#rollups, principal), kind);
    let tally = names.get(name);
    if (!tally) names.set(name, (tally = new Tally(kind)));
    return tally;
  }

  #visitor(scope: string, visitor: string): VisitorTally {
    const visitors = inner(this.#visitors, scope);
    let tally = visitors.get(visitor);
    if (!tally) visitors.set(visitor, (tally = new VisitorTally()));
    return tally;
  }
}

/** The map in a map, made where there is none. */
function inner<T>(outer: Map<string, Map<string, T>>, key: string): Map<string, T> {
  let found = outer.get(key);
  if (!found) outer.set(key, (found = new Map()));
  return found;
}
