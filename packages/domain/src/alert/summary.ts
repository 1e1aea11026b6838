import type { Diff } from './entry.ts';
import type { Kind } from './vocabulary.ts';

const TAG_UNITS: Record<string, { word: string; unit: string } | undefined> = {
  max_wind_gust_kmh: { word: 'wind', unit: ' km/h' },
  max_hail_size_mm: { word: 'hail', unit: ' mm' },
};

/** One readable line: "area +3 counties, until +2 h, wind 97 → 113 km/h". Facts of the diff only, nothing is judged. */
export function summarize(kind: Kind, event: string, diff: Diff | null): string {
  const parts = diff ? partsOf(diff) : [];
  const detail = parts.join(', ');
  switch (kind) {
    case 'revised':
      return detail === '' ? 're-issued' : detail;
    case 'escalated':
    case 'corrected':
      return detail === '' ? `${event} ${kind}` : `${kind}: ${detail}`;
    case 'backfilled':
      return `${event}: added to its history`;
    case 'unconfirmed':
      return `${event}: missing from the feed, not ended by any message`;
    case 'reconfirmed':
      return `${event}: listed again`;
    case 'withdrawn':
      return `${event}: missing from the feed for 12 hours, no end was given`;
    default:
      return detail === '' || kind === 'ended' || kind === 'cancelled' || kind === 'upgraded'
        ? `${event} ${kind}`
        : `${event} ${kind}: ${detail}`;
  }
}

function partsOf(diff: Diff): string[] {
  const parts: string[] = [];
  if (diff.event) parts.push(`${diff.event.from} → ${diff.event.to}`);
  if (diff.severity) parts.push(`severity ${diff.severity.from} → ${diff.severity.to}`);
  if (diff.area) parts.push(areaPart(diff.area));
  for (const [field, change] of Object.entries(diff.times ?? {})) parts.push(timePart(field, change));
  for (const [tag, { from, to }] of Object.entries(diff.tags ?? {})) parts.push(tagPart(tag, from, to));
  if (diff.urgency) parts.push(`urgency ${diff.urgency.from ?? 'none'} → ${diff.urgency.to ?? 'none'}`);
  if (diff.certainty) parts.push(`certainty ${diff.certainty.from ?? 'none'} → ${diff.certainty.to ?? 'none'}`);
  if (diff.geometry) parts.push(geometryPart(diff.geometry));
  if (parts.length === 0 && diff.state) parts.push(`${diff.state.from} → ${diff.state.to}`);
  if (parts.length === 0 && diff.text) parts.push('text');
  return parts;
}

function areaPart({ added, removed }: NonNullable<Diff['area']>): string {
  const codes = [...added, ...removed.map((zone) => zone.ugc)];
  const noun = codes.every((code) => code[2] === 'C') ? ['county', 'counties'] : ['zone', 'zones'];
  const counts = [added.length > 0 ? `+${added.length}` : '', removed.length > 0 ? `−${removed.length}` : ''].filter((text) => text !== '');
  return `area ${counts.join(' ')} ${codes.length === 1 ? noun[0] : noun[1]}`;
}

function timePart(field: string, change: NonNullable<Diff['times']>[string]): string {
  const word = field === 'in_force_from' ? 'from' : field === 'in_force_until' ? 'until' : field;
  if (change.delta_seconds !== null) return `${word} ${change.delta_seconds < 0 ? '−' : '+'}${duration(Math.abs(change.delta_seconds))}`;
  return change.to === null ? `${word} further notice` : `${word} ${change.to}`;
}

function duration(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return minutes === 0 ? `${seconds} s` : `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}

function tagPart(tag: string, from: string | number | null, to: string | number | null): string {
  const known = TAG_UNITS[tag];
  const word = known?.word ?? tag.replaceAll('_', ' ');
  return `${word} ${from ?? 'none'} → ${to ?? 'none'}${known?.unit ?? ''}`;
}

function geometryPart({ source, area_km2: area }: NonNullable<Diff['geometry']>): string {
  if (source.from !== source.to) return `shape ${source.from} → ${source.to}`;
  return area.from === null || area.to === null ? 'shape' : `shape ${Math.round(area.from)} → ${Math.round(area.to)} km²`;
}
