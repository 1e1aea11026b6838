/** Pages of nobody, or of a session that `before` gives them. */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { watch, type WatchedPage } from './checks.ts';

const PICTURES = resolve(import.meta.dirname, '../test-results');

/** A page of its own session; `before` sees it before anything is loaded. */
export async function visit(
  browser: Browser,
  url: string,
  options: BrowserContextOptions & { before?: (page: Page) => Promise<unknown> } = {},
): Promise<WatchedPage> {
  const { before, ...contextOptions } = options;
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    colorScheme: 'light',
    serviceWorkers: 'block',
    ...contextOptions,
  });
  const page = watch(await context.newPage(), url);
  if (before) await before(page);
  await page.goto(url);
  return page;
}

export async function leave(page: Page): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.context().close();
}

export async function picture(page: Page, name: string, fullPage = false): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage });
}
