import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import type { AlertList, AlertStats } from '@nwms/contract';
import type { Page, Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { seriousFaults, settled, sideways } from './checks.ts';
import { ask, createStage, type Stage } from './stage.ts';
import { startWorld, stormyDay, tornadoWarning, type World } from './world.ts';

const PICTURES = resolve(import.meta.dirname, '../test-results');
/** A transparent picture of one pixel. */
const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

let world: World;
/** Stands in for a tile server: which tiles were asked for. */
const asked: string[] = [];
const tileServer = createServer((request, response) => {
  asked.push(request.url ?? '');
  response.writeHead(200, { 'Content-Type': 'image/png', 'Access-Control-Allow-Origin': '*' }).end(PIXEL);
});

beforeAll(async () => {
  mkdirSync(PICTURES, { recursive: true });
  world = await startWorld([tornadoWarning('NEW', Date.now() - 60_000), ...stormyDay(Date.now())]);
});
afterAll(async () => {
  await world.stop();
  tileServer.close();
});

const twin = (page: Page) => page.getByRole('list', { name: 'Alerts on the map' }).getByRole('listitem');
const summary = (page: Page) => page.getByText(/^Showing [\d,]+ of [\d,]+, the most dangerous first$/);
const figure = (page: Page, name: string) =>
  page
    .getByRole('region', { name: 'Figures' })
    .locator('div.card')
    .filter({ has: page.getByRole('heading', { name, exact: true }) })
    .locator('p')
    .first();
const picture = (page: Page, name: string) => page.screenshot({ path: join(PICTURES, `${name}.png`) });

describe('without a drawn map', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await createStage();
  });
  afterEach(() => stage.clear());
  afterAll(() => stage.close());
  const visit = async (path = '/map', options: Parameters<Stage['visit']>[2] = {}) => {
    const page = await stage.visit(world, path, { as: world.member, ...options });
    await twin(page).first().waitFor();
    return page;
  };

  test('a device without WebGL says so, and the list has every alert, opens and closes them by keys', async () => {
    const page = await visit();
    await page.getByText('This device cannot draw the map (no WebGL). The list has every alert.').waitFor();
    const { total } = (await ask<AlertList>(world, '/alerts?active_only=true&limit=1')).body;
    await page.getByText(`Showing ${total} of ${total}, the most dangerous first`).waitFor();
    const row = twin(page).filter({ hasText: 'Grady, OK' }).getByRole('button').first();
    await row.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/alert=KOUN\.TO\.W\.0777/);
    expect(await row.getAttribute('aria-pressed')).toBe('true');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const popup = page.getByRole('dialog', { name: 'Tornado Warning' });
    await popup.getByText('TAKE COVER NOW!').waitFor();
    await page.keyboard.press('Escape');
    await popup.waitFor({ state: 'detached' });
    expect(page.url()).not.toContain('details');
    expect(await seriousFaults(page)).toEqual([]);
  });

  test('MAP-06 to MAP-08, MAP-10, R-29: the filters narrow list and figures, stand in the address, and fold away', async () => {
    const page = await visit();
    const stats = (await ask<AlertStats>(world, '/alerts/stats?active_only=true')).body;
    expect(await figure(page, 'Alerts shown').innerText()).toBe(String(stats.total));
    expect(await figure(page, 'Severe').innerText()).toBe(String(stats.severe_or_extreme));
    const filters = page.getByRole('region', { name: 'Map Filters' });
    for (const name of ['Extreme', 'Severe', 'Moderate', 'Minor', 'Unknown'])
      expect(await filters.getByRole('button', { name: new RegExp(`^${name}`) }).getAttribute('aria-pressed')).toBe('true');

    await filters.getByRole('button', { name: /^Severe/ }).click();
    await page.waitForURL(/on=Extreme/);
    await expect.poll(() => figure(page, 'Severe').innerText()).toBe(String(stats.by_severity.Extreme));
    await page.reload();
    await summary(page).waitFor();
    expect(await filters.getByRole('button', { name: /^Severe/ }).getAttribute('aria-pressed')).toBe('false');

    await filters.getByRole('button', { name: 'Reset filters' }).click();
    await page.waitForURL((url) => url.search === '');
    await filters.getByRole('combobox', { name: 'Limit' }).click();
    await page.getByRole('option').first().waitFor();
    const offered = (await page.getByRole('option').allInnerTexts()).map((text) => text.split('\n')[0]!.trim());
    expect(offered).toEqual(['All', '25', '50', '100 (recommended)', '200', '500']);
    await page.getByRole('option', { name: '25', exact: true }).click();
    await page.getByText(`Showing 25 of ${stats.total}, the most dangerous first`).waitFor();
    expect(await twin(page).count()).toBe(25);

    await filters.getByRole('checkbox', { name: 'Polygon alerts only' }).check();
    await page.waitForURL(/polygon=true/);
    await expect.poll(() => figure(page, 'Issued areas').innerText()).toBe(await figure(page, 'Alerts shown').innerText());
    await filters.getByRole('button', { name: /Map Filters/ }).click();
    await filters.getByText('Active only · all severities · with a polygon · the 25 most dangerous').waitFor();
    expect(await filters.getByRole('checkbox').count()).toBe(0);
  });

  test('MAP-11: refreshes itself 5 minutes unless chosen otherwise, which is remembered; Refresh asks at once', async () => {
    const page = await visit();
    const every = page.getByRole('combobox', { name: 'Refresh every' });
    expect(await every.innerText()).toBe('5 min');
    await every.click();
    await page.getByRole('option').first().waitFor();
    expect(await page.getByRole('option').allInnerTexts()).toEqual(['1 min', '5 min', '10 min', '30 min']);
    await page.getByRole('option', { name: '1 min' }).click();
    await page.getByRole('checkbox', { name: 'Auto-refresh' }).uncheck();
    await page.reload();
    await twin(page).first().waitFor();
    expect([await every.innerText(), await page.getByRole('checkbox', { name: 'Auto-refresh' }).isChecked()]).toEqual(['1 min', false]);
    const request = page.waitForRequest(/\/api\/v1\/alerts\?/);
    await page.getByRole('button', { name: 'Refresh', exact: true }).click();
    await request;
  });

  test('R-23: a failure is told as one, never as an empty map; with every severity off the reason is the filter', async () => {
    const page = await stage.visit(world, '/map', {
      as: world.member,
      before: (given) =>
        Promise.all([
          given.route(/\/api\/v1\/alerts\?/, (route) => route.abort()),
          given.routeWebSocket(/\/ws\/alerts/, (socket) => socket.close()),
        ]),
    });
    await page.getByText('We cannot tell right now').first().waitFor();
    expect(await page.getByText('No weather alerts found').count()).toBe(0);
    expect(await figure(page, 'Alerts shown').innerText()).toContain('not known');
    const none = await stage.visit(world, '/map?on=none', { as: world.member });
    await none.getByText('No alert matches these filters').waitFor();
    await none.getByRole('button', { name: 'Clear All Filters' }).click();
    await twin(none).first().waitFor();
  });

  test('R-03: an alert that is cancelled leaves the map without a reload', async () => {
    const page = await visit('/map?event=Tornado+Warning&q=grady');
    const first = world.listed[0]!;
    const rest = world.listed.slice(1);
    world.listed = [tornadoWarning('CAN', Date.now(), first), ...rest];
    await page.getByText('No alert matches these filters').waitFor();
    world.listed = [first, ...rest];
    expect(page.faults).toEqual([]);
  });

  test.each([
    ['phone', { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, colorScheme: 'dark' as const }],
    ['tablet', { viewport: { width: 1024, height: 768 } }],
  ])('on a %s nothing is cut off, and axe finds nothing serious', async (name, options) => {
    const page = await visit('/map', options);
    await settled(page);
    expect(await sideways(page)).toBe(0);
    expect(await seriousFaults(page)).toEqual([]);
    await picture(page, `map-list-${name}`);
  });
});

describe('drawn', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await createStage({ webgl: true });
    // The warning of the tests above was cancelled by one of them.
    const fresh = JSON.stringify(tornadoWarning('NEW', Date.now()))
      .replaceAll('.TO.W.0777', '.TO.W.0778')
      .replaceAll('e2e.NEW', 'e2e.0778');
    world.listed = [JSON.parse(fresh) as World['listed'][number], ...world.listed];
  });
  afterEach(() => stage.clear());
  afterAll(() => stage.close());
  const drawn = async (page: Page) => {
    await page.waitForFunction(() => Number(document.querySelector('[data-drawn]')?.getAttribute('data-drawn')) > 0);
  };

  test('MAP-01 to MAP-05: shapes with a legend; a press opens the popup, which leads to the details; a link shows the same', async () => {
    // Grady County, Oklahoma, in the middle.
    const page = await stage.visit(world, '/map?map=35.09,-97.86,8&on=Extreme', { as: world.member });
    await drawn(page);
    await page.getByRole('region', { name: 'Legend' }).getByText('issued area').waitFor();
    const box = (await page.locator('canvas').boundingBox())!;
    const popup = page.getByRole('dialog', { name: /^Tornado Warning/ });
    // The worker cuts the shapes into tiles on its own time: a press before that meets nothing.
    await expect
      .poll(
        async () => {
          await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
          // Pressed again, a shape lets go: look before the next press.
          await popup.waitFor({ timeout: 2_000 }).catch(() => {});
          return popup.count();
        },
        { timeout: 40_000, interval: 700 },
      )
      .toBe(1);
    await popup.getByText('Drawn as issued').waitFor();
    expect(page.url()).toMatch(/alert=KOUN\.TO\.W\.0778/);
    await picture(page, 'map-popup');
    await popup.getByRole('button', { name: 'View Full Details' }).click();
    await page.getByText('TAKE COVER NOW!').waitFor();
    expect(page.faults).toEqual([]);
  });

  test('locating, regions and zoom move the view, which stands in the address', async () => {
    const page = await stage.visit(world, '/map', {
      as: world.member,
      permissions: ['geolocation'],
      geolocation: { latitude: 61.2, longitude: -149.9, accuracy: 3000 },
    });
    await drawn(page);
    expect(new URL(page.url()).search).toBe('');
    await picture(page, 'map-1440');
    await page.getByRole('button', { name: 'Show where I am' }).click();
    await page.getByText('Your place, within 3 km.').waitFor();
    await page.waitForURL(/place=61\.200.*map=61\.2|map=61\.2.*place=61\.200/);
    await page.getByRole('button', { name: 'Hawaii' }).click();
    await page.waitForURL(/map=(19|2[0-2])\./);
    expect(page.faults).toEqual([]);
  });

  test('with more than a thousand active alerts the map draws vector tiles of the server, as this session', async () => {
    let asked: Promise<Request> | undefined;
    const page = await stage.visit(world, '/map?on=Extreme,Severe', {
      as: world.member,
      before: (given) => {
        // Waited for from the start: the first tile may be asked for before the visit is over.
        asked = given.waitForRequest(/\/alerts\/tiles\/\d+\/\d+\/\d+\.mvt\?active_only=true&severity=Extreme%2CSevere/);
        return given.route(/\/api\/v1\/alerts\?/, async (route) => {
          const response = await route.fetch();
          const body = (await response.json()) as AlertList;
          const copies = Array.from({ length: 12 }, (_, copy) =>
            body.alerts.map((alert) => ({ ...alert, event_id: `${alert.event_id}-${copy}` })),
          );
          await route.fulfill({ response, json: { ...body, alerts: [...body.alerts, ...copies.flat()] } });
        });
      },
    });
    const tile = (await asked)!;
    expect(await tile.headerValue('authorization')).toBe(`Bearer ${world.member.access_token}`);
    expect([200, 204]).toContain((await tile.response())?.status());
    await page.getByText(/^Drawn as tiles: [12],\d+ alerts are active$/).waitFor();
    expect(page.faults).toEqual([]);
  });
});

test('MAP-01: street tiles come from the configured server, credited, and from nowhere without one', async () => {
  await new Promise<void>((done) => tileServer.listen(0, '127.0.0.1', done));
  const { port } = tileServer.address() as AddressInfo;
  const mapped = await startWorld([tornadoWarning('NEW', Date.now() - 60_000)], {
    MAP_TILES_URL: `http://127.0.0.1:${port}/{z}/{x}/{y}.png`,
    MAP_TILES_ATTRIBUTION: 'Test streets https://tiles.example.org/terms',
  });
  const stage = await createStage({ webgl: true });
  try {
    const page = await stage.visit(mapped, '/map', { as: mapped.member });
    const link = page.getByRole('link', { name: 'Test streets' });
    expect(await link.getAttribute('href')).toBe('https://tiles.example.org/terms');
    await expect.poll(() => asked.length, { timeout: 30_000 }).toBeGreaterThan(0);
    // Zoom 4 of street maps at the centre of the country.
    expect(asked.every((path) => /^\/4\/\d+\/\d+\.png$/.test(path))).toBe(true);
    expect(page.faults.filter((fault) => !fault.startsWith(`asked http://127.0.0.1:${port}/`))).toEqual([]);
  } finally {
    await stage.close();
    await mapped.stop();
  }
});
