import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { seriousFaults, settled, sideways } from './checks.ts';
import { createStage, type Stage } from './stage.ts';
import { startWorld, stormyDay, tornadoWarning, type World } from './world.ts';

const PICTURES = resolve(import.meta.dirname, '../test-results');
let stage: Stage;
let world: World;
const first = tornadoWarning('NEW', Date.now() - 60_000);

beforeAll(async () => {
  mkdirSync(PICTURES, { recursive: true });
  stage = await createStage();
  world = await startWorld([first, ...stormyDay(Date.now())]);
});
afterEach(() => stage.clear());
afterAll(async () => {
  await world.stop();
  await stage.close();
});

type Raw = World['listed'][number];
/** One more Tornado Warning, of another number. */
const another = (number: string, sentMs = Date.now()): Raw =>
  JSON.parse(
    JSON.stringify(tornadoWarning('NEW', sentMs)).replaceAll('.TO.W.0777', `.TO.W.${number}`).replaceAll('e2e.NEW', `e2e.${number}`),
  ) as Raw;
const picture = (page: Page, name: string) => page.screenshot({ path: join(PICTURES, `${name}.png`) });
const feed = (page: Page) => page.locator('section.card').filter({ has: page.getByRole('heading', { name: 'Real-Time Alert Feed' }) });
const timeline = (page: Page) =>
  page.locator('section.card').filter({ has: page.getByRole('heading', { name: 'Interactive Alert Timeline' }) });
const visit = (path = '/advanced-features', options: Parameters<Stage['visit']>[2] = {}) =>
  stage.visit(world, path, { as: world.member, ...options });

describe('the feed', () => {
  const rows = (page: Page) => feed(page).getByRole('region', { name: 'Alerts of the feed' }).getByRole('listitem');
  const counters = (page: Page) => feed(page).getByLabel('Counters of the feed').locator('dd').allInnerTexts();

  test('LIVE-07 to LIVE-14: connects when opened, shows what is issued, pauses, resumes, and is cleared', async () => {
    const page = await visit();
    await feed(page).getByText('Live', { exact: true }).waitFor();
    await feed(page).getByText('Connected: alerts appear here as they are issued.').waitFor();
    await feed(page).getByText('Waiting for real-time alerts...').waitFor();
    expect(await counters(page)).toEqual(['0', '0', '0']);

    world.listed = [another('0801'), ...world.listed];
    await rows(page).first().waitFor();
    const text = await rows(page).first().innerText();
    for (const said of ['Extreme', 'Tornado Warning issued by NWS Norman OK', 'Grady, OK']) expect(text).toContain(said);
    expect(text).toMatch(/\d\d:\d\d:\d\d/);
    expect(await counters(page)).toEqual(['1', '1', '1']);
    expect(await feed(page).getByRole('checkbox', { name: 'Auto-scroll' }).isChecked()).toBe(true);

    await feed(page).getByRole('button', { name: 'Pause' }).click();
    world.listed = [another('0802'), ...world.listed];
    await feed(page).getByText('Feed is paused. 1 new alerts pending.').waitFor();
    expect(await rows(page).count()).toBe(1);
    await feed(page).getByRole('button', { name: 'Resume' }).click();
    await expect.poll(() => rows(page).count()).toBe(2);
    expect(await counters(page)).toEqual(['2', '2', '2']);
    await picture(page, 'feed');
    await feed(page).getByRole('button', { name: 'Clear' }).click();
    await feed(page).getByText('Waiting for real-time alerts...').waitFor();
    expect(await counters(page)).toEqual(['0', '0', '0']);
    expect(page.faults).toEqual([]);
  });

  test('LIVE-08, LIVE-09, LIVE-13: a connection that is refused says so, and Try reconnecting mends it', async () => {
    let refuse = true;
    const page = await visit('/advanced-features', {
      before: (given) =>
        given.routeWebSocket(/\/ws\/alerts/, (socket) => {
          if (refuse) void socket.close({ code: 4403, reason: 'code=live.limit' });
          else socket.connectToServer();
        }),
    });
    await feed(page).getByText('Connection Error').waitFor();
    await feed(page).getByText('Disconnected', { exact: true }).waitFor();
    await feed(page).getByText('Connect to start receiving alerts').waitFor();
    refuse = false;
    await feed(page).getByRole('button', { name: 'Try reconnecting' }).click();
    await feed(page).getByText('Live', { exact: true }).waitFor();
    expect(await feed(page).getByText('Connection Error').count()).toBe(0);
  });
});

describe('the timeline', () => {
  const cursor = (page: Page) => timeline(page).getByLabel('Cursor', { exact: true });
  const slider = (page: Page) => timeline(page).getByRole('slider');
  const ready = async (page: Page) => {
    await slider(page).waitFor();
    await timeline(page)
      .getByText(/in force at .*, as known then/)
      .waitFor();
  };

  test('TIME-04 to TIME-08: the range, its figures, and its markers, which name themselves under the pointer', async () => {
    const page = await visit();
    await ready(page);
    const pressed = async (name: string) => timeline(page).getByRole('button', { name, exact: true }).getAttribute('aria-pressed');
    expect(await Promise.all(['24H', '7D', '30D', 'ALL'].map(pressed))).toEqual(['true', 'false', 'false', 'false']);
    const figure = (label: string) =>
      timeline(page)
        .getByRole('region', { name: 'Figures of the instant' })
        .locator('div.card')
        .filter({ hasText: label })
        .locator('p')
        .nth(1)
        .innerText();
    const listed = Number(
      /^([\d,]+) in force/.exec(
        await timeline(page)
          .getByText(/^[\d,]+ in force at/)
          .first()
          .innerText(),
      )?.[1],
    );
    expect(listed).toBeGreaterThan(50);
    expect(Math.abs(Number(await figure('Visible alerts')) - listed)).toBeLessThan(5);

    // The first warning, in the row of Extreme.
    const box = (await slider(page).boundingBox())!;
    const end = Date.now();
    const share = 1 - (end - Date.parse(first.properties.sent)) / 86_400_000;
    await slider(page).scrollIntoViewIfNeeded();
    const now = (await slider(page).boundingBox())!;
    await page.mouse.move(now.x + share * box.width, now.y + 47);
    const tip = timeline(page).getByRole('tooltip');
    await tip.getByText('Tornado Warning').waitFor();
    await tip.getByText('Grady, OK').waitFor();
    expect(await tip.innerText()).toMatch(/\d\d:\d\d:\d\d UTC/);

    await timeline(page).getByRole('button', { name: 'Extreme', exact: true }).click();
    await page.waitForURL(/on=Severe/);
    await expect.poll(() => figure('Extreme')).toBe('0');
    await timeline(page).getByRole('button', { name: 'ALL', exact: true }).click();
    await page.waitForURL(/range=all/);
    await timeline(page)
      .getByText(/^ALL (begins with the first message of this record|shows the last day)/)
      .waitFor();
    expect(page.faults).toEqual([]);
  });

  test('TIME-07, TIME-09: keys and buttons move the cursor, which stands in the address and comes back from it', async () => {
    const page = await visit();
    await ready(page);
    expect(await slider(page).getAttribute('aria-valuenow')).toBe('100');
    await slider(page).focus();
    await page.keyboard.press('PageDown');
    await page.keyboard.press('ArrowLeft');
    await page.waitForURL(/at=2/);
    expect(await slider(page).getAttribute('aria-valuenow')).toBe('89');
    const said = await cursor(page).innerText();
    await page.reload();
    await slider(page).waitFor();
    expect(await cursor(page).innerText()).toBe(said);
    for (const zoom of ['1.5x', '2x']) {
      await timeline(page).getByRole('button', { name: 'Zoom in', exact: true }).click();
      await timeline(page).getByText(zoom, { exact: true }).waitFor();
    }
    await page.waitForURL(/zoom=2/);
    await timeline(page).getByRole('button', { name: 'Reset to start' }).click();
    await expect.poll(() => slider(page).getAttribute('aria-valuenow')).toBe('0');
    await timeline(page).getByRole('button', { name: 'Skip to end' }).click();
    await page.waitForURL((url) => !url.search.includes('at='));
  });

  test('TIME-10: playing leads to the end and stops there; a click on the bar stops it', async () => {
    const page = await visit();
    await ready(page);
    const play = timeline(page).getByRole('button', { name: 'Play', exact: true });
    await play.click();
    const value = async () => Number(await slider(page).getAttribute('aria-valuenow'));
    // At the end it starts over.
    await expect.poll(value).toBeLessThan(60);
    const box = (await slider(page).boundingBox())!;
    await slider(page).click({ position: { x: box.width / 2, y: 20 } });
    await play.waitFor();
    expect(await value()).toBe(50);
    await play.click();
    await expect.poll(value, { timeout: 30_000 }).toBe(100);
    await play.waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  test('R-23: before the record begins nothing is claimed; a failure is told as one', async () => {
    const before = new Date(Date.now() - 20 * 3_600_000).toISOString().slice(0, 19);
    const page = await visit(`/advanced-features?at=${before}Z`);
    await timeline(page).getByText('The record has a gap at this instant: what was in force then is not known here.').waitFor();
    expect(
      await timeline(page)
        .getByText(/^0 in force/)
        .count(),
    ).toBe(0);
    expect(await timeline(page).getByText('not known').count()).toBeGreaterThan(3);

    const failing = await visit('/advanced-features', { before: (given) => given.route(/\/playback\/timeline/, (route) => route.abort()) });
    await timeline(failing).getByText('Error loading data').waitFor();
    expect(
      await timeline(failing)
        .getByText(/^[\d,]+ in force at/)
        .count(),
    ).toBe(0);
  });
});

test('TIME-01, TIME-02: what is new, where push is set, and how to install on three kinds of device', async () => {
  const page = await visit();
  for (const name of ['Real-Time Alert Feed', "What's New", 'Push notifications', 'Interactive Alert Timeline', 'Install the app'])
    await page.getByRole('heading', { level: 2, name }).waitFor();
  for (const name of [
    'Installable app',
    'Real-time feed',
    'Interactive timeline',
    'Chrome or Edge on a computer',
    'Safari on iPhone and iPad',
    'Chrome on Android',
  ])
    await page.getByRole('heading', { level: 3, name }).waitFor();
  await page.getByText('Choose Add to Home Screen, then Add.').waitFor();
  expect(await page.getByRole('link', { name: 'Open the notification settings' }).getAttribute('href')).toBe('/notifications');
});

test.each([
  ['desktop', {}],
  ['phone', { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, colorScheme: 'dark' as const }],
  ['tablet', { viewport: { width: 1024, height: 768 }, colorScheme: 'dark' as const }],
])('on a %s nothing is cut off, and axe finds nothing serious', async (name, options) => {
  const page = await visit('/advanced-features', options);
  await timeline(page)
    .getByText(/in force at .*, as known then/)
    .waitFor();
  await settled(page);
  expect(await sideways(page)).toBe(0);
  expect(await seriousFaults(page)).toEqual([]);
  await picture(page, `advanced-${name}`);
});
