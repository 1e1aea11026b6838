/** Prints what a fixed set of messages means, for a comparison under several time zones of the process: its zone, then one line of JSON. */
import {
  applyMessage,
  createMemoryIndex,
  dateOf,
  daysOfWindow,
  evaluate,
  formatTimestamp,
  orderForApply,
  parseFeature,
  tick,
  usageWindow,
} from '@nwms/domain';
import { createStormFeed, loadAtlas } from '@nwms/nws-sim';

/** Both clock changes of 2026, a leap day, a month and a year end. */
const MOMENTS = [
  '2026-03-08T08:30:00Z',
  '2026-11-01T06:30:00Z',
  '2028-02-29T23:50:00Z',
  '2026-06-30T23:59:00Z',
  '2026-12-31T23:30:00Z',
].map(Date.parse);
const HOUR_MS = 3_600_000;

const states: Record<string, number> = {};
const told: unknown[] = [];
let entries = 0;
const atlas = loadAtlas();
for (const at of MOMENTS) {
  // Days of usage figures are days of UTC wherever the server stands.
  told.push([1, 7, 90].map((days) => daysOfWindow(usageWindow(days, at)).map(dateOf)));
  const feed = createStormFeed({ seed: 7, startedAt: at, atlas });
  const index = createMemoryIndex();
  const messages = feed.activeAt(at).features.flatMap((feature) => {
    const parsed = parseFeature(feature, { source: 'simulator', receivedAt: at, contentHash: feature.id });
    return parsed.ok ? [parsed.message] : [];
  });
  for (const message of orderForApply(messages)) {
    index.putMessage(message);
    const applied = applyMessage(index, message, { now: at, listed: true, pollStartedAt: at });
    for (const event of applied.events) index.put(event);
    entries += applied.entries.length;
    told.push(applied.entries.map((entry) => [entry.kind, entry.summary, entry.diff]));
  }
  for (const event of index.events()) {
    for (const later of [0, 30 * HOUR_MS]) {
      const seen = evaluate(event, at + later);
      states[seen.state] = (states[seen.state] ?? 0) + 1;
      told.push([formatTimestamp(at + later), seen, tick(event, at + later).entries.map((entry) => [entry.kind, entry.at, entry.summary])]);
    }
  }
}
const evaluated = Object.values(states).reduce((a, b) => a + b, 0);
process.stdout.write(`${Intl.DateTimeFormat().resolvedOptions().timeZone}\n${JSON.stringify({ states, evaluated, entries, told })}\n`);
