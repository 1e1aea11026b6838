import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alertsScreen, rows } from './alerts-screen.ts';
import { seriousFaults } from './checks.ts';
import { ask } from './stage.ts';
import { picture } from './visit.ts';
import { startWorld, stormyDay, type World } from './world.ts';

const { visit } = alertsScreen();

describe('on a stormy day', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld(stormyDay(Date.now()));
  });
  afterAll(() => world.stop());

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
