/** What the suites of the administration share: pages of a signed-in administrator, and the same calls without a browser. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { launchBrowser } from './browser.ts';
import { seriousFaults, settled, sideways, watch, type WatchedPage } from './checks.ts';
import { type Login, signIn } from './sign-in.ts';
import type { World } from './world.ts';

type VisitOptions = BrowserContextOptions & { as?: Login | null; before?: (page: Page) => Promise<unknown> };

export interface Stage {
  /** A page of a session, the administrator's unless said; `before` sees it before anything is loaded. */
  visit(world: World, path: string, options?: VisitOptions): Promise<WatchedPage>;
  /** Closes the pages of the test that is over. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

/** `webgl`: see launchBrowser. */
export async function createStage(options: { webgl?: boolean } = {}): Promise<Stage> {
  const browser: Browser = await launchBrowser(options);
  let open: Page[] = [];
  return {
    async visit(world, path, { as = world.admin, before, ...options } = {}) {
      const context = await browser.newContext({
        viewport: { width: 1440, height: 900 },
        colorScheme: 'light',
        serviceWorkers: 'block',
        ...options,
      });
      // Long enough for a busy machine, short enough to say soon what is missing.
      context.setDefaultTimeout(30_000);
      if (as) await signIn(context, as);
      const page = watch(await context.newPage(), world.url);
      open.push(page);
      await before?.(page);
      await page.goto(world.url + path);
      return page;
    },
    async clear() {
      for (const page of open) {
        await page.unrouteAll({ behavior: 'ignoreErrors' });
        await page.context().close();
      }
      open = [];
    },
    close: () => browser.close(),
  };
}

/** One call of the API as this person. */
export async function ask<T = Record<string, unknown>>(
  world: World,
  path: string,
  given: { method?: string; body?: unknown; ifMatch?: string; as?: Login | null } = {},
): Promise<{ status: number; body: T; etag: string | null }> {
  const as = given.as === undefined ? world.admin : given.as;
  const response = await fetch(`${world.url}/api/v1${path}`, {
    method: given.method ?? 'GET',
    headers: {
      ...(as ? { Authorization: `Bearer ${as.access_token}` } : {}),
      ...(given.body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(given.ifMatch ? { 'If-Match': given.ifMatch } : {}),
    },
    ...(given.body === undefined ? {} : { body: JSON.stringify(given.body) }),
  });
  const text = await response.text();
  return { status: response.status, body: (text === '' ? null : JSON.parse(text)) as T, etag: response.headers.get('ETag') };
}

/** Adds an account that signs in with Google only, so that no password is hashed. */
export async function addUser(
  world: World,
  username: string,
  more: Record<string, unknown> = {},
): Promise<{ id: string; username: string }> {
  const body = { username, email: `${username}@example.test`, google_only: true, ...more };
  const made = await ask<{ id: string; username: string }>(world, '/auth/admin/users', { method: 'POST', body });
  if (made.status !== 201) throw new Error(`${username}: ${made.status} ${JSON.stringify(made.body)}`);
  return made.body;
}

/** The three widths and both themes a screen is judged in; the first and the last, which differ in everything, by axe too. */
const LOOKS = [
  { width: 1440, height: 900, colorScheme: 'light' },
  { width: 1440, height: 900, colorScheme: 'dark' },
  { width: 1024, height: 768, colorScheme: 'light' },
  { width: 390, height: 844, colorScheme: 'light' },
  { width: 390, height: 844, colorScheme: 'dark' },
] as const;

/** Faults of a screen that is open, in every look; `ready` waits until it shows what it is for. Pictures of each look are kept. */
export async function judge(page: Page, picture: string, ready: () => Promise<void>): Promise<string[]> {
  const faults: string[] = [];
  for (const [at, { colorScheme, ...viewport }] of LOOKS.entries()) {
    const look = `${viewport.width} ${colorScheme}`;
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await ready();
    await settled(page);
    const over = await sideways(page);
    if (over > 0) faults.push(`${look}: ${over} px to the side`);
    if (at === 0 || at === LOOKS.length - 1) faults.push(...(await seriousFaults(page)).map((fault) => `${look}: ${fault}`));
    await page.screenshot({ path: `${picture}-${look.replace(' ', '-')}.png` });
  }
  return faults;
}
