/** TICK-01: seconds each alert stands, and seconds the text takes to drift once through. */
export const ROTATE_SECONDS = 6;
export const SCROLL_SECONDS = 120;

interface Identified {
  event_id: string;
}

/** Place of the alert to show: the one last shown wherever a new list has it, else the first. -1 only for an empty list. */
export function placeOf(items: readonly Identified[], shown: string | null): number {
  const found = items.findIndex(({ event_id }) => event_id === shown);
  return found >= 0 ? found : Math.min(0, items.length - 1);
}

/** The alert `steps` further on, around the end; null for an empty list. */
export function stepFrom(items: readonly Identified[], shown: string | null, steps: 1 | -1): string | null {
  if (items.length === 0) return null;
  const next = (placeOf(items, shown) + steps + items.length) % items.length;
  return items[next]?.event_id ?? null;
}

/**
 * Alerts to say aloud: Extreme and Severe ones that were not listed before. Each once, and none for the first list, which is not news.
 * Returns the ids heard so far beside them.
 */
export function newsOf<T extends Identified & { severity: string; sample: boolean }>(
  items: readonly T[],
  heard: ReadonlySet<string> | null,
): { news: readonly T[]; heard: ReadonlySet<string> } {
  const real = items.filter(({ sample }) => !sample);
  const news = heard
    ? real.filter(({ event_id, severity }) => !heard.has(event_id) && (severity === 'Extreme' || severity === 'Severe'))
    : [];
  return { news, heard: new Set([...(heard ?? []), ...real.map(({ event_id }) => event_id)]) };
}
