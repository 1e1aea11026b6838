import { Section } from './section.tsx';

interface Feature {
  title: string;
  text: string;
  /** What one would type to see it. */
  shown: string;
}

const FEATURES: readonly Feature[] = [
  {
    title: 'Freshness in every answer',
    text: 'Status, time and age of the data come with each answer, in the body and as headers. Stale data says that it is stale.',
    shown: 'NWMS-Data-Age: 4',
  },
  {
    title: 'Events, not messages',
    text: 'Updates, extensions, cancellations and upgrades are worked out into one event with a life. You read its state, not its paperwork.',
    shown: 'state: "in_force"',
  },
  {
    title: 'A numbered log',
    text: 'Every change has a number. Come back after an hour offline, name the last one you saw, and nothing is missing or twice.',
    shown: 'GET /alerts/changes?since=…',
  },
  {
    title: 'Live, and it resumes',
    text: 'WebSocket or server-sent events with filters, heartbeats and a cursor. A dropped connection picks up where it was.',
    shown: 'wss://…/ws/alerts',
  },
  {
    title: 'Where, exactly',
    text: 'Near a point, inside a box or a polygon, by county or zone. Shapes come from the polygon, else from the zones behind it.',
    shown: 'radius_km=50',
  },
  {
    title: 'As it was known then',
    text: 'Ask for any instant and get what was in force and known at that time, not what became known later.',
    shown: 'at=2026-11-20T18:00:00Z',
  },
  {
    title: 'Seven formats',
    text: 'JSON, GeoJSON, CAP 1.2, Atom, CSV, NDJSON and vector tiles of the same data, by Accept header or parameter.',
    shown: 'format=geojson',
  },
  {
    title: 'Cheap to poll',
    text: 'Validators on every list: an unchanged answer is a 304 without a body. Quotas are in the headers before you hit them.',
    shown: '304 Not Modified',
  },
];

/** LAND-02. */
export function Features() {
  return (
    <Section
      title="Built for the moment it matters"
      lead="What a program needs to act on a warning, and to know when it must not rely on one."
    >
      <ul className="landing-cells grid overflow-clip rounded-xl border border-line sm:grid-cols-2 lg:grid-cols-4">
        {FEATURES.map(({ title, text, shown }) => (
          <li key={title} className="flex flex-col gap-2 bg-surface p-5">
            <h3 className="font-semibold">{title}</h3>
            <p className="text-muted">{text}</p>
            <p className="mt-auto truncate pt-3 font-mono text-[13px] text-accent">{shown}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
