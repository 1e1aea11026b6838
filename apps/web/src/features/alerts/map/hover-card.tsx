import type { SlimAlert } from '@nwms/contract';
import { useServices } from '../../../api/services.ts';
import { useNow } from '../../../lib/use-now.ts';
import type { MapHit } from '../../../ui/map/map-types.ts';
import { SeverityIcon } from '../../../ui/severity.tsx';
import { stateWords } from '../alert-words.ts';

/** What lies under the pointer. Nothing that the list beside the map does not say: hidden from screen readers. */
export function HoverCard({ hit, byId }: { hit: MapHit; byId: ReadonlyMap<string, SlimAlert> }) {
  const { labels } = useServices();
  const now = useNow(60);
  const alerts = hit.ids.flatMap((id) => byId.get(id) ?? []);
  const first = alerts[0];
  if (!first) return null;
  const until =
    first.in_force_until === null
      ? 'until further notice'
      : `until ${labels.moment(Date.parse(first.in_force_until), first.time_zones[0], now)}`;
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute z-10 w-60 rounded-lg border border-line-strong bg-raised p-2.5 text-[13px] shadow-pop"
      style={{
        left: `clamp(8px, ${hit.x - 120}px, calc(100% - 248px))`,
        ...(hit.y > 150 ? { bottom: `calc(100% - ${hit.y - 14}px)` } : { top: hit.y + 18 }),
      }}
    >
      <p className="flex items-center gap-1.5 font-semibold">
        <SeverityIcon severity={first.severity} /> <span className="truncate">{first.event}</span>
      </p>
      <p className="truncate text-muted">{first.location || first.area_desc}</p>
      <p className="tnum text-muted">
        {stateWords(first).word}, {until}
      </p>
      {alerts.length > 1 ? <p className="pt-1 text-muted">and {alerts.length - 1} more here: click again for the next</p> : null}
    </div>
  );
}
