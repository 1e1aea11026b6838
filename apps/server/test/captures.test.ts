import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { readCapture } from '@nwms/nws-sim';
import { sharedData } from '@nwms/testkit';
import { describe, expect, it } from 'vitest';
import { boot } from './boot.ts';

/** Recorded national lists through the whole product: feed, ingest, machine, shapes, API. */
const CAPTURES = ['active-us-2025-12-15T2155Z.json.gz', 'active-us-2024-12-08.json.gz', 'active-iowa-2024-05-21T1934Z.json'];
const ANY_STATUS = 'status=Actual,Exercise,Test,System,Draft';
const zones = sharedData('zones');
const found = CAPTURES.flatMap((name) => sharedData(`alerts/${name}`) ?? []);
if (found.length === 0) console.log('captures: no recordings on this machine, these guarantees are not checked here');

/** Codes of every zone and county in the recordings. */
function recordedZones(): Set<string> {
  const names = ['public-zones-18mr25', 'counties-nws', 'fire-zones', 'marine-zones'];
  const files = names.flatMap(
    (name) => sharedData(`zones/${name}.simplified.geojson.gz`) ?? sharedData(`zones/${name}.partial.geojson.gz`) ?? [],
  );
  return new Set(
    files.flatMap((path) =>
      (JSON.parse(gunzipSync(readFileSync(path)).toString()) as { features: { id?: string; properties: { id?: string } }[] }).features.map(
        (zone) => zone.properties.id ?? zone.id ?? '',
      ),
    ),
  );
}

interface Row {
  id: string;
  is_active: boolean;
  urgency: string;
  ugc: string[];
  geometry_source: string;
  geometry_missing: string[];
  vtec: { action: string }[];
}

describe.skipIf(found.length === 0)('a recorded national list', () => {
  it.each(found.map((path) => [basename(path), path]))(
    '%s is told whole and without contradiction',
    { timeout: 120_000 },
    async (name, path) => {
      const { features } = readCapture(readFileSync(path), name);
      const distinct = new Set(features.map((feature) => (feature.properties as { id: string }).id));
      const product = await boot({ FEED: 'replay', REPLAY_PATH: path, ...(zones ? { REPLAY_ZONES: zones } : {}) });
      try {
        await product.until(`/alerts?view=messages&limit=1&${ANY_STATUS}`, (answer) => answer.total >= distinct.size);
        const messages: Row[] = (await product.json(`/alerts?view=messages&${ANY_STATUS}`)).alerts;
        // Every message of the list is kept, none was unreadable.
        expect(messages).toHaveLength(distinct.size);
        expect((await product.json('/health/upstream')).quarantined_24h).toBe(0);

        const stats = await product.until('/alerts/stats?active_only=true', (answer) => answer.freshness.status === 'simulated');
        const list = await product.json('/alerts?active_only=true');
        expect(list.total).toBe(stats.total);
        const sum = (counts: Record<string, number>) => Object.values(counts).reduce((a, b) => a + b, 0);
        expect([sum(stats.by_event), sum(stats.by_severity), sum(stats.by_state), stats.active + stats.over]).toEqual(
          Array(4).fill(stats.total),
        );

        // No terminal notice is active.
        const terminal = messages.filter(
          (row) => row.urgency === 'Past' || row.vtec.some((code) => code.action === 'CAN' || code.action === 'UPG'),
        );
        expect(terminal.filter((row) => row.is_active).map((row) => row.id)).toEqual([]);

        // Shapes: of the alerts with a zone or county that is on record here, at least 99 in 100 are drawn.
        const known = recordedZones();
        const isKnown = (row: Row) => row.ugc.some((code) => known.has(code));
        const settled = await product.until('/alerts?active_only=true', (answer) => {
          const rows = (answer.alerts as Row[]).filter(isKnown);
          return rows.length > 0 && rows.filter((row) => row.geometry_source !== 'none').length >= rows.length * 0.99;
        });
        const rows = settled.alerts as Row[];
        const undrawn = rows.filter((row) => row.geometry_source === 'none');
        const drawn = rows.length - undrawn.length;
        console.log(
          `${name}: ${messages.length} messages, ${stats.total} active events, ${drawn} drawn, ${undrawn.length} without any zone on record`,
        );
      } finally {
        await product.stop();
      }
    },
  );
});
