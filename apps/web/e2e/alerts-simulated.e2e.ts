import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alertsScreen, rows } from './alerts-screen.ts';
import { picture } from './visit.ts';
import { startWorld, type World } from './world.ts';

const { visit } = alertsScreen();

describe('on simulated weather', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld([], { FEED: 'simulator', SIM_SEED: '3' });
  });
  afterAll(() => world.stop());
  const WORDS = 'Simulated weather: exercise data, not real alerts';

  test('the page says so across its width, and every alert says so itself', async () => {
    const page = await visit(world);
    await page.getByText(WORDS).waitFor({ timeout: 30_000 });
    await rows(page).first().waitFor();
    // Wherever one has scrolled to, and on addresses that are none.
    const strip = page.getByText(WORDS);
    await page.setViewportSize({ width: 390, height: 700 });
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await expect.poll(async () => (await strip.boundingBox())?.y, { timeout: 10_000 }).toBeLessThan(10);
    await picture(page, 'simulated-390-scrolled');
    await page.setViewportSize({ width: 1440, height: 900 });
    expect(await rows(page).getByText('simulated').count()).toBe(10);
    await rows(page).first().click();
    await page.getByRole('article').getByText('Simulated').first().waitFor();
    await picture(page, 'simulated');
    await page.goto(`${world.url}/nowhere`);
    await page.getByText('There is no such page').waitFor();
    await strip.waitFor();
    await picture(page, 'simulated-nowhere');
  });

  test('the start page says so without a script', async () => {
    const page = await visit(world, '/', { as: null, javaScriptEnabled: false });
    expect(await page.getByText(WORDS).isVisible()).toBe(true);
  });

  test('what is kept for a start without a network does not say so: the server of another day may be a real one', async () => {
    const page = await visit(world, '/weather-alerts', { serviceWorkers: 'allow' });
    await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
    const kept = await page.evaluate(async () => (await (await caches.match('/kept-document'))?.text()) ?? '');
    expect(kept).toContain('<div id="root">');
  });
});
