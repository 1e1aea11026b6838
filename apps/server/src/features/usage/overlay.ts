/** A map over another, which stays as it is: to change some names of many costs what the some cost. */
export class Overlay<T> {
  static readonly EMPTY = new Overlay<never>(new Map<string, never>(), new Map<string, never>());

  /** Names that were put here, over those of the ground. */
  readonly own: ReadonlyMap<string, T>;
  readonly size: number;
  readonly #ground: ReadonlyMap<string, T>;
  #whole: ReadonlyMap<string, T> | null = null;

  private constructor(ground: ReadonlyMap<string, T>, own: ReadonlyMap<string, T>) {
    this.#ground = ground;
    this.own = own;
    let added = 0;
    for (const name of own.keys()) if (!ground.has(name)) added += 1;
    this.size = ground.size + added;
  }

  /** The same with other names over it. */
  with(own: ReadonlyMap<string, T>): Overlay<T> {
    return new Overlay(this.#flat(), own);
  }

  get(name: string): T | undefined {
    return this.own.get(name) ?? this.#ground.get(name);
  }

  has(name: string): boolean {
    return this.own.has(name) || this.#ground.has(name);
  }

  *values(): Generator<T> {
    for (const [name, value] of this.#ground) if (!this.own.has(name)) yield value;
    yield* this.own.values();
  }

  /** One map of both, made once, when something is laid over it. */
  #flat(): ReadonlyMap<string, T> {
    if (this.#ground.size === 0) return this.own;
    if (this.own.size === 0) return this.#ground;
    return (this.#whole ??= new Map([...this.#ground, ...this.own]));
  }
}
