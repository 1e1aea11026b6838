import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alertsScreen, dialog, rows, type VisitOptions } from './alerts-screen.ts';
import { seriousFaults, settled, sideways } from './checks.ts';
import { picture } from './visit.ts';
import { startWorld, stormyDay, tornadoWarning, type World } from './world.ts';

const screen = alertsScreen();
let world: World;
const first = tornadoWarning('NEW', Date.now() - 60_000);
beforeAll(async () => {
  world = await startWorld([first, ...stormyDay(Date.now())]);
});
afterAll(() => world.stop());

/** The dashboard as a member sees it, with rows. */
async function visit(path = '/weather-alerts', options: VisitOptions = {}) {
  const page = await screen.visit(world, path, options);
  await rows(page).first().waitFor();
  return page;
}

describe('the popup', () => {
  const grady = '/weather-alerts?event=Tornado+Warning&q=grady';

  test('DETL-01 to DETL-05: a row opens it, and it says everything there is of the alert', async () => {
    const page = await visit(grady);
    await rows(page).first().click();
    const popup = dialog(page);
    await popup.getByRole('heading', { name: 'Tornado Warning' }).waitFor();
    await popup.getByText('TAKE COVER NOW!').waitFor();
    const text = await popup.innerText();
    for (const said of [
      'Extreme',
      'Active',
      'Grady, OK',
      'Tornado Warning issued by NWS Norman OK',
      'a confirmed tornado was located near Chickasha',
      'Safety instructions',
      'Tornado Warning no. 777 of KOUN: new',
    ]) {
      expect(text).toContain(said);
    }
    for (const [name, value] of [
      ['Status', 'Actual'],
      ['Urgency', 'Immediate'],
      ['Certainty', 'Observed'],
      ['Message type', 'Alert'],
    ]) {
      expect(text).toMatch(new RegExp(`${name}\\s+${value}`));
    }
    for (const name of ['Effective', 'Onset', 'Expires \\(this text\\)', 'Issued', 'In force until'])
      expect(text).toMatch(new RegExp(`${name}\\s+\\w{3} \\d\\d:\\d\\d \\w+`));
    const link = popup.getByRole('link', { name: /urn:oid:2\.49\.0\.1\.840\.0\.e2e\.NEW/ });
    expect(await link.getAttribute('href')).toMatch(/^https:\/\/api\.weather\.gov\/alerts\/urn:oid:/);
    expect(text).toMatch(/Last updated: \w{3} \d\d:\d\d/);
    await popup.getByRole('button', { name: 'Close' }).last().click();
    await popup.waitFor({ state: 'detached' });
    expect(page.faults).toEqual([]);
  });

  test('DETL-04: an id without the weather service’s host has no link, whatever it claims', async () => {
    const page = await screen.visit(world);
    await page.route(/\/api\/v1\/alerts\?/, async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { alerts: { source_url: string }[] };
      for (const alert of body.alerts) alert.source_url = 'https://api.weather.gov.example.com/alerts/1';
      await route.fulfill({ response, json: body });
    });
    await page.reload();
    await rows(page).first().click();
    await dialog(page).getByText('Alert ID:').waitFor();
    expect(await dialog(page).locator('a[href*="example.com"]').count()).toBe(0);
  });

  test('DETL-06: Escape closes it, the page does not scroll behind it, and the row has the focus again', async () => {
    const page = await visit();
    await rows(page).nth(3).click();
    await dialog(page).getByRole('article').waitFor();
    const before = await page.evaluate(() => window.scrollY);
    await page.mouse.move(5, 500);
    await page.mouse.wheel(0, 600);
    // Whatever the wheel moved has moved two frames later.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    expect(await page.evaluate(() => window.scrollY)).toBe(before);
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.activeElement?.getAttribute('data-index') === '3');
  });

  test('its address opens it anywhere, Enter opens it, back closes it', async () => {
    const page = await visit(grady);
    await rows(page).first().focus();
    await page.keyboard.press('Enter');
    await dialog(page).getByRole('article').waitFor();
    await page.reload();
    await dialog(page).getByText('TAKE COVER NOW!').waitFor();
    await page.goBack();
    await dialog(page).waitFor({ state: 'detached' });
    expect(page.url()).not.toContain('details');
  });

  test('JSON, CAP and the address can be copied', async () => {
    const page = await visit(grady, { permissions: ['clipboard-read', 'clipboard-write'] });
    await rows(page).first().click();
    const said = dialog(page).getByRole('button', { name: 'Copied' });
    const copied = async (name: string) => {
      const before = await page.evaluate(() => navigator.clipboard.readText());
      await dialog(page).getByRole('button', { name }).click();
      await said.first().waitFor();
      await page.waitForFunction(async (old) => (await navigator.clipboard.readText()) !== old, before);
      return page.evaluate(() => navigator.clipboard.readText());
    };
    expect((JSON.parse(await copied('Copy JSON')) as { event: string }).event).toBe('Tornado Warning');
    expect(await copied('Copy CAP')).toContain('urn:oasis:names:tc:emergency:cap:1.2');
    const link = await copied('Copy link');
    await said.first().waitFor({ state: 'detached' });
    await page.goto(link);
    await dialog(page).getByText('TAKE COVER NOW!').waitFor();
  });

  test('an alert that cannot be loaded is told as that, with a way to try again', async () => {
    const page = await visit('/weather-alerts');
    await page.route(/\/api\/v1\/alerts\/[^?]+/, (route) =>
      route.fulfill({ status: 503, json: { error: 'data.unavailable', detail: 'x' } }),
    );
    await rows(page).first().click();
    await dialog(page).getByRole('alert').first().waitFor({ timeout: 30_000 });
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await dialog(page).getByRole('button', { name: 'Try again' }).click();
    await dialog(page).getByRole('heading', { name: 'Description' }).waitFor();
    expect(await dialog(page).getByText('could not be loaded').count()).toBe(0);
  });

  test.each([
    ['light-1440', { viewport: { width: 1440, height: 900 } }],
    ['dark-1440', { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' }],
    ['light-390', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
  ] as const)('%s: nothing serious for axe, nothing sideways, and a phone is covered whole', async (name, options) => {
    const page = await visit(grady, options);
    await rows(page).first().click();
    await dialog(page).getByText('TAKE COVER NOW!').waitFor();
    await settled(page);
    await picture(page, `details-${name}`);
    expect(await sideways(page)).toBeLessThanOrEqual(0);
    expect(await seriousFaults(page)).toEqual([]);
    const box = await dialog(page).boundingBox();
    const { width, height } = options.viewport;
    expect(box?.width === width && box.height === height).toBe(width < 640);
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
  });

  test('DETL-01: while it is open the alert is cancelled; its revisions say so, and the older one is said to be replaced', async () => {
    const page = await visit(grady);
    await rows(page).first().click();
    await dialog(page).getByText('Active', { exact: true }).waitFor();
    world.listed = [tornadoWarning('CAN', Date.now(), first), ...world.listed.filter(({ id }) => id !== first.id)];
    await dialog(page).getByText('Cancelled', { exact: true }).waitFor();
    const revisions = dialog(page)
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Revisions' }) });
    await revisions.getByRole('button', { name: 'Read this one' }).click();
    await dialog(page).getByText('Replaced', { exact: true }).waitFor();
    expect(await revisions.locator('ol > li').allInnerTexts()).toEqual([
      expect.stringMatching(/^2\. Tornado Warning cancelled[\s\S]*Read this one/),
      expect.stringMatching(/^1\. Tornado Warning issued[\s\S]*shown here/),
    ]);
    await page.goBack();
    await dialog(page).getByText('Cancelled', { exact: true }).waitFor();
  });
});
