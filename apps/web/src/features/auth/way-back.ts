const KEY = 'sign-in-from';

/** The part of `Storage` that is used; a browser may forbid it, then the role's home will do. */
type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Keeps where a visitor came from while the sign-in page is loaded anew in the same tab. It is judged where it is used (W12). */
export function keepWayBack(storage: () => Storage, from: string | undefined): void {
  try {
    if (from === undefined) storage().removeItem(KEY);
    else storage().setItem(KEY, from);
  } catch {
    // Forbidden or full: see above.
  }
}

/** What was kept, given out once. */
export function takeWayBack(storage: () => Storage): string | undefined {
  try {
    const from = storage().getItem(KEY) ?? undefined;
    storage().removeItem(KEY);
    return from;
  } catch {
    return undefined;
  }
}
