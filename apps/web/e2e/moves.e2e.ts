import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { settled } from './checks.ts';
import { createStage, type Stage } from './stage.ts';
import { startWorld, type World } from './world.ts';

/** Of every screen that people come to first, and where there is room for one column only or for two. */
const ADDRESSES = ['/', '/login', '/weather-alerts', '/map'];
const WIDTHS = [1440, 1024, 390];
const WORDS = 'Simulated weather: exercise data, not real alerts';

describe('on simulated weather, on a device that cannot draw the map', () => {
  let stage: Stage;
  let world: World;
  beforeAll(async () => {
    stage = await createStage();
    world = await startWorld([], { FEED: 'simulator', SIM_SEED: '3' });
  });
  afterEach(() => stage.clear());
  afterAll(async () => {
    await world.stop();
    await stage.close();
  });

  test.each(ADDRESSES.flatMap((path) => WIDTHS.map((width) => [path, width] as const)))(
    '%s is not moved by what comes, nor by saying that its weather is simulated (%i px)',
    async (path, width) => {
      const page = await stage.visit(world, path, {
        as: path === '/' || path === '/login' ? null : world.member,
        viewport: { width, height: 850 },
        before: (page) => page.addInitScript(noteMoves),
      });
      await page.getByText(WORDS).waitFor();
      // What is loaded last on each of them.
      if (path === '/login') await page.getByLabel('E-mail').waitFor();
      else if (path === '/map') await page.getByText('This device cannot draw the map').waitFor();
      if (path === '/map') await page.getByRole('list', { name: 'Alerts on the map' }).getByRole('listitem').first().waitFor();
      if (path !== '/login') await page.getByRole('region', { name: 'Live alert ticker' }).waitFor();
      await page.waitForLoadState('networkidle');
      await settled(page);
      const moves = await page.evaluate<Move[]>('moves');
      // What would go down with the strip.
      expect(moves.filter(({ what }) => what.includes('header') || what.includes('main'))).toEqual([]);
      expect(moves.reduce((sum, { by }) => sum + by, 0)).toBeLessThanOrEqual(MOST_MOVED);
    },
  );
});

/** Cumulative layout shift: a fifth of what counts as good. */
const MOST_MOVED = 0.02;

interface Move {
  by: number;
  what: string[];
}

/** In the page, before its scripts: notes everything that moves by itself. */
function noteMoves(): void {
  const moves: Move[] = [];
  Object.assign(window, { moves });
  type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: { node: Node | null }[] };
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries() as Shift[]) {
      if (!hadRecentInput) moves.push({ by: value, what: sources.map(({ node }) => node?.nodeName.toLowerCase() ?? '') });
    }
  }).observe({ type: 'layout-shift', buffered: true });
}
