import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alertsScreen, rows } from './alerts-screen.ts';
import { seriousFaults, settled, sideways } from './checks.ts';
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
});
