import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { REFERENCE } from '../src/features/landing/reference-lines.ts';
import { launchBrowser } from './browser.ts';
import { seriousFaults, sideways } from './checks.ts';
import { leave, picture, visit } from './visit.ts';
import { startWorld, tornadoWarning, type World } from './world.ts';

/** In the page: remembers every element that came with the document. */
function markWhatCame(): void {
  document.addEventListener('readystatechange', () => {
    if (document.readyState !== 'interactive') return;
    Object.assign(window, { came: new Set(document.querySelectorAll('#root *')) });
  });
}

/** In the page: how many elements came, how many of them are gone, and how many there are that scripts made. */
function whatBecameOfIt(): { came: number; gone: number; fresh: number } {
  const { came } = window as unknown as { came: Set<Element> };
  const here = [...document.querySelectorAll('#root *')];
  return { came: came.size, gone: [...came].filter((one) => !one.isConnected).length, fresh: here.filter((one) => !came.has(one)).length };
}

describe('the start page', () => {
  let world: World;
  let browser: Browser;
  beforeAll(async () => {
    [world, browser] = await Promise.all([startWorld([tornadoWarning('NEW', Date.now() - 60_000)]), launchBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await world.stop();
  });
  const panel = (page: Page, name: string) => page.getByRole('region', { name });

  test('LAND-01, LAND-02: metrics, uptime and performance, features, a call to action, documentation and a Login link', async () => {
    const page = await visit(browser, world.url);
    for (const name of ['System metrics', 'Performance', 'Uptime', 'Active alerts by severity']) await panel(page, name).waitFor();
    await page.getByRole('banner').getByRole('link', { name: 'Login' }).waitFor();
    await page.getByRole('heading', { name: 'Built for the moment it matters' }).waitFor();
    expect(await page.getByRole('link', { name: 'API documentation' }).first().getAttribute('href')).toBe('/docs');
    expect(await page.getByRole('link', { name: 'Get an API key' }).count()).toBe(2);
    expect(await page.getByRole('navigation', { name: 'Main' }).count()).toBe(0);
    expect(page.faults).toEqual([]);
    await leave(page);
  });

  test('LAND-03: four use cases', async () => {
    const page = await visit(browser, world.url);
    for (const name of ['Mobile apps', 'Web services', 'Automation and IoT', 'Analytics and research']) {
      await page.getByRole('heading', { level: 3, name, exact: true }).waitFor();
    }
    expect(page.faults).toEqual([]);
    await leave(page);
  });

  test('the alert, the command and the answer shown are real and belong together', async () => {
    const page = await visit(browser, world.url);
    const card = page.getByRole('region', { name: 'The most dangerous alert in force' });
    await card.getByText('Tornado Warning').waitFor();
    await card.getByText('Grady, OK').waitFor();
    const shown = page.getByRole('region', { name: 'A request and its answer' });
    await shown.getByText('200 OK').waitFor();
    await shown.getByText(`curl -i '${world.url}/api/v1/alerts?active_only=true&limit=1&detail=slim'`).waitFor();
    const answer = (await (await fetch(`${world.url}/api/v1/alerts?active_only=true&limit=1&detail=slim`)).json()) as { total: number };
    expect(await shown.getByRole('code').textContent()).toContain(`"total": ${answer.total},`);
    await shown.getByText('NWMS-Data-Status:').waitFor();
    await shown.getByRole('button', { name: 'Ask again' }).click();
    await shown.getByText('304 Not Modified').waitFor();
    await leave(page);
  });

  test('LAND-04: lists exactly the endpoints, calls none of the others, and each leads somewhere', async () => {
    const asked: string[] = [];
    const page = await visit(browser, world.url, {
      before: async (page) => void page.on('request', (request) => asked.push(new URL(request.url()).pathname)),
    });
    const reference = panel(page, 'API reference');
    await reference.waitFor();
    const lines = REFERENCE.flatMap((group) => group.lines);
    expect(await reference.getByRole('listitem').count()).toBe(lines.length);
    for (const href of await reference
      .getByRole('listitem')
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')))) {
      expect(href).toMatch(/^\/docs(#tag\/|$)/);
    }
    expect(await reference.getByRole('link', { name: 'GET /alerts/stats' }).getAttribute('href')).toBe('/docs#tag/alerts/GET/alerts/stats');
    expect(asked.filter((path) => /analytics|ai-insights|ml-weather|webhooks|playback/.test(path))).toEqual([]);
    await leave(page);
  });

  test('the first screen is in the document itself, before any script, and says nothing of the weather', async () => {
    const html = await (await fetch(world.url, { headers: { Accept: 'text/html' } })).text();
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)/);
    expect(html).not.toMatch(/Tornado|No alert is in force|All Clear|origin\.invalid/);
    for (const [, href] of html.matchAll(/<link rel="(?:stylesheet|modulepreload)"[^>]* href="([^"]+)"/g)) {
      expect([href, (await fetch(world.url + href)).status]).toEqual([href, 200]);
    }
    const later = /data-later="([^"]+)"/.exec(html)?.[1]?.split(' ') ?? [];
    expect(later.length).toBeGreaterThan(3);
    for (const href of later) expect([href, (await fetch(world.url + href)).status]).toEqual([href, 200]);
    const page = await visit(browser, world.url, { javaScriptEnabled: false });
    const claim = page.getByRole('heading', { level: 1, name: 'Every weather alert in force, and how sure we are.' });
    expect(await claim.isVisible()).toBe(true);
    // With its styles: unstyled text of a browser is 32 px of Times.
    expect(await claim.evaluate((heading) => getComputedStyle(heading).fontFamily)).toContain('Inter');
    // To its end, not the first screen alone; and what needs a script is switched off instead of doing nothing.
    expect(await panel(page, 'API reference').getByRole('listitem').count()).toBe(REFERENCE.flatMap((group) => group.lines).length);
    await panel(page, 'Active alerts by severity').getByText('Being counted').waitFor();
    expect(await page.getByRole('button').evaluateAll((all) => all.filter((one) => !one.matches(':disabled')).length)).toBe(0);
    await picture(page, 'landing-first-paint', true);
    await leave(page);
  });

  test.each(['/', '/?from=elsewhere#reference'])(
    '%s is taken over as it was painted, part by part, whatever was heard meanwhile',
    async (path) => {
      const reported: string[] = [];
      let isHealthHeard = false;
      let letMoreCome = () => {};
      const moreMayCome = new Promise<void>((done) => (letMoreCome = done));
      const page = await visit(browser, world.url + path, {
        colorScheme: 'dark',
        before: async (page) => {
          page.on('request', (request) => request.url().endsWith('/client-errors') && reported.push(request.postData() ?? ''));
          page.on('response', (response) => (isHealthHeard ||= response.url().endsWith('/health')));
          // Below the first screen nothing lives before its figures are there.
          await page.route('**/assets/more-*.js', async (route) => {
            await moreMayCome;
            await route.continue();
          });
          await page.addInitScript(markWhatCame);
        },
      });
      await page.getByText('200 OK').waitFor();
      await panel(page, 'Active alerts by severity').getByText('Being counted').waitFor();
      await page
        .getByRole('region', { name: 'Live alert ticker' })
        .getByRole('link', { name: /^Tornado Warning/ })
        .waitFor();
      await expect.poll(() => isHealthHeard, { timeout: 30_000 }).toBe(true);
      letMoreCome();
      await panel(page, 'Active alerts by severity').getByText('1 active').waitFor();
      await page.getByRole('button', { name: 'Use the light theme' }).waitFor();
      const { came, gone, fresh } = await page.evaluate(whatBecameOfIt);
      // The three bars of the waiting card and what stood for its answer, and nothing else.
      expect(gone).toBeLessThan(20);
      expect(came).toBeGreaterThan(400);
      // The card, the answer, the ticker: what was painted is not made a second time.
      expect(fresh).toBeLessThan(came / 2);
      expect(reported).toEqual([]);
      expect(page.faults).toEqual([]);
      await leave(page);
    },
  );

  test('a command is copied whole, and that it was is said', async () => {
    const page = await visit(browser, world.url, { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.getByRole('button', { name: 'Copy a command for GET /alerts/near' }).click();
    await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    expect(text).toBe(`curl '${world.url}/api/v1/alerts/near?lat=41.59&lon=-93.62&radius_km=50&active_only=true'`);
    expect((await fetch(text.split("'")[1] ?? '')).status).toBe(200);
    await leave(page);
  });

  test('LAND-05: without health data the figures are the demo figures, each panel says so, and no alert is invented', async () => {
    const page = await visit(browser, world.url, {
      before: (page) => page.route('**/health', (route) => route.fulfill({ status: 503, body: '' })),
    });
    await panel(page, 'Uptime').getByText('99.9%').waitFor({ timeout: 30_000 });
    for (const name of ['System metrics', 'Performance', 'Uptime'])
      await panel(page, name).getByText('Demo data', { exact: true }).waitFor();
    await panel(page, 'Active alerts by severity').getByText('We cannot tell right now').waitFor();
    expect(await panel(page, 'Active alerts by severity').getByRole('listitem').first().textContent()).toBe('Extreme— of 5');
    await leave(page);
  });

  test('LAND-06: the bars are scaled to 5, 50, 30 and 20', async () => {
    const page = await visit(browser, world.url);
    const bars = panel(page, 'Active alerts by severity').getByRole('listitem');
    await bars.getByText('1', { exact: true }).waitFor();
    expect(await bars.allTextContents()).toEqual(['Extreme1 of 5', 'Severe0 of 50', 'Moderate0 of 30', 'Minor0 of 20']);
    const shares = await bars.locator('.landing-bar').evaluateAll((all) => all.map((bar) => (bar as HTMLElement).style.transform));
    expect(shares).toEqual(['translateX(-80%)', 'translateX(-100%)', 'translateX(-100%)', 'translateX(-100%)']);
    await leave(page);
  });

  test('LAND-07: the health is asked for again after 30 s', async () => {
    let asked = 0;
    const page = await visit(browser, world.url, {
      before: async (page) => {
        await page.clock.install();
        page.on('request', (request) => (asked += request.url().endsWith('/health') ? 1 : 0));
      },
    });
    await page.getByText(/^Read \d+ s ago$/).waitFor();
    // The bar and the board ask for the same: once.
    expect(asked).toBe(1);
    await page.clock.runFor(34_000);
    await expect.poll(() => asked, { timeout: 30_000 }).toBe(2);
    await leave(page);
  });

  test('what cannot be loaded below the first screen says so in its place, and can be tried again', async () => {
    const page = await visit(browser, world.url, { before: (page) => page.route('**/assets/more-*.js', (route) => route.abort()) });
    await page.getByText('The rest of this page could not be loaded').waitFor();
    await page.getByRole('heading', { level: 1, name: /Every weather alert in force/ }).waitFor();
    await page.getByRole('region', { name: 'The most dangerous alert in force' }).getByText('Tornado Warning').waitFor();
    await page.unroute('**/assets/more-*.js');
    await page.getByRole('main').getByRole('button', { name: 'Try again' }).click();
    await panel(page, 'API reference').waitFor();
    expect(await page.getByText('The rest of this page could not be loaded').count()).toBe(0);
    await leave(page);
  });

  test('a list that cannot be had is not called calm', async () => {
    const page = await visit(browser, world.url, { before: (page) => page.route('**/api/v1/alerts?*', (route) => route.abort()) });
    await page.getByText('We cannot tell right now', { exact: true }).first().waitFor({ timeout: 30_000 });
    expect(await page.getByText('No alert is in force').count()).toBe(0);
    await leave(page);
  });

  test.each([
    [1440, 'light'],
    [1440, 'dark'],
    [1024, 'light'],
    [390, 'light'],
    [390, 'dark'],
  ] as const)('is whole at %i px, %s, and easy to reach', async (width, colorScheme) => {
    const page = await visit(browser, world.url, { viewport: { width, height: 900 }, colorScheme });
    await page.getByText('200 OK').waitFor();
    // Judged to its end, as it is when one has scrolled there.
    await page.addStyleTag({ content: '.landing-later { content-visibility: visible !important }' });
    expect(await sideways(page)).toBeLessThanOrEqual(0);
    expect(await seriousFaults(page)).toEqual([]);
    await picture(page, `landing-${width}-${colorScheme}`, true);
    await leave(page);
  });
});
