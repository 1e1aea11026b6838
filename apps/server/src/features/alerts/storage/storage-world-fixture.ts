import { createHash } from 'node:crypto';
import { canonicalJson, featureContent, parseFeature, type Instant } from '@nwms/domain';
import { createStormFeed, loadAtlas } from '@nwms/nws-sim';
import { STEP_MS, T0, type World } from './storage-fixture.ts';
import type { Incoming } from '../types.ts';

const atlas = loadAtlas();

/** Seeded storms, thinned to a share of the offices so that tests stay quick. */
export function createWorld(seed: number, share = 0.15): World {
  const feed = createStormFeed({ seed, startedAt: T0, targetActive: 200, atlas });
  const parsed = new Map<string, Incoming>();
  const parse = (feature: unknown, at: Instant): Incoming => {
    const contentHash = createHash('sha256')
      .update(canonicalJson(featureContent(feature)))
      .digest('hex');
    const known = parsed.get(contentHash);
    if (known) return known;
    const result = parseFeature(feature, { source: 'simulator', receivedAt: at, contentHash });
    if (!result.ok) throw new Error(`${result.reason}: ${result.detail}`);
    const incoming = { message: result.message, raw: JSON.stringify(feature) };
    parsed.set(contentHash, incoming);
    return incoming;
  };
  return {
    snapshot(step) {
      const at = T0 + step * STEP_MS;
      const { features, updated } = feed.activeAt(at);
      const mine = features.filter((feature) => shareOf(feature.properties.senderName) < share);
      const incoming = mine.map((feature) => {
        const each = parse(feature, at);
        return { ...each, message: { ...each.message, receivedAt: at } };
      });
      const poll = {
        startedAt: at,
        outcome: 'ok' as const,
        etag: null,
        lastModified: null,
        upstreamUpdatedAt: updated,
        listedCount: mine.length,
      };
      return { source: 'simulator', poll, incoming, listed: new Set(incoming.map(({ message }) => message.id)) };
    },
  };
}

function shareOf(name: string): number {
  return createHash('sha256').update(name).digest().readUInt32BE(0) / 2 ** 32;
}
