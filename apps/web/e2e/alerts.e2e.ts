import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { seriousFaults, settled, sideways, type WatchedPage } from './checks.ts';
import { ask, createStage, type Stage } from './stage.ts';
import { startWorld, stormyDay, tornadoWarning, type World } from './world.ts';

const PICTURES = resolve(import.meta.dirname, '../test-results');
let stage: Stage;

beforeAll(async () => {
  mkdirSync(PICTURES, { recursive: true });
  stage = await createStage();
});
afterEach(() => stage.clear());
afterAll(() => stage.close());

/** The screen as a member sees it; `before` sees the page before anything is loaded. */
const visit = (world: World, path = '/weather-alerts', options: Parameters<Stage['visit']>[2] = {}): Promise<WatchedPage> =>
  stage.visit(world, path, { as: world.member, ...options });

const picture = (page: Page, name: string) => page.screenshot({ path: join(PICTURES, `${name}.png`) });
const rows = (page: Page) =>
  page
    .getByRole('grid')
    .getByRole('row')
    .filter({ has: page.getByRole('gridcell') });

describe('on a stormy day', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld(stormyDay(Date.now()));
  });
  afterAll(() => world.stop());

  test('the figures, the list and the API agree, and say how fresh they are', async () => {
    const page = await visit(world);
    await rows(page).first().waitFor();
    const { total } = (await ask<{ total: number }>(world, '/alerts?active_only=true&limit=1')).body;
    await page.getByText(new RegExp(`Showing 10 of ${total} filtered alerts \\(${total} total\\)`)).waitFor();
    await page.getByText(/^Live$/).waitFor();
    await page
      .getByRole('region', { name: 'Freshness' })
      .getByText(/as of \d\d:\d\d:\d\d UTC, \d+ s ago/)
      .waitFor();
    expect(await page.getByText('Simulated weather').count()).toBe(0);
    expect(page.faults).toEqual([]);
  });

  test('a part of the screen that does not load says so in its place, and can be had later', async () => {
    const lost = /\/(alert-preview|alert-details|palette)-[^/]+\.js$/;
    const { alerts } = (await ask<{ alerts: { event_id: string }[] }>(world, '/alerts?active_only=true&limit=1')).body;
    const page = await visit(world, `/weather-alerts?alert=${alerts[0]!.event_id}`, {
      before: (given) => given.route(lost, (route) => route.abort()),
    });
    const preview = page.getByRole('alert').filter({ hasText: 'This part of the page could not be loaded.' });
    await preview.waitFor();
    // The place that failed does not wait for the list.
    await rows(page).nth(9).waitFor();
    expect(await rows(page).count()).toBe(10);
    const closed = page.getByRole('alert').filter({ hasText: 'This could not be opened' });
    for (const open of [() => rows(page).nth(1).click(), () => page.keyboard.press('Control+k')]) {
      await open();
      await closed.getByRole('button', { name: 'Close' }).click();
      await closed.waitFor({ state: 'detached' });
      expect(await rows(page).count()).toBe(10);
    }
    await page.unroute(lost);
    await preview.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('article').first().waitFor();
    expect(await preview.count()).toBe(0);
    // What failed before is tried anew when it is opened again.
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').waitFor();
  });

  test('a new alert arrives without a reload, at its place, and its end is seen in place', async () => {
    const page = await visit(world, '/weather-alerts?event=Tornado+Warning&q=grady');
    await page.getByText('No alert matches these filters').waitFor();
    await page.evaluate(() => Object.assign(window, { sameDocument: true }));
    const first = tornadoWarning('NEW', Date.now() - 5_000);
    const before = world.listed;
    world.listed = [first, ...before];
    const row = rows(page).filter({ hasText: 'Tornado Warning' });
    await row.waitFor({ timeout: 20_000 });
    await page.getByRole('status').filter({ hasText: 'Extreme Tornado Warning, Grady, OK' }).waitFor();
    expect(await row.textContent()).toContain('Extreme');
    await row.click();
    await page.getByRole('article').getByText('TAKE COVER NOW!').waitFor();
    await picture(page, 'arrived');
    await page.keyboard.press('Escape');

    world.listed = [tornadoWarning('CAN', Date.now(), first), ...before];
    await row.getByText('Cancelled').waitFor({ timeout: 20_000 });
    await page
      .getByRole('article')
      .getByText(/^Cancelled/)
      .first()
      .waitFor();
    expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true);
    expect(page.faults).toEqual([]);
  });

  test('DETL-01: keys alone: arrows move, Enter opens, the address keeps it over a reload, and back closes it', async () => {
    const page = await visit(world);
    await rows(page).first().waitFor();
    await rows(page).first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('article').waitFor();
    expect(page.url()).toContain('alert=');
    await page.reload();
    await page.getByRole('dialog').getByRole('article').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await rows(page).nth(2).getAttribute('aria-selected')).toBe('true');
    await page.goBack();
    await page.getByText('No alert selected').waitFor();
  });

  test('filters, order and page stand in the address', async () => {
    const page = await visit(world);
    await rows(page).first().waitFor();
    await page.getByRole('button', { name: 'Severe only' }).click();
    await page.getByRole('button', { name: 'Page 2' }).click();
    await page.getByRole('columnheader', { name: 'Event' }).getByRole('button').click();
    await page.waitForURL(/severity=Severe.*order=event/);
    expect(page.url()).not.toContain('page=');
    await page.reload();
    await rows(page).first().waitFor();
    expect(await rows(page).getByText('Severe', { exact: true }).count()).toBe(10);
  });

  test('all rows on one page are not all in the document, and every one can be reached', async () => {
    const page = await visit(world, '/weather-alerts?size=0');
    await rows(page).first().waitFor();
    expect(await rows(page).count()).toBeLessThan(80);
    await rows(page).first().focus();
    await page.keyboard.press('End');
    const total = Number(await page.getByRole('grid').getAttribute('aria-rowcount'));
    await page.waitForFunction((last) => document.activeElement?.getAttribute('aria-rowindex') === last, String(total));
  });

  test('a device that cannot draw the map is told so; the list has every alert, and nothing counts as broken', async () => {
    const page = await visit(world);
    await page.getByText(/cannot draw the map/).waitFor();
    await rows(page).first().waitFor();
    expect(await page.locator('canvas').count()).toBe(0);
    await picture(page, 'no-webgl');
    expect(page.faults).toEqual([]);
  });

  test('the network gone: the page says so, and what is known stays', async () => {
    const page = await visit(world);
    await rows(page).first().waitFor();
    await page.context().setOffline(true);
    await page.getByText('You are offline').waitFor();
    expect(await rows(page).count()).toBe(10);
    await picture(page, 'offline');
    await page.context().setOffline(false);
    await page.getByText('You are offline').waitFor({ state: 'detached' });
  });

  test('the server gone and back: the rows stay meanwhile, and what was issued then arrives without a reload', async () => {
    const page = await visit(world, '/weather-alerts?event=Tornado+Warning');
    await rows(page).first().waitFor();
    const before = await rows(page).count();
    await world.end();
    await page.getByText(/Reconnecting … \(\d+\/10\)/).waitFor({ timeout: 20_000 });
    expect(await rows(page).count()).toBe(before);
    expect(await page.getByText('No weather alerts found').count()).toBe(0);
    await picture(page, 'reconnecting');
    world.listed = [tornadoWarning('NEW', Date.now() - 1_000), ...world.listed];
    await world.begin();
    await rows(page).filter({ hasText: 'Grady, OK' }).filter({ hasText: 'Active' }).waitFor({ timeout: 60_000 });
    await page.getByText(/Reconnecting/).waitFor({ state: 'detached' });
  });

  test.each([
    ['light-1440', { viewport: { width: 1440, height: 900 } }],
    ['dark-1440', { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' }],
    ['light-1024', { viewport: { width: 1024, height: 768 } }],
    ['light-390', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
    ['dark-390', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: 'dark' }],
  ] as [string, BrowserContextOptions][])(
    '%s: nothing serious for axe, nothing sideways, with and without a selected alert',
    async (name, options) => {
      const page = await visit(world, undefined, options);
      await rows(page).first().waitFor();
      await settled(page);
      await picture(page, name);
      expect(await sideways(page)).toBeLessThanOrEqual(0);
      expect(await seriousFaults(page)).toEqual([]);
      await rows(page).nth(1).click();
      await page.getByRole('article').waitFor();
      await settled(page);
      await picture(page, `${name}-selected`);
      expect(await sideways(page)).toBeLessThanOrEqual(0);
      expect(await seriousFaults(page)).toEqual([]);
      expect(page.faults).toEqual([]);
    },
  );

  test('for fingers, everything to press is at least 44 pixels high', async () => {
    const page = await visit(world, undefined, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    await rows(page).first().waitFor();
    const small = await page
      .locator('main button, main a, header button, header a, [role=row][tabindex], label:has(input)')
      .evaluateAll((all) =>
        all
          .filter((element) => element.checkVisibility() && element.getBoundingClientRect().height < 44)
          .map((element) => `${element.textContent} ${element.getBoundingClientRect().height}`),
      );
    expect(small).toEqual([]);
  });

  test('an answer that fails is never "no alerts"', async () => {
    const before = async (page: Page) => {
      await page.route('**/api/v1/alerts**', (route) => route.fulfill({ status: 503, json: { error: 'data.unavailable', detail: 'x' } }));
      await page.routeWebSocket('**/ws/alerts', (socket) => socket.close({ code: 1011 }));
    };
    const page = await visit(world, undefined, { before });
    await page.getByText('We cannot tell right now').first().waitFor({ timeout: 20_000 });
    await picture(page, 'failed');
    expect(await page.getByText(/No alerts are currently available|No weather alerts found/).count()).toBe(0);
    // Figures that are not known are dashes, not zeros.
    expect(await page.getByRole('region', { name: 'Figures' }).textContent()).not.toMatch(/Active0/);
  });

  test.each([
    ['stale', 'poll_failing', 700, /Not up to date: as of .*, 11 min ago/],
    ['unknown', 'poll_failing', 4000, /We cannot tell right now: last good data from \d\d:\d\d:\d\d UTC/],
  ])('%s data is shown with its age, never as live', async (status, reason, age, words) => {
    const aged = {
      'nwms-data-status': status,
      'nwms-data-reason': reason,
      'nwms-data-age': String(age),
      'nwms-data-as-of': new Date(Date.now() - age * 1000).toISOString(),
    };
    const before = async (page: Page) => {
      await page.routeWebSocket('**/ws/alerts', (socket) => socket.close({ code: 1011 }));
      await page.route('**/api/v1/alerts?*', async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, headers: { ...response.headers(), ...aged } });
      });
    };
    const page = await visit(world, undefined, { before });
    await rows(page).first().waitFor();
    await page.getByText(words).waitFor();
    expect(await page.getByText(/^Live$/).count()).toBe(0);
    await picture(page, status);
    expect(await seriousFaults(page)).toEqual([]);
  });
});

describe('on a calm day', () => {
  test('ALRT-12: a fresh and empty answer, and only that, says that there are no alerts', async () => {
    const world = await startWorld([]);
    try {
      const page = await visit(world);
      await page.getByText('No weather alerts found').waitFor({ timeout: 20_000 });
      await page.getByText(/No alerts are currently available, as of \d\d:\d\d:\d\d UTC/).waitFor();
      await picture(page, 'calm');
      expect(await seriousFaults(page)).toEqual([]);
    } finally {
      await world.stop();
    }
  });
});

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
    const page = await stage.visit(world, '/', { as: null, javaScriptEnabled: false });
    expect(await page.getByText(WORDS).isVisible()).toBe(true);
  });

  test('what is kept for a start without a network does not say so: the server of another day may be a real one', async () => {
    const page = await visit(world, '/weather-alerts', { serviceWorkers: 'allow' });
    await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
    const kept = await page.evaluate(async () => (await (await caches.match('/kept-document'))?.text()) ?? '');
    expect(kept).toContain('<div id="root">');
  });
});
