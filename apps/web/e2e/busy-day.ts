import { createStormFeed, type RawFeature } from '../../../tools/nws-sim/src/index.ts';

/** Each seed has its own tracking numbers, so that no two are one event. */
const NUMBERS_PER_SEED = 1_500;

/** About `count` active messages of simulated weather, marked as actual. */
export function busyDay(count: number): RawFeature[] {
  const features: RawFeature[] = [];
  for (let seed = 0; features.length < count; seed += 1) {
    const feed = createStormFeed({ seed: seed + 1, startedAt: Date.now(), targetActive: 600, status: 'Actual' });
    const text = JSON.stringify(feed.activeAt(Date.now()).features.filter(({ properties }) => properties.status === 'Actual'));
    const numbered = text.replaceAll(
      /(\/O\.[A-Z]{3}\.[A-Z]{4}\.[A-Z]{2}\.[A-Z]\.)(\d{4})/g,
      (_, head: string, etn: string) => head + String((Number(etn) % NUMBERS_PER_SEED) + seed * NUMBERS_PER_SEED).padStart(4, '0'),
    );
    features.push(...(JSON.parse(numbered) as RawFeature[]));
  }
  return features.slice(0, count);
}
