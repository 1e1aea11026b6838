import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createStage, type Stage } from './stage.ts';
import { startWorld, stormyDay, tornadoWarning, type World } from './world.ts';

const PICTURES = resolve(import.meta.dirname, '../test-results');

/** The one look at the drawn map: without a graphics card it takes every processor. What it is made of is tested beside its parts. */
describe('the map of the dashboard', () => {
  let stage: Stage;
  let world: World;
  beforeAll(async () => {
    mkdirSync(PICTURES, { recursive: true });
    stage = await createStage({ webgl: true });
    world = await startWorld([tornadoWarning('NEW', Date.now() - 60_000), ...stormyDay(Date.now())]);
  });
  afterAll(async () => {
    await stage.close();
    await world.stop();
  });

  test('draws the alerts, and a click on a shape selects its alert', async () => {
    // The warning for Grady County lies in the middle.
    const page = await stage.visit(world, '/weather-alerts?map=35.05,-97.86,7', { as: world.member });
    const canvas = page.locator('canvas');
    await canvas.waitFor();
    const box = (await canvas.boundingBox())!;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    let step = 0;
    const cursor = async () => {
      step += 1;
      await page.mouse.move(x + (step % 2), y);
      return canvas.evaluate((element) => (element as HTMLElement).style.cursor);
    };
    await expect.poll(cursor, { timeout: 60_000, interval: 250 }).toBe('pointer');
    await page.screenshot({ path: join(PICTURES, 'map-drawn.png') });
    await page.mouse.down();
    await page.mouse.up();
    await page
      .getByRole('article')
      .getByRole('heading', { name: /Tornado Warning/ })
      .first()
      .waitFor();
    expect(page.url()).toContain('alert=');
    expect(page.faults).toEqual([]);
  });
});
