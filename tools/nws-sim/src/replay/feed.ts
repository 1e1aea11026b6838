import type { Feed, RawFeature } from '../feature.ts';
import { type Atlas, loadAtlas } from '../places/atlas.ts';
import { atlasZones } from '../places/zones.ts';
import { readCapture } from './read-capture.ts';
import { recordedZones } from './recorded-zones.ts';
import { shiftFeature } from './shift.ts';

export interface ReplayOptions {
  /** The recording, plain or gzip. */
  capture: Buffer;
  /** File name, for error messages. */
  name: string;
  /** Instant that stands for the moment of the recording when `relative`. */
  startedAt: number;
  /** Moves every time of the recording; otherwise they stay as recorded. */
  relative: boolean;
  /** Folder of recorded zone shapes; what it lacks comes from county shapes. */
  zonesDir?: string;
  /** Keep upstream's status words (default) or call everything Actual an Exercise. */
  status?: 'keep' | 'Exercise';
  atlas?: Atlas;
}

/**
 * A recording that stands still, except that what ends goes: a message leaves the active list at its `ends` (else `expires`), like
 * upstream's, while messages that were over at the moment of the recording but still listed stay. Times move by whole minutes, so
 * the recording's `updated` falls in the minute before `startedAt`. Throws SyntaxError for an unreadable recording.
 */
export function createReplayFeed(options: ReplayOptions): Feed {
  const capture = readCapture(options.capture, options.name);
  const deltaMs = options.relative ? Math.floor((options.startedAt - capture.updated) / 60_000) * 60_000 : 0;
  const updated = capture.updated + deltaMs;
  const recordedAt = options.relative ? Math.max(updated, options.startedAt) : updated;
  const features = capture.features.map((feature) => withStatus(shiftFeature(feature, deltaMs), options.status ?? 'keep'));
  const unique = uniqueOf(features).sort((a, b) => Date.parse(a.properties.sent) - Date.parse(b.properties.sent));
  const byId = new Map(unique.map((feature) => [feature.properties.id, feature]));
  const county = atlasZones(options.atlas ?? loadAtlas());
  return {
    kind: 'replay',
    activeAt: (now) => ({ updated, features: features.filter((feature) => isListed(feature, recordedAt, now)) }),
    issuedBetween: (from, to) =>
      unique.filter(({ properties }) => {
        const sent = Date.parse(properties.sent);
        return sent > from && sent <= to;
      }),
    byId: (id) => byId.get(id),
    ...(options.zonesDir === undefined ? county : recordedZones(options.zonesDir, county)),
  };
}

function isListed({ properties }: RawFeature, recordedAt: number, now: number): boolean {
  const end = Date.parse(properties.ends ?? properties.expires ?? '');
  return Number.isNaN(end) || end <= recordedAt || end > now;
}

function withStatus(feature: RawFeature, status: 'keep' | 'Exercise'): RawFeature {
  if (status === 'keep' || feature.properties.status !== 'Actual') return feature;
  return { ...feature, properties: { ...feature.properties, status } };
}

/** Exact duplicates count once; two contents under one identifier both stay. */
function uniqueOf(features: RawFeature[]): RawFeature[] {
  return [...new Map(features.map((feature) => [JSON.stringify([feature.geometry, feature.properties]), feature])).values()];
}
