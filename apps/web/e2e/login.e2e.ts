import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from './browser.ts';
import { signIn } from './sign-in.ts';
import { ask } from './stage.ts';
import { seriousFaults, sideways } from './checks.ts';
import { leave, picture, visit } from './visit.ts';
import { startWorld, type World } from './world.ts';

const GOOGLE_SCRIPT = 'https://accounts.google.com/gsi/client';
/** Stands in for Google's script: a button that answers with a credential, or with none. */
const FAKE_GOOGLE = `window.google = { accounts: { id: {
  initialize(options) { window.gsi = options; },
  renderButton(place) {
    const button = document.createElement('button');
    button.textContent = 'Sign in with Google';
    button.onclick = () => window.gsi.callback({ credential: window.noCredential ? undefined : 'credential-of-google' });
    place.append(button);
  } } } };`;
const CONFIG = {
  google: { enabled: true, client_id: 'client-of-tests', mode: 'google' },
  password_enabled: false,
  first_admin_open: false,
  setup_token_required: false,
  nonce: 'nonce-of-tests',
};

describe('the sign-in page', () => {
  let world: World;
  let browser: Browser;
  beforeAll(async () => {
    [world, browser] = await Promise.all([startWorld([]), launchBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await world.stop();
  });

  const box = (page: Page) => page.getByRole('alert').filter({ hasText: 'Authentication Failed' });
  const config = (page: Page, change: object = {}) =>
    page.route('**/auth/config', (route) => route.fulfill({ json: { ...CONFIG, ...change } }));
  const at = (path: string) => `${world.url}${path}`;
  const localSignIn = async (page: Page, name: string, email: string) => {
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('E-mail').fill(email);
    await page.getByRole('button', { name: `Continue as ${name}` }).click();
  };

  test('AUTH-01, AUTH-02, AUTH-03: welcomes by the short name, says who becomes admin, has no password field', async () => {
    const page = await visit(browser, at('/login'));
    await page.getByRole('heading', { level: 1, name: 'Welcome to NWMS' }).waitFor();
    await page.getByText('The first Google user to sign in becomes admin.').waitFor();
    await page.getByText('Development sign-in on this machine.').waitFor();
    expect(await page.locator('input[type="password"]').count()).toBe(0);
    expect(page.faults).toEqual([]);
    await leave(page);
  });

  test.each([
    [1440, 'light'],
    [1024, 'dark'],
    [390, 'light'],
    [390, 'dark'],
  ] as const)('is whole at %i px, %s', async (width, colorScheme) => {
    const page = await visit(browser, at('/login'), { viewport: { width, height: 800 }, colorScheme });
    await page.getByLabel('E-mail').waitFor();
    expect(await sideways(page)).toBeLessThanOrEqual(0);
    expect(await seriousFaults(page)).toEqual([]);
    await picture(page, `login-${width}-${colorScheme}`, true);
    await leave(page);
  });

  test('AUTH-04: says that it checks while the session is checked', async () => {
    const page = await visit(browser, at('/login'), {
      before: async (page) => {
        await signIn(page.context(), world.member);
        await page.route('**/auth/me', () => undefined);
      },
    });
    await page.getByText('Checking authentication...', { exact: true }).waitFor();
    expect(await sideways(page)).toBeLessThanOrEqual(0);
    await leave(page);
  });

  test('AUTH-08, AUTH-09: a sign-in keeps token and user and leads to where one came from', async () => {
    const page = await visit(browser, at('/my-dashboard'));
    await page.waitForURL('**/login');
    await localSignIn(page, 'Lena Local', 'lena@example.test');
    await page.waitForURL('**/my-dashboard');
    const kept = await page.evaluate(() => [localStorage.getItem('auth_token'), localStorage.getItem('auth_user')]);
    expect(kept[0]).toBeTruthy();
    expect(JSON.parse(kept[1] ?? '{}')).toMatchObject({ email: 'lena@example.test' });
    await leave(page);
  });

  test('AUTH-08: members who came from an admin page go to their own home', async () => {
    const page = await visit(browser, at('/admin/users'));
    await page.waitForURL('**/login');
    await localSignIn(page, 'Max Member', 'max@example.test');
    await page.waitForURL('**/weather-alerts');
    expect(await sideways(page)).toBeLessThanOrEqual(0);
    await leave(page);
  });

  test('AUTH-08: who is signed in already is sent on at once, by role', async () => {
    for (const [login, home] of [
      [world.admin, '/admin'],
      [world.member, '/weather-alerts'],
    ] as const) {
      const page = await visit(browser, at('/login'), { before: (page) => signIn(page.context(), login) });
      await page.waitForURL(`**${home}`);
      expect(page.faults).toEqual([]);
      await leave(page);
    }
  });

  test('the local form names what is missing, beside the field, and goes there', async () => {
    const page = await visit(browser, at('/login'));
    await page.getByRole('button', { name: 'Continue as ...' }).click();
    await page.getByText('Enter a name.').waitFor();
    expect(await page.getByLabel('Name').evaluate((input) => input === document.activeElement)).toBe(true);
    await page.getByLabel('Name').fill('Ada');
    await page.keyboard.press('Enter');
    await page.getByText('Enter an e-mail address such as name@example.org.').waitFor();
    await leave(page);
  });

  test('AUTH-05: a refusal shows the words of the server', async () => {
    const page = await visit(browser, at('/login'), {
      before: (page) =>
        page.route('**/auth/google', (route) =>
          route.fulfill({
            status: 401,
            json: { error: 'auth.account_inactive', message: 'Authentication failed', detail: 'This account is inactive.' },
          }),
        ),
    });
    await localSignIn(page, 'Ina Inactive', 'ina@example.test');
    await box(page).getByText('This account is inactive.').waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await picture(page, 'login-refused');
    await leave(page);
  });

  test.each([
    ['AUTH-06: an answer without a user', { status: 200, json: { access_token: 'x' } }, 'Invalid Google login response'],
    ['AUTH-06: an answer without a token', { status: 200, json: { user: { username: 'x' } } }, 'Invalid Google login response'],
    ['AUTH-07: a fallback result', { status: 200, json: { error: 'down', data: null, fallback: true } }, 'Google login failed'],
    ['AUTH-07: a server error', { status: 500, body: '' }, 'Google login failed'],
  ])('%s', async (_name, answer, message) => {
    const page = await visit(browser, at('/login'), { before: (page) => page.route('**/auth/google', (route) => route.fulfill(answer)) });
    await localSignIn(page, 'Ada', 'ada@example.test');
    await box(page).getByText(message, { exact: true }).waitFor();
    expect(await page.evaluate(() => localStorage.getItem('auth_token'))).toBeNull();
    await leave(page);
  });

  test('R-17: a password can be used where that is switched on, behind a link', async () => {
    const page = await visit(browser, at('/login'), {
      before: async (page) => {
        await config(page, { password_enabled: true, google: { enabled: true, client_id: null, mode: 'local' } });
        await page.route('**/auth/login', (route) =>
          route.fulfill({
            status: 429,
            json: { error: 'auth.locked', message: 'Rate limit exceeded', detail: 'Too many wrong tries.', retry_after_seconds: 1800 },
          }),
        );
      },
    });
    await page.getByRole('button', { name: 'Use a password' }).click();
    await page.getByLabel('Username or e-mail').fill('ada');
    await page.getByLabel('Password').fill('not it');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await box(page).getByText('Too many wrong tries.').waitFor();
    await box(page).getByText('Try again in 30 minutes.').waitFor();
    await picture(page, 'login-locked');
    expect(await sideways(page)).toBeLessThanOrEqual(0);
    await leave(page);
  });

  test('a password that an administrator chose opens nothing but the form for another one', async () => {
    const body = { username: 'paula', email: 'paula@example.test', password: 'chosen by somebody else' };
    expect((await ask(world, '/auth/admin/users', { method: 'POST', body })).status).toBe(201);
    const page = await visit(browser, at('/api-keys'));
    await page.waitForURL('**/login');
    await page.getByRole('button', { name: 'Use a password' }).click();
    await page.getByLabel('Username or e-mail').fill('paula');
    await page.getByLabel('Password').fill(body.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Choose your own password' }).waitFor();
    expect(await page.getByRole('navigation').count()).toBe(0);
    expect(await sideways(page)).toBeLessThanOrEqual(0);
    expect(await seriousFaults(page)).toEqual([]);
    await picture(page, 'login-new-password');
    const field = (name: string) => page.getByLabel(name, { exact: true });
    const change = page.getByRole('button', { name: 'Change password' });
    await field('Present password').fill('not it');
    await field('New password').fill('quite my own sentence');
    await field('New password again').fill('quite another');
    await change.click();
    await page.getByText('Passwords do not match').waitFor();
    await field('New password again').fill('quite my own sentence');
    await change.click();
    await page.getByText('The current password is not right.').waitFor();
    expect(await field('Present password').evaluate((input) => input === document.activeElement)).toBe(true);
    await field('Present password').fill(body.password);
    await page.setViewportSize({ width: 390, height: 844 });
    await picture(page, 'login-new-password-390');
    await change.click();
    // The screen that was asked for opens, and the keyboard is in it.
    await page.getByRole('heading', { level: 1, name: 'API Keys' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/api-keys');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main');
    await leave(page);
  });

  test('AUTH-03: the Google button hands over our client and nonce, chooses nobody by itself, and its credential is sent', async () => {
    const sent: unknown[] = [];
    const page = await visit(browser, at('/login'), {
      before: async (page) => {
        await config(page, { setup_token_required: true, first_admin_open: true });
        await page.route(GOOGLE_SCRIPT, (route) => route.fulfill({ contentType: 'text/javascript', body: FAKE_GOOGLE }));
        await page.route('**/auth/google', (route) => {
          sent.push(route.request().postDataJSON());
          return route.fulfill({ json: { access_token: world.member.access_token, user: world.member.user } });
        });
      },
    });
    await page.getByLabel('Setup token').fill('token-of-the-log');
    await page.getByRole('button', { name: 'Sign in with Google' }).click();
    await page.waitForURL('**/weather-alerts');
    expect(sent).toEqual([{ token: 'credential-of-google', setup_token: 'token-of-the-log' }]);
    expect(page.faults).toEqual([`asked ${GOOGLE_SCRIPT}`]);
    // The page after it came as a new document, whose policy lets no other host in.
    expect(await page.evaluate(() => 'google' in window)).toBe(false);
    await leave(page);
  });

  test('AUTH-03: reached by a link, the page gets the policy Google needs, and still knows the way back', async () => {
    const page = await visit(browser, at('/my-dashboard'), {
      before: async (page) => {
        await config(page);
        await page.route(GOOGLE_SCRIPT, (route) => route.fulfill({ contentType: 'text/javascript', body: FAKE_GOOGLE }));
        const login = { access_token: world.member.access_token, user: world.member.user };
        await page.route('**/auth/google', (route) => route.fulfill({ json: login }));
      },
    });
    await page.waitForURL('**/login');
    await page.getByRole('button', { name: 'Sign in with Google' }).waitFor();
    const options = await page.evaluate(() => (window as unknown as { gsi: Record<string, unknown> }).gsi);
    expect(options).toMatchObject({ client_id: 'client-of-tests', nonce: 'nonce-of-tests', auto_select: false, ux_mode: 'popup' });
    await page.getByRole('button', { name: 'Sign in with Google' }).click();
    await page.waitForURL('**/my-dashboard');
    await leave(page);
  });

  test('AUTH-07: Google sign-in that cannot be loaded, or gives no credential, asks to try again', async () => {
    const page = await visit(browser, at('/login'), {
      before: async (page) => {
        await config(page);
        await page.route(GOOGLE_SCRIPT, (route) => route.abort());
      },
    });
    await box(page).getByText('Google Sign-In failed. Please try again.', { exact: true }).waitFor();
    await page.route(GOOGLE_SCRIPT, (route) => route.fulfill({ contentType: 'text/javascript', body: FAKE_GOOGLE }));
    await page.evaluate(() => Object.assign(window, { noCredential: true }));
    await page.getByRole('button', { name: 'Load Google sign-in again' }).click();
    await page.getByRole('button', { name: 'Sign in with Google' }).click();
    await box(page).getByText('Google Sign-In failed. Please try again.', { exact: true }).waitFor();
    expect(await sideways(page)).toBeLessThanOrEqual(0);
    await leave(page);
  });

  test('without the server the page says so and can be asked again', async () => {
    const page = await visit(browser, at('/login'), { before: (page) => page.route('**/auth/config', (route) => route.abort()) });
    await page.getByText('The ways to sign in cannot be loaded right now.').waitFor();
    await page.unroute('**/auth/config');
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByLabel('E-mail').waitFor();
    expect(await sideways(page)).toBeLessThanOrEqual(0);
    await leave(page);
  });
});
