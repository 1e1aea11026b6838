import type { SlimAlert } from '@nwms/contract';
import { useServices } from '../../../api/services.ts';
import { useUnits } from '../../../api/use-units.ts';
import { useNow } from '../../../lib/use-now.ts';
import { tagLabel } from './diff-words.ts';
import { Facts, Section } from './section.tsx';
import { tagsOf, tagValue } from './tag-words.ts';

/** DETL-02: what is missing is Unknown; a message that names no type is an Alert. */
export function Meaning({ alert }: { alert: SlimAlert }) {
  return (
    <Section title="Assessment">
      <Facts
        facts={[
          ['Status', alert.status || 'Unknown'],
          ['Urgency', alert.urgency ?? 'Unknown'],
          ['Certainty', alert.certainty ?? 'Unknown'],
          ['Message type', alert.message_type ?? 'Alert'],
        ]}
      />
    </Section>
  );
}

/** DETL-03, every instant in the alert's own zone, in the reader's on hover. `Ends` is when the hazard ends, `Expires` the text. */
export function Timing({ alert }: { alert: SlimAlert }) {
  const instants: [string, string | null][] = [
    ['Effective', alert.effective],
    ['Onset', alert.onset],
    ['Expires (this text)', alert.expires],
    ['Issued', alert.sent],
    ['In force from', alert.in_force_from],
  ];
  return (
    <Section title="Timing">
      <Facts
        wide
        facts={[
          ...instants.map(([name, iso]) => [name, <Moment key={name} iso={iso} zone={alert.time_zones[0]} />] as const),
          [
            'In force until',
            alert.in_force_until === null ? 'Further notice' : <Moment iso={alert.in_force_until} zone={alert.time_zones[0]} />,
          ],
        ]}
      />
    </Section>
  );
}

/** One instant; "Unknown" for none. */
export function Moment({ iso, zone }: { iso: string | null; zone: string | undefined }) {
  const { labels } = useServices();
  const now = useNow(60);
  const at = iso === null ? Number.NaN : Date.parse(iso);
  if (Number.isNaN(at)) return 'Unknown';
  return (
    <time dateTime={new Date(at).toISOString()} title={`${labels.full(at, labels.viewerZone)} in your zone`}>
      {labels.moment(at, zone, now)}
    </time>
  );
}

/** Damage threats and measured hazards, where the message has them. */
export function Impact({ alert }: { alert: SlimAlert }) {
  const { system } = useUnits();
  const tags = tagsOf(alert);
  if (tags.length === 0) return null;
  return (
    <Section title="Impact">
      <Facts wide facts={tags.map(([name, value]) => [tagLabel(name), tagValue(name, value, system)] as const)} />
    </Section>
  );
}
