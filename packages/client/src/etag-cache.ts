export interface Kept {
  etag: string;
  value: unknown;
}

/** The last answer per URL with its validator, for conditional requests; the least recently used go first. */
export class EtagCache {
  readonly #most: number;
  readonly #kept = new Map<string, Kept>();

  constructor(most: number) {
    this.#most = most;
  }

  get(url: string): Kept | undefined {
    const kept = this.#kept.get(url);
    if (kept) {
      this.#kept.delete(url);
      this.#kept.set(url, kept);
    }
    return kept;
  }

  set(url: string, kept: Kept): void {
    this.#kept.delete(url);
    if (this.#most <= 0) return;
    this.#kept.set(url, kept);
    if (this.#kept.size > this.#most) {
      const oldest = this.#kept.keys().next().value;
      if (oldest !== undefined) this.#kept.delete(oldest);
    }
  }

  get size(): number {
    return this.#kept.size;
  }
}
