import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { seriousFaults, settled, sideways } from './checks.ts';
import { createStage, type Stage } from './stage.ts';
import { startWorld, tornadoWarning, type World } from './world.ts';

const PICTURES = resolve(import.meta.dirname, '../test-results');
let world: World;
let stage: Stage;
beforeAll(async () => {
  mkdirSync(PICTURES, { recursive: true });
  stage = await createStage();
  world = await startWorld([tornadoWarning('NEW', Date.now() - 60_000)]);
});
afterEach(() => stage.clear());
afterAll(async () => {
  await world.stop();
  await stage.close();
});

const visit = (path: string, options: Parameters<Stage['visit']>[2] = {}) => stage.visit(world, path, { as: world.member, ...options });
const field = (page: Page) => page.getByRole('combobox', { name: 'Find a place on the map' });
const options = (page: Page) => page.getByRole('listbox', { name: 'Places' }).getByRole('option');
const card = (page: Page) => page.getByRole('region', { name: 'Chosen place' });
/** In the warning's polygon, by name of a county that the atlas has. */
const GRADY = 'Grady County, OK';

describe('finding a place on the map', () => {
  test('every place of a name is a row of its own; keys go to one, choose it, and it stands in the address', async () => {
    const page = await visit('/map');
    await field(page).fill('jacksonville');
    await options(page).first().waitFor();
    expect((await options(page).allInnerTexts()).map((text) => text.split('\n')[0])).toEqual(
      expect.arrayContaining(['Jacksonville, NC', 'Jacksonville, FL']),
    );
    // Of several none is guessed: Enter leads to the first, the next Enter takes it.
    await field(page).press('Enter');
    expect(await options(page).first().getAttribute('aria-selected')).toBe('true');
    await field(page).press('ArrowDown');
    await field(page).press('ArrowUp');
    const active = await field(page).getAttribute('aria-activedescendant');
    expect(await options(page).first().getAttribute('id')).toBe(active);
    await field(page).press('Enter');
    await card(page).getByRole('heading', { name: 'Jacksonville, NC' }).waitFor();
    await card(page).getByText('No alerts here.').waitFor();
    expect(new URL(page.url()).searchParams.get('place')).toBe('34.7541,-77.4302');
    await page.reload();
    await card(page).getByText('No alerts here.').waitFor();
    await card(page).getByRole('button', { name: 'Forget the place' }).click();
    await card(page).waitFor({ state: 'detached' });
    expect(page.url()).not.toContain('place');
    expect(page.faults).toEqual([]);
  });

  test('an area tells the alerts in or around it and opens them; a code of an address finds it again', async () => {
    const page = await visit('/map');
    await field(page).fill('grady county');
    await options(page).filter({ hasText: GRADY }).click();
    await card(page).getByText('1 active alert in or around it.').waitFor();
    expect(new URL(page.url()).searchParams.get('place')).toBe('OKC051');
    await card(page)
      .getByRole('button', { name: /Tornado Warning/ })
      .click();
    await page.waitForURL(/alert=KOUN\.TO\.W\.0777/);
    await page.reload();
    await card(page).getByRole('heading', { name: GRADY }).waitFor();
    expect(await seriousFaults(page)).toEqual([]);
  });

  test('a typed position works too, and where the weather service is not nothing is concluded', async () => {
    const page = await visit('/map');
    await field(page).fill('35.06, -97.94');
    await field(page).press('Enter');
    await card(page).getByText('1 active alert here.').waitFor();
    await field(page).fill('48.85, 2.35');
    await field(page).press('Enter');
    await card(page).getByText('Outside of the area of the National Weather Service').waitFor();
    expect(await page.getByText('No alerts here').count()).toBe(0);
  });

  test('R-23: a failing search says so, an unknown name too, and failing alerts read as "cannot tell"', async () => {
    const page = await visit('/map', {
      before: (given) =>
        Promise.all([
          given.route(/\/places\/search\?q=boston/, (route) => route.abort()),
          given.route(/\/api\/v1\/alerts\/(near|within)/, (route) => route.abort()),
        ]),
    });
    await field(page).fill('boston');
    await page.getByText('Places cannot be searched right now').waitFor();
    await field(page).fill('Qwertyuiop');
    await page.getByText('No place of this name is known here.').waitFor();
    await field(page).press('Escape');
    expect(await field(page).getAttribute('aria-expanded')).toBe('false');
    await field(page).fill('raleigh');
    await options(page).first().click();
    await card(page).getByText('We cannot tell right now whether there are alerts here.').waitFor();
    expect(await page.getByText('No alerts here').count()).toBe(0);
  });

  test.each([
    ['1440-light', {}],
    ['390-dark', { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, colorScheme: 'dark' as const }],
  ])('on the map and the dashboard nothing is cut off at %s, and axe finds nothing serious', async (name, look) => {
    for (const path of ['/map', '/weather-alerts']) {
      const page = await visit(`${path}?place=35.06,-97.94`, look);
      if (path === '/weather-alerts') await page.locator('#map').scrollIntoViewIfNeeded();
      await card(page).getByText('1 active alert here.').waitFor();
      await field(page).fill('san');
      await options(page).first().waitFor();
      await settled(page);
      expect(await sideways(page)).toBe(0);
      expect(await seriousFaults(page)).toEqual([]);
      await page.screenshot({ path: join(PICTURES, `places-${path.slice(1)}-${name}.png`) });
    }
  });
});

test('on a drawn map the place is marked and led to, and forgetting it takes the mark away', async () => {
  const drawing = await createStage({ webgl: true });
  try {
    const page = await drawing.visit(world, '/map?place=35.06,-97.94', { as: world.member });
    const pin = page.locator('.place-pin');
    await pin.waitFor();
    await page.waitForURL(/map=35\.06/);
    await card(page).getByText('1 active alert here.').waitFor();
    const [canvas, mark] = [(await page.locator('canvas').boundingBox())!, (await pin.boundingBox())!];
    // Its tip stands on the place, which lies in the middle.
    expect(Math.abs(mark.x + mark.width / 2 - (canvas.x + canvas.width / 2))).toBeLessThan(4);
    expect(Math.abs(mark.y + mark.height - (canvas.y + canvas.height / 2))).toBeLessThan(4);
    await page.screenshot({ path: join(PICTURES, 'places-drawn.png') });
    await card(page).getByRole('button', { name: 'Forget the place' }).click();
    await pin.waitFor({ state: 'detached' });
    expect(page.faults).toEqual([]);
  } finally {
    await drawing.close();
  }
});
