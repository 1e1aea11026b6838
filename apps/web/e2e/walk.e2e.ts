import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Place, PLACES } from '../src/lib/places.ts';
import { launchBrowser } from './browser.ts';
import { seriousFaults, settled, sideways } from './checks.ts';
import { type Login, logIn, MEMBER, signIn } from './sign-in.ts';
import { startWorld, stormyDay, type World } from './world.ts';

const PICTURES = resolve(import.meta.dirname, '../test-results/walk');
/** Every route in every look takes minutes; each route in one look, in turn, is the everyday walk. */
// oxlint-disable-next-line node/no-process-env -- a switch of the tests
const ALL = process.env['E2E_ALL_LOOKS'] === '1';
const LOOKS: readonly [string, BrowserContextOptions][] = [
  ['light-1440', { viewport: { width: 1440, height: 900 }, colorScheme: 'light' }],
  ['dark-1024', { viewport: { width: 1024, height: 768 }, colorScheme: 'dark' }],
  ['light-390', { viewport: { width: 390, height: 844 }, colorScheme: 'light', hasTouch: true, isMobile: true }],
  ['dark-1440', { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' }],
  ['light-1024', { viewport: { width: 1024, height: 768 }, colorScheme: 'light' }],
  ['dark-390', { viewport: { width: 390, height: 844 }, colorScheme: 'dark', hasTouch: true, isMobile: true }],
];
const places: readonly Place[] = PLACES;

let browser: Browser;
let world: World;
let contexts: BrowserContext[] = [];
beforeAll(async () => {
  mkdirSync(PICTURES, { recursive: true });
  browser = await launchBrowser();
  world = await startWorld(stormyDay(Date.now()));
});
afterEach(async () => {
  for (const context of contexts) await context.close();
  contexts = [];
});
afterAll(async () => {
  await browser.close();
  await world.stop();
});

async function contextOf(login: Login | null, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    colorScheme: 'light',
    serviceWorkers: 'block',
    ...options,
  });
  contexts.push(context);
  if (login) await signIn(context, login);
  return context;
}
async function open(login: Login | null, path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await (await contextOf(login, options)).newPage();
  await page.goto(world.url + path);
  return page;
}
const at = (page: Page, path: string) => page.waitForURL((url) => url.pathname === path);
const remembered = (page: Page) => page.evaluate(() => (history.state as { from?: string } | null)?.from ?? null);

describe('who gets where', () => {
  test('ROLE-03: a visitor is led from every guarded route to the sign-in, and the way back is remembered', async () => {
    const page = await open(null, '/');
    for (const { path } of places.filter(({ audience }) => audience !== 'visitor')) {
      await page.goto(`${world.url}${path}?q=x`);
      await at(page, '/login');
      expect(await remembered(page)).toBe(`${path}?q=x`);
    }
  });

  test('ROLE-04, ROLE-07: a member is led home from every route of administrators and sees none of their entries', async () => {
    const page = await open(world.member, '/weather-alerts');
    for (const { path } of places.filter(({ audience }) => audience === 'admin')) {
      await page.goto(world.url + path);
      await at(page, '/weather-alerts');
    }
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    expect(await page.getByText('Administration').count()).toBe(0);
  });

  test('ROLE-08: a program needs no account for alerts, a developer finds the reference, a member alerts, an administrator people and use', async () => {
    const asked = await fetch(`${world.url}/api/v1/alerts?active_only=true&limit=1`);
    expect(((await asked.json()) as { alerts: unknown[] }).alerts).toHaveLength(1);
    const visitor = await open(null, '/');
    await visitor.getByRole('link', { name: 'API documentation' }).first().click();
    await at(visitor, '/docs');
    await visitor.getByText('/alerts/near').first().waitFor();
    const member = await open(world.member, '/weather-alerts');
    await member.getByRole('grid').getByRole('row').nth(1).waitFor();
    const admin = await open(world.admin, '/admin');
    const links = admin.getByRole('navigation', { name: 'Administration' });
    for (const name of ['User Management', 'API Usage Monitoring']) await links.getByRole('link', { name }).waitFor();
  });

  test('AUTH-08: a signed-in user who opens the sign-in goes to their own home', async () => {
    const admin = await open(world.admin, '/login');
    await at(admin, '/admin');
    const member = await open(world.member, '/login');
    await at(member, '/weather-alerts');
    expect([admin.url(), member.url()]).toEqual([`${world.url}/admin`, `${world.url}/weather-alerts`]);
  });
});

describe('SHELL-10, SHELL-11: every screen opens, is titled, fits and is accessible', () => {
  const walks = places.flatMap((place, index) =>
    (ALL ? LOOKS : [LOOKS[index % LOOKS.length] ?? LOOKS[0]!]).map((look) => ({ place, look })),
  );
  test.each(walks.map(({ place, look: [name, options] }) => [place.path, name, place, options] as const))(
    '%s in %s',
    async (path, name, place, options) => {
      const page = await open(place.audience === 'visitor' ? null : world.admin, path, options);
      await page.locator('#main').waitFor();
      await page.locator('h1').first().waitFor();
      expect(await page.title()).toContain(place.title);
      const heading = await page.locator('h1').first().textContent();
      // The start page and the sign-in speak for themselves; every other screen is headed by its title.
      expect(place.audience === 'visitor' ? place.title : heading).toBe(place.title);
      await settled(page);
      await page.screenshot({ path: join(PICTURES, `${path === '/' ? 'landing' : path.slice(1).replaceAll('/', '-')}-${name}.png`) });
      expect(await sideways(page)).toBeLessThanOrEqual(0);
      expect(await seriousFaults(page)).toEqual([]);
    },
  );

  test('an address that is none says so', async () => {
    const page = await open(null, '/nowhere');
    await page.getByText('There is no such page').waitFor();
    expect(await page.title()).toBe('Page not found · NWMS');
  });
});

describe('the frame', () => {
  const entries = (page: Page) => page.getByRole('navigation', { name: 'Main' }).getByRole('link').allTextContents();

  test('SHELL-01, SHELL-02, SHELL-03, SHELL-04: the sidebar by role, with role and limit', async () => {
    const main = [
      'My Dashboard',
      'Weather Alerts',
      'AI Weather Insights',
      'Weather Intelligence',
      'Weather Map',
      'Intelligence',
      'API Keys',
    ];
    const member = await open(world.member, '/weather-alerts');
    await member.getByText('100/min').waitFor();
    expect(await entries(member)).toEqual(main);
    await member.getByText('User', { exact: true }).waitFor();
    const admin = await open(world.admin, '/dashboard');
    await admin.getByText('Admin', { exact: true }).waitFor();
    const all = await entries(admin);
    expect(all.slice(0, 11)).toEqual([...main, 'Dashboard', 'Analytics', 'Performance', 'Real-time & Geographic']);
    expect(all.filter((entry) => ['Admin Dashboard', 'User Management', 'System Settings'].includes(entry))).toHaveLength(3);
    await admin.getByRole('heading', { name: 'Analytics & Reports' }).waitFor();
    await admin.getByRole('heading', { name: 'Administration' }).waitFor();
  });

  test('SHELL-02: one entry is highlighted, the exact one', async () => {
    const page = await open(world.admin, '/admin/users');
    const current = page.getByRole('navigation', { name: 'Main' }).locator('[aria-current=page]');
    await current.waitFor();
    expect(await current.allTextContents()).toEqual(['User Management']);
    await page.goto(`${world.url}/dashboard`);
    await current.waitFor();
    expect(await current.allTextContents()).toEqual(['Dashboard']);
  });

  test('SHELL-05: the header is titled and shows healthy only for a health that is', async () => {
    const page = await open(world.member, '/weather-alerts');
    await page.getByText('NWMS Analytics Dashboard').waitFor();
    await page.getByRole('banner').getByText('Healthy', { exact: true }).waitFor();
    const other = await (await contextOf(world.member)).newPage();
    await other.route('**/api/v1/health', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ json: { ...((await response.json()) as object), status: 'degraded' } });
    });
    await other.goto(`${world.url}/weather-alerts`);
    await other.getByRole('banner').getByText('Issues', { exact: true }).waitFor();
    expect(await other.getByRole('banner').getByText('Healthy', { exact: true }).count()).toBe(0);
  });

  test('SHELL-06, UNIT-01: units and theme are chosen in the settings and outlive a reload', async () => {
    const page = await open(world.member, '/my-dashboard');
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('group', { name: 'Unit System' }).waitFor();
    expect(await page.getByLabel('Metric').isChecked()).toBe(true);
    await page.getByText('°C, km/h, mm').waitFor();
    await page.getByText('Your preference is saved').waitFor();
    await page.getByText('°F, mph, in').click();
    await page.getByText('Dark', { exact: true }).click();
    await page.screenshot({ path: join(PICTURES, 'settings.png') });
    expect(await seriousFaults(page)).toEqual([]);
    expect(await page.evaluate(() => localStorage.getItem('unitSystem'))).toBe('imperial');
    await page.keyboard.press('Escape');
    await page.getByRole('group', { name: 'Unit System' }).waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Settings');
    await page.reload();
    await page.getByRole('button', { name: 'Settings' }).click();
    expect(await page.getByLabel('Imperial').isChecked()).toBe(true);
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
  });

  test('SHELL-07: the account shows who it is and signs out; on a phone it stands in the slide-over', async () => {
    const own = await logIn(world.url, MEMBER);
    const page = await open(own, '/map');
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByText(MEMBER.email).waitFor();
    await page.getByRole('link', { name: 'Notifications' }).waitFor();
    await page.screenshot({ path: join(PICTURES, 'account.png') });
    await page.getByRole('button', { name: 'Sign out' }).click();
    await at(page, '/login');
    // Whoever signed out meant to leave: the next person starts at their own home.
    expect(await remembered(page)).toBeNull();
    expect(await page.evaluate(() => [localStorage.getItem('auth_token'), localStorage.getItem('auth_user')])).toEqual([null, null]);
    const after = await fetch(`${world.url}/api/v1/auth/me`, { headers: { Authorization: `Bearer ${own.access_token}` } });
    expect(after.status).toBe(401);

    const phone = await open(world.admin, '/my-dashboard', LOOKS[2]?.[1]);
    await phone.getByRole('button', { name: 'Menu' }).click();
    await phone.getByRole('dialog').getByText(world.admin.user.username, { exact: true }).waitFor();
    await settled(phone);
    await phone.screenshot({ path: join(PICTURES, 'slide-over.png') });
    expect(await seriousFaults(phone)).toEqual([]);
    await phone.getByRole('link', { name: 'API Keys' }).click();
    await at(phone, '/api-keys');
    await phone.getByRole('dialog').waitFor({ state: 'detached' });
  });

  test('SHELL-08: the ticker stands at the bottom of every page but the sign-in', async () => {
    const page = await open(null, '/');
    await page.getByRole('region', { name: /alert/i }).last().waitFor();
    const height = () =>
      page.evaluate(() => getComputedStyle(document.querySelector('#root > div')!).getPropertyValue('--ticker-height').trim());
    expect(await height()).not.toBe('0px');
    await page.goto(`${world.url}/login`);
    await page.locator('h1').waitFor();
    expect(await height()).toBe('0px');
  });

  test('the keyboard alone: skip link, palette, shortcuts; Escape leads back', async () => {
    const page = await open(world.admin, '/my-dashboard');
    await page.locator('h1').waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the content');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('api k');
    await page.getByRole('option', { name: 'API Keys' }).waitFor();
    await page.screenshot({ path: join(PICTURES, 'palette.png') });
    expect(await seriousFaults(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await at(page, '/api-keys');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('warning');
    await page
      .getByRole('option', { name: /Warning/ })
      .first()
      .click();
    await page.getByRole('article').waitFor();
    expect(page.url()).toContain('/weather-alerts?alert=');
    await page.locator('#main').focus();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // Focus goes back once the window is gone, a frame later.
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main');
  });

  test('back, forward and reload restore the screen', async () => {
    const page = await open(world.admin, '/my-dashboard');
    await page.getByRole('link', { name: 'Weather Map' }).click();
    await at(page, '/map');
    await page.getByRole('link', { name: 'User Management' }).click();
    await at(page, '/admin/users');
    await page.goBack();
    await at(page, '/map');
    await page.goForward();
    await at(page, '/admin/users');
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'User Management' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/admin/users');
  });
});

describe('sessions', () => {
  test('a session ended in another tab is over here, with a word about it', async () => {
    const context = await contextOf(await logIn(world.url, MEMBER));
    const [one, two] = [await context.newPage(), await context.newPage()];
    await one.goto(`${world.url}/api-keys`);
    await one.locator('h1').waitFor();
    await two.goto(`${world.url}/map`);
    await two.getByRole('button', { name: /^Account of/ }).click();
    await two.getByRole('button', { name: 'Sign out' }).click();
    await at(one, '/login');
    await one.getByText('You signed out in another tab.').waitFor();
    expect(await remembered(one)).toBe('/api-keys');
  });

  test('a session that the server ended leads to the sign-in once, and back after it', async () => {
    const own = await logIn(world.url, MEMBER);
    const page = await open(own, '/weather-alerts');
    await page.getByRole('grid').waitFor();
    const out = { method: 'POST', headers: { Authorization: `Bearer ${own.access_token}` } };
    expect((await fetch(`${world.url}/api/v1/auth/logout`, out)).status).toBe(204);
    // The live connection or a poll may find out before the click does; the page then leaves under it.
    await Promise.race([
      at(page, '/login'),
      page
        .getByRole('button', { name: 'Refresh', exact: true })
        .click()
        .then(() => at(page, '/login')),
    ]);
    await page.getByText('Your session has ended. Please sign in again.').waitFor();
    expect(await remembered(page)).toBe('/weather-alerts');
  });

  test('AUTH-11: a server that is down at the start keeps the token, and the page goes on by itself', async () => {
    const page = await (await contextOf(world.member)).newPage();
    await page.route('**/api/v1/auth/me', (route) => route.abort());
    await page.goto(`${world.url}/map`);
    await at(page, '/login');
    await page.getByText('Connection error - please check your internet connection').waitFor();
    expect(await page.evaluate(() => localStorage.getItem('auth_token'))).toBe(world.member.access_token);
    await page.unroute('**/api/v1/auth/me');
    await at(page, '/map');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Weather Alerts Map');
  });

  test('a 403 never ends the session', async () => {
    const page = await (await contextOf(world.member)).newPage();
    await page.route('**/api/v1/alerts?*', (route) =>
      route.fulfill({ status: 403, json: { error: 'access.admin_required', detail: 'no' } }),
    );
    const refused = page.waitForResponse((response) => response.status() === 403);
    await page.goto(`${world.url}/weather-alerts`);
    await refused;
    // What the list refused the live feed brings: the page stays, with alerts, and with its session.
    await page.getByRole('grid').getByRole('row').nth(1).waitFor();
    expect(new URL(page.url()).pathname).toBe('/weather-alerts');
    expect(await page.evaluate(() => localStorage.getItem('auth_token'))).toBe(world.member.access_token);
  });
});

describe('when a screen breaks', () => {
  test('ERR-01, ERR-02, ERR-03: it says so, offers three new attempts and a reload, and is reported', async () => {
    const page = await (await contextOf(world.member)).newPage();
    // A user whose role is no text breaks the frame itself.
    await page.route('**/api/v1/auth/me', (route) => route.fulfill({ json: { ...world.member.user, role: 7 } }));
    const reported = page.waitForRequest('**/api/v1/client-errors');
    await page.goto(`${world.url}/api-keys`);
    await page.getByRole('heading', { name: 'Something went wrong' }).waitFor();
    await page.screenshot({ path: join(PICTURES, 'broken.png') });
    expect(await seriousFaults(page)).toEqual([]);
    for (let n = 0; n < 3; n += 1) await page.getByRole('button', { name: `Try Again (${n}/3)` }).click();
    await page.getByRole('button', { name: 'Reload Page' }).waitFor();
    expect(await page.getByRole('button', { name: /Try Again/ }).count()).toBe(0);
    const report = (await reported).postDataJSON() as { errors: { kind: string; page: string; message: string }[] };
    expect(report.errors[0]).toMatchObject({ kind: 'boundary', page: '/api-keys' });
  });
});
