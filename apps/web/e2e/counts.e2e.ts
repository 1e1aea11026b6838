import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { AlertList } from '@nwms/contract';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import type { RawFeature } from '../../../tools/nws-sim/src/index.ts';
import { busyDay } from './busy-day.ts';
import { settled, sideways } from './checks.ts';
import { ask, createStage, type Stage } from './stage.ts';
import { startWorld, type World } from './world.ts';

const PICTURES = resolve(import.meta.dirname, '../test-results');
const LOOKS = [
  ['1440-light', { viewport: { width: 1440, height: 900 } }],
  ['390-dark', { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, colorScheme: 'dark' as const }],
] as const;
const LISTS: [name: string, least: number, listed: () => RawFeature[]][] = [
  ['no alert', 0, () => []],
  ['2,000 alerts', 1_600, () => busyDay(2_400)],
];

/** Alerts end while it is looked at: the same number is said soon, not at once. */
async function tellsTheSame(page: Page, total: () => Promise<number>): Promise<void> {
  const shown = page.getByText(/^Showing [\d,]+ of [\d,]+, the most dangerous first$/);
  const same = async () => (await shown.innerText()).includes(` of ${(await total()).toLocaleString('en-US')},`);
  await vi.waitUntil(same, { timeout: 60_000, interval: 500 });
}

/** From so many on shapes are too heavy and maps draw tiles. */
const TILED_FROM = 1_001;

describe.each(LISTS)('with %s', (name, least, listed) => {
  let world: World | null = null;
  let stage: Stage | null = null;
  afterEach(() => stage?.clear());
  afterAll(async () => {
    await world?.stop();
    await stage?.close();
  });

  test('the dashboard, the map and the live feed say the same number, fit their window and report no fault', async () => {
    mkdirSync(PICTURES, { recursive: true });
    stage ??= await createStage();
    world ??= await startWorld(listed());
    const here = world;
    const total = async () => (await ask<AlertList>(here, '/alerts?active_only=true&limit=1')).body.total;
    await expect.poll(total, { timeout: 60_000 }).toBeGreaterThanOrEqual(least);
    for (const [look, options] of LOOKS) {
      for (const path of ['/weather-alerts', '/map', '/advanced-features']) {
        const page = await stage.visit(here, path, options);
        const count = await total();
        if (path === '/map' && count > 0) await page.getByText(/^Showing [\d,]+ of [\d,]+, the most dangerous first$/).waitFor();
        if (path === '/weather-alerts' && count > 0) await page.getByRole('gridcell').first().waitFor();
        if (path !== '/advanced-features' && count === 0) await page.getByText('No weather alerts found').waitFor();
        if (path === '/advanced-features') {
          const feed = page.getByLabel('Counters of the feed');
          await feed.waitFor();
          await feed.scrollIntoViewIfNeeded();
        }
        await settled(page);
        if (path === '/map' && count > 0) await tellsTheSame(page, total);
        expect(await sideways(page), `${path} ${look}`).toBe(0);
        expect(page.faults, `${path} ${look}`).toEqual([]);
        await page.screenshot({ path: join(PICTURES, `count-${name.replaceAll(/\W+/g, '-')}-${path.slice(1)}-${look}.png`) });
        await stage.clear();
      }
    }
  });

  test.runIf(least >= TILED_FROM)('the map of the dashboard draws tiles instead of loading every shape', async () => {
    const here = world;
    if (!here) throw new Error('the world of the test before is gone');
    const drawing = await createStage({ webgl: true });
    const shapes: string[] = [];
    try {
      let asked: Promise<unknown> | undefined;
      const page = await drawing.visit(here, '/weather-alerts', {
        before: async (given) => {
          given.on('request', (request) => void (request.url().includes('detail=full') && shapes.push(request.url())));
          asked = given.waitForRequest(/\/alerts\/tiles\/\d+\/\d+\/\d+\.mvt/);
        },
      });
      await asked;
      await settled(page);
      expect(shapes).toEqual([]);
      expect(page.faults).toEqual([]);
      await page.screenshot({ path: join(PICTURES, 'count-tiled-dashboard.png') });
    } finally {
      await drawing.close();
    }
  });
});
