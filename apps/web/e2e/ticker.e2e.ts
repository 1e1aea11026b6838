import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from './browser.ts';
import { seriousFaults, sideways } from './checks.ts';
import { leave, picture, visit } from './visit.ts';
import { startWorld, type World } from './world.ts';

const LIST = '**/breaking-news-ticker*';
/** For what needs no more than its turn on a busy machine. */
const PATIENT = { timeout: 30_000 };

/** An alert list as the server gives it; `change` alters one row or the freshness. */
function list(rows: { event: string; severity: string; location?: string }[], freshness: object = {}) {
  const now = Date.now();
  return {
    breaking_alerts: rows.map((row, index) => ({
      id: `urn:e2e:${row.event}:${index}`,
      event_id: `E2E.${row.event.replaceAll(' ', '')}.${index}`,
      location: 'Grady, OK',
      headline: `${row.event} issued by NWS Norman OK`,
      emoji: '',
      timestamp: new Date(now).toISOString(),
      source: 'NWS Norman OK',
      expires: null,
      in_force_until: new Date(now + 3_600_000).toISOString(),
      state: 'in_force',
      is_active: true,
      hazard_rank: 900 - index,
      sample: false,
      ...row,
    })),
    total_active: rows.length,
    generated_at: new Date(now).toISOString(),
    freshness: {
      data_as_of: new Date(now - 8_000).toISOString(),
      upstream_age_seconds: 8,
      status: 'live',
      reason: null,
      feed: 'nws',
      simulated: false,
      ...freshness,
    },
  };
}
const THREE = [
  { event: 'Tornado Warning', severity: 'Extreme' },
  { event: 'Flood Warning', severity: 'Severe' },
  { event: 'Wind Advisory', severity: 'Moderate' },
];

describe('the ticker', () => {
  let world: World;
  let browser: Browser;
  beforeAll(async () => {
    [world, browser] = await Promise.all([startWorld([]), launchBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await world.stop();
  });

  const bar = (page: Page) => page.getByRole('region', { name: 'Live alert ticker' });
  const link = (page: Page) => bar(page).getByRole('link');
  /** The start page with this answer of the list; a number is a failing status, null never answers. */
  const withList = (answer: object | number | null, options: Parameters<typeof visit>[2] = {}, clock = true) =>
    visit(browser, world.url, {
      ...options,
      before: async (page) => {
        // The accessibility check waits by timers of the page: such tests take the time as it comes.
        if (clock) await page.clock.install();
        await page.route(LIST, (route) => {
          if (answer === null) return undefined;
          return typeof answer === 'number' ? route.fulfill({ status: answer, json: { error: 'x' } }) : route.fulfill({ json: answer });
        });
      },
    });

  test('TICK-01: shows one alert at a time, for 6 s each, while the text drifts for 120 s', async () => {
    const page = await withList(list(THREE));
    await link(page).getByText('Tornado Warning', { exact: true }).waitFor();
    expect(await link(page).count()).toBe(1);
    const drift = await bar(page)
      .locator('.ticker-drift')
      .evaluate((element) => getComputedStyle(element).animationDuration);
    expect(drift).toBe('120s');
    await page.clock.runFor(6_100);
    await link(page).getByText('Flood Warning', { exact: true }).waitFor();
    await page.clock.runFor(6_100);
    await link(page).getByText('Wind Advisory', { exact: true }).waitFor();
    await page.clock.runFor(6_100);
    await link(page).getByText('Tornado Warning', { exact: true }).waitFor();
    await leave(page);
  });

  test('TICK-03: the colour follows the severity of the alert shown', async () => {
    const page = await withList(list([...THREE, { event: 'Frost Advisory', severity: 'Minor' }]), {}, false);
    await bar(page).getByRole('button', { name: 'Pause the ticker' }).click();
    // On a busy machine the bar has moved on before it was paused: the round may begin anywhere.
    const tones = ['extreme', 'severe', 'moderate', 'other'];
    const first = tones.indexOf((await bar(page).getAttribute('data-tone')) ?? '');
    expect(first).toBeGreaterThanOrEqual(0);
    for (const tone of [...tones.slice(first), ...tones.slice(0, first)]) {
      await page.locator(`[data-tone="${tone}"]`).waitFor();
      expect(await seriousFaults(page)).toEqual([]);
      await bar(page).getByRole('button', { name: 'Next alert' }).click();
    }
    await leave(page);
  });

  test('TICK-02, TICK-08: the list is asked for without a credential, every 5 minutes and on its button', async () => {
    const asked: Record<string, string>[] = [];
    const page = await withList(list(THREE));
    page.on('request', (request) => request.url().includes('breaking-news-ticker') && asked.push(request.headers()));
    await link(page).waitFor();
    const before = asked.length;
    await bar(page).getByRole('button', { name: 'Refresh the ticker' }).click();
    await expect.poll(() => asked.length, PATIENT).toBeGreaterThan(before);
    // The next five minutes are counted from this answer on.
    await bar(page).locator('button[aria-label="Refresh the ticker"][aria-busy="false"]').waitFor();
    const refreshed = asked.length;
    await page.clock.runFor(331_000);
    await expect.poll(() => asked.length, PATIENT).toBeGreaterThan(refreshed);
    expect(asked.every((headers) => !('authorization' in headers))).toBe(true);
    await leave(page);
  });

  test('TICK-04: a fresh, empty answer is All Clear', async () => {
    const page = await withList(list([]));
    for (const text of ['All Clear', 'Monitoring Active', 'System Online']) await bar(page).getByText(text, { exact: true }).waitFor();
    await picture(page, 'ticker-clear');
    expect(await sideways(page)).toBeLessThanOrEqual(0);
    await leave(page);
  });

  test('TICK-04: an empty answer of stale data is not All Clear', async () => {
    const page = await withList(list([], { status: 'stale', upstream_age_seconds: 900 }));
    await bar(page).getByText('We cannot tell right now').waitFor();
    expect(await page.getByText('All Clear').count()).toBe(0);
    await leave(page);
  });

  test('TICK-05, TICK-06: a failure without earlier data shows samples, each said to be one, in slate', async () => {
    const page = await withList(503, {}, false);
    await bar(page).getByText('CONNECTION ISSUE', { exact: true }).waitFor({ timeout: 60_000 });
    await bar(page).getByText('Connection lost • Retrying...', { exact: true }).waitFor();
    await bar(page).getByText('Sample', { exact: true }).waitFor();
    expect(await bar(page).getAttribute('data-tone')).toBe('other');
    expect(await link(page).count()).toBe(0);
    expect(await seriousFaults(page)).toEqual([]);
    await picture(page, 'ticker-sample');
    await leave(page);
  });

  test('TICK-06: a failure with earlier data keeps that data, with its age and without its colour', async () => {
    const page = await withList(list(THREE));
    await link(page).waitFor();
    await page.unroute(LIST);
    await page.route(LIST, (route) => route.abort());
    await bar(page).getByRole('button', { name: 'Refresh the ticker' }).click();
    await page.clock.runFor(60_000);
    await bar(page).getByText('CONNECTION ISSUE', { exact: true }).waitFor();
    await bar(page)
      .getByText(/last good data \d\d:\d\d:\d\d UTC/)
      .waitFor();
    expect(await link(page).count()).toBe(1);
    expect(await bar(page).getAttribute('data-tone')).toBe('other');
    expect(await bar(page).getByText('Sample').count()).toBe(0);
    await picture(page, 'ticker-lost');
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await sideways(page)).toBeLessThanOrEqual(0);
    await picture(page, 'ticker-lost-390');
    await leave(page);
  });

  test('TICK-07: says that it is loading before the first answer', async () => {
    const page = await withList(null);
    await bar(page).getByText('Loading alerts...').waitFor();
    expect(await sideways(page)).toBeLessThanOrEqual(0);
    await leave(page);
  });

  test('stands still while paused, hovered or read by keyboard', async () => {
    const page = await withList(list(THREE));
    await bar(page).getByRole('button', { name: 'Pause the ticker' }).click();
    await page.mouse.move(10, 10);
    await page.clock.runFor(20_000);
    await link(page).getByText('Tornado Warning', { exact: true }).waitFor();
    await bar(page).getByRole('button', { name: 'Resume the ticker' }).click();
    await bar(page).hover();
    await page.clock.runFor(20_000);
    await link(page).getByText('Tornado Warning', { exact: true }).waitFor();
    await page.mouse.move(10, 10);
    await page.clock.runFor(6_100);
    await link(page).getByText('Flood Warning', { exact: true }).waitFor();
    expect(await sideways(page)).toBeLessThanOrEqual(0);
    await leave(page);
  });

  test('nothing drifts for people who want less motion', async () => {
    const page = await withList(list(THREE), { reducedMotion: 'reduce' });
    await link(page).waitFor();
    expect(
      await bar(page)
        .locator('.ticker-drift')
        .evaluate((element) => getComputedStyle(element).animationName),
    ).toBe('none');
    await leave(page);
  });

  test('simulated alerts say so one by one', async () => {
    const page = await withList(list(THREE, { status: 'simulated', simulated: true, feed: 'simulator' }));
    await bar(page).getByText('Simulated', { exact: true }).waitFor();
    expect(await sideways(page)).toBeLessThanOrEqual(0);
    await leave(page);
  });

  test('a visitor who opens an alert is led to sign in, and the alert is remembered', async () => {
    const page = await withList(list(THREE));
    await link(page).click();
    await page.waitForURL('**/login');
    expect(await page.evaluate(() => (history.state as { from?: string }).from)).toContain('/weather-alerts?alert=E2E.TornadoWarning.0');
    expect(await bar(page).count()).toBe(0);
    await leave(page);
  });

  test.each([1440, 1024, 390])('covers nothing of the page at %i px', async (width) => {
    const page = await withList(list(THREE), { viewport: { width, height: 800 } });
    await link(page).waitFor();
    // The page grows while its lower parts arrive.
    await page.getByRole('region', { name: 'API reference' }).waitFor();
    const covered = async () => {
      await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
      const [content, ticker] = await Promise.all([page.getByRole('contentinfo').boundingBox(), bar(page).boundingBox()]);
      return (content?.y ?? Infinity) + (content?.height ?? 0) - (ticker?.y ?? 0);
    };
    await expect.poll(covered, PATIENT).toBeLessThanOrEqual(1);
    expect(await sideways(page)).toBeLessThanOrEqual(0);
    await leave(page);
  });
});
