import { readFileSync } from 'node:fs';
import type { AlertStats } from '@nwms/contract';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alertsScreen, rows, type VisitOptions } from './alerts-screen.ts';
import { ask } from './stage.ts';
import { startWorld, stormyDay, tornadoWarning, type World } from './world.ts';

const screen = alertsScreen();
let world: World;
const first = tornadoWarning('NEW', Date.now() - 60_000);
beforeAll(async () => {
  world = await startWorld([first, ...stormyDay(Date.now())]);
});
afterAll(() => world.stop());

/** Until then the rows are said to be those of before. */
const listFollowed = (page: Page) => page.getByRole('region', { name: 'Alerts', exact: true }).locator('[aria-busy=false]').waitFor();
/** The dashboard as a member sees it, with rows. */
async function visit(path = '/weather-alerts', options: VisitOptions = {}) {
  const page = await screen.visit(world, path, options);
  await rows(page).first().waitFor();
  return page;
}

/** What the screen claims at one moment: the severity asked for (null: any), those of its rows, and whether these are said to be old. */
interface Noted {
  asked: string | null;
  listed: string[];
  busy: boolean;
  says: string;
}

/** In the page: notes what it claims at every change of it. */
function noteEveryChange(): void {
  const noted: Noted[] = [];
  Object.assign(window, { noted });
  const section = document.querySelector('section[aria-label="Alerts"]');
  new MutationObserver(() => {
    const pressed = document.querySelector('fieldset button[aria-pressed=true]')?.textContent.trim() ?? '';
    noted.push({
      asked: pressed === 'All' ? null : (pressed.split(' ')[0] ?? ''),
      listed: [...(section?.querySelectorAll('[role=gridcell]:nth-child(2)') ?? [])].map((cell) => cell.textContent.trim()),
      busy: section?.querySelector('[aria-busy=true]') !== null,
      says: section?.textContent ?? '',
    });
  }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
}

const statsOf = async () => (await ask<AlertStats>(world, '/alerts/stats?active_only=true')).body;

describe('the dashboard', () => {
  test('ALRT-01, ALRT-10: three addresses, one screen, with the five columns and the times', async () => {
    for (const path of ['/weather-alerts', '/live-data', '/alerts']) {
      const page = await visit(path);
      const heads = await page.getByRole('columnheader').allInnerTexts();
      expect(heads.map((text) => text.trim())).toEqual(['Event Type', 'Severity', 'Area', 'Headline', 'Status', 'In force']);
      await screen.clear();
    }
  });

  test('ALRT-02: auto-refresh is on until switched off, which is remembered; Refresh asks at once', async () => {
    const page = await visit();
    const box = page.getByRole('checkbox', { name: 'Auto-refresh' });
    expect(await box.isChecked()).toBe(true);
    await box.uncheck();
    await page.reload();
    await rows(page).first().waitFor();
    expect(await box.isChecked()).toBe(false);
    const asked = page.waitForRequest(/\/api\/v1\/alerts\?/);
    await page.getByRole('button', { name: 'Refresh', exact: true }).click();
    await asked;
  });

  test('ALRT-03: the export has the active alerts, all of them and no others, under the day’s name', async () => {
    const page = await visit('/weather-alerts?scope=all&severity=Extreme');
    const coming = page.waitForEvent('download');
    await page.getByRole('link', { name: 'CSV' }).click();
    const file = await coming;
    expect(file.suggestedFilename()).toMatch(/^active-weather-alerts-\d{4}-\d\d-\d\d\.csv$/);
    const text = readFileSync(await file.path(), 'utf8');
    const { total } = (await ask<{ total: number }>(world, '/alerts?active_only=true&severity=Extreme&limit=1')).body;
    expect(text.match(/\r\n(?=urn:)/g)?.length).toBe(total);
    expect(text).not.toMatch(/,(ended|cancelled|upgraded),false,/);
  });

  test('ALRT-04, ALRT-05, API-27: cards, doughnut and bars show the statistics of what is active', async () => {
    const page = await visit();
    const stats = await statsOf();
    const figures = page.getByRole('region', { name: 'Figures' });
    for (const [name, value] of [
      ['Active', stats.total],
      ['Severe', (stats.by_severity['Extreme'] ?? 0) + (stats.by_severity['Severe'] ?? 0)],
      ['Event Types', Object.keys(stats.by_event).length],
    ] as const) {
      const card = figures.locator('div.card').filter({ has: page.getByRole('heading', { name, exact: true }) });
      expect(await card.locator('p').first().innerText()).toBe(String(value));
    }
    await figures.getByRole('heading', { name: 'Total', exact: true }).waitFor();
    const legend = await figures.getByLabel('Active alerts by severity').innerText();
    for (const [severity, count] of Object.entries(stats.by_severity)) expect(legend).toMatch(new RegExp(`${severity}\\s+${count}`));
    const bars = figures.locator('div.card').filter({ has: page.getByRole('heading', { name: 'Most frequent events' }) });
    const top = Object.entries(stats.by_event)
      .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
      .slice(0, 6);
    expect(await bars.locator('dt').allInnerTexts()).toEqual(top.map(([event]) => event));
  });

  test('ALRT-06, ALRT-17: quick filters, Unknown among them, and Clear All Filters', async () => {
    const page = await visit();
    for (const [name, severity] of [
      ['Severe Only', 'Severe'],
      ['Extreme Only', 'Extreme'],
      ['Unknown', 'Unknown'],
    ] as const) {
      await page.getByRole('button', { name, exact: true }).click();
      await page.waitForURL(new RegExp(`severity=${severity}`));
      await listFollowed(page);
      const shown = await rows(page).count();
      expect(shown).toBeGreaterThan(0);
      expect(await rows(page).getByText(severity, { exact: true }).count()).toBe(shown);
    }
    await page.getByRole('button', { name: 'Clear All Filters' }).click();
    await page.waitForURL((url) => url.search === '');
    expect(await page.getByRole('button', { name: 'All', exact: true }).getAttribute('aria-pressed')).toBe('true');
  });

  test('a filter that is pressed shows so first; rows of before are said to be that, and nobody is told that there are none', async () => {
    const page = await visit();
    await page.evaluate(noteEveryChange);
    for (const name of ['Severe Only', 'Extreme Only', 'Unknown', 'All', 'Extreme Only']) {
      await page.getByRole('button', { name, exact: true }).click();
    }
    await listFollowed(page);
    await expect.poll(() => rows(page).getByText('Extreme', { exact: true }).count()).toBeGreaterThan(0);
    const noted = await page.evaluate<Noted[]>('noted');
    expect(noted.filter(({ busy, asked, listed }) => !busy && asked !== null && listed.some((severity) => severity !== asked))).toEqual([]);
    expect(noted.filter(({ says }) => /No alert|cannot tell/.test(says))).toEqual([]);
    expect(new Set(noted.map(({ asked }) => asked))).toEqual(new Set(['Severe', 'Extreme', 'Unknown', null]));
    // Pressed before the rows are there.
    expect(noted.some(({ busy }) => busy)).toBe(true);
  });

  test('ALRT-07: the search looks into headline, event, area and description', async () => {
    for (const words of ['issued by NWS Norman OK', 'tornado warning', 'Grady', 'near Chickasha']) {
      const page = await visit(`/weather-alerts?${new URLSearchParams({ q: words })}`);
      await rows(page).filter({ hasText: 'Grady, OK' }).first().waitFor();
      // A full page of 25 would mean that nothing was searched; what else matches depends on the weather of the hour.
      expect(await rows(page).count()).toBeLessThan(25);
      await screen.clear();
    }
  });

  test('ALRT-08: the lists of severities, of events as counted, and of what is active or all', async () => {
    const page = await visit();
    const stats = await statsOf();
    const choices = async (label: string) => {
      await page.getByRole('combobox', { name: label }).click();
      await page.getByRole('option').first().waitFor();
      const all = await page.getByRole('option').allInnerTexts();
      await page.keyboard.press('Escape');
      await page.getByRole('listbox').waitFor({ state: 'detached' });
      return all.map((text) => text.split('\n')[0]!.trim());
    };
    expect(await choices('Severity')).toEqual(['Any severity', 'Extreme', 'Severe', 'Moderate', 'Minor', 'Unknown']);
    expect(await choices('Event')).toEqual(['Any event', ...Object.keys(stats.by_event).sort()]);
    expect(await choices('Active or all')).toEqual(['Active Only', 'All Alerts']);
  });

  test('ALRT-09, ALRT-11: page sizes, first and last page, and how much of how much is shown', async () => {
    const page = await visit();
    const { total } = await statsOf();
    await page.getByText(`Showing 10 of ${total} filtered alerts (${total} total)`).waitFor();
    await page.getByRole('button', { name: 'Last page' }).click();
    await page.waitForURL(new RegExp(`page=${Math.ceil(total / 10)}`));
    expect(await page.getByRole('button', { name: 'Next page' }).isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: /^Page \d+$/ }).count()).toBe(5);
    await page.getByRole('combobox', { name: 'Rows per page' }).click();
    await page.getByRole('option').first().waitFor();
    expect(await page.getByRole('option').allInnerTexts()).toEqual(['10 rows', '20 rows', '50 rows', '100 rows', 'All rows']);
    await page.getByRole('option', { name: '20 rows' }).click();
    await page.waitForURL((url) => url.search === '?size=20');
    await page.getByText(`Showing 20 of ${total} filtered alerts (${total} total)`).waitFor();
    expect(await page.getByRole('button', { name: 'First page' }).isDisabled()).toBe(true);
  });

  test('a column sorts both ways and lets go', async () => {
    const page = await visit();
    const head = page.getByRole('columnheader', { name: 'Event Type' });
    const first = () => rows(page).first().getByRole('gridcell').first().innerText();
    await head.getByRole('button').click();
    await page.waitForURL(/order=event/);
    expect(await head.getAttribute('aria-sort')).toBe('ascending');
    const least = await first();
    await head.getByRole('button').click();
    await page.waitForURL(/order=-event/);
    expect(await head.getAttribute('aria-sort')).toBe('descending');
    expect((await first()) > least).toBe(true);
    await head.getByRole('button').click();
    expect(await head.getAttribute('aria-sort')).toBe('none');
  });

  test('ALRT-14: Extreme and Severe are red, Moderate is yellow, Minor is green', async () => {
    const page = await visit('/weather-alerts?size=0&order=severity');
    const hue = async (severity: string) => {
      await page.getByRole('button', { name: 'All', exact: true }).waitFor();
      await page.goto(`${world.url}/weather-alerts?severity=${severity}`);
      const badge = rows(page).first().getByText(severity, { exact: true });
      await badge.waitFor();
      return badge.evaluate((element) => {
        const canvas = document.createElement('canvas').getContext('2d')!;
        // Of text and ground, the one that is not white or nearly so.
        const style = getComputedStyle(element);
        const rgb = [style.color, style.backgroundColor].map((colour) => {
          canvas.fillStyle = colour;
          canvas.fillRect(0, 0, 1, 1);
          return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3) as [number, number, number];
        });
        const [r, g, b] = rgb.sort((x, y) => Math.max(...y) - Math.min(...y) - (Math.max(...x) - Math.min(...x)))[0]!;
        const most = Math.max(r, g, b);
        const span = most - Math.min(r, g, b);
        const sixth = most === r ? ((g - b) / span + 6) % 6 : most === g ? (b - r) / span + 2 : (r - g) / span + 4;
        return Math.round(sixth * 60);
      });
    };
    const red = (degrees: number) => degrees < 18 || degrees > 345;
    expect([await hue('Extreme'), await hue('Severe')].filter((degrees) => !red(degrees))).toEqual([]);
    const yellow = await hue('Moderate');
    expect(yellow > 30 && yellow < 62).toBe(true);
    const green = await hue('Minor');
    expect(green > 90 && green < 175).toBe(true);
  });
});
