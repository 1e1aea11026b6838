import type { Instant } from '@nwms/domain';

/** Minutes east of UTC in an IANA zone at an instant; `fallback` for a zone that is not known. */
export type OffsetAt = (zone: string | null, at: Instant, fallback: number) => number;

/** Keeps one formatter per zone: making one costs a thousand times what asking does. */
export function createOffsetAt(): OffsetAt {
  const formats = new Map<string, Intl.DateTimeFormat | null>();
  const formatOf = (zone: string) => {
    const found = formats.get(zone);
    if (found !== undefined) return found;
    const made = create(zone);
    formats.set(zone, made);
    return made;
  };
  return (zone, at, fallback) => {
    const format = zone === null ? null : formatOf(zone);
    if (!format) return fallback;
    const parts = new Map(format.formatToParts(at).map((part) => [part.type, Number(part.value)]));
    const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0;
    const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'));
    return Math.round((local - Math.floor(at / 60_000) * 60_000) / 60_000);
  };
}

function create(zone: string): Intl.DateTimeFormat | null {
  try {
    const fields = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', hourCycle: 'h23' } as const;
    return new Intl.DateTimeFormat('en-US', { timeZone: zone, ...fields });
  } catch {
    return null;
  }
}
