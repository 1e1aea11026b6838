import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from './browser.ts';
import { leave, visit } from './visit.ts';
import { startWorld, tornadoWarning, type World } from './world.ts';

/** The server as it is delivered: 60 units a minute for an address without a credential. */
describe('pages within the limits of an address', () => {
  let world: World;
  let browser: Browser;
  beforeAll(async () => {
    [world, browser] = await Promise.all([
      startWorld([tornadoWarning('NEW', Date.now() - 60_000)], { LIMITS_FACTOR: '1' }),
      launchBrowser(),
    ]);
  });
  afterAll(async () => {
    await browser.close();
    await world.stop();
  });

  test('R-10: the start page lives within it, also when it is opened five times in a row', async () => {
    const asked: string[] = [];
    const refused: string[] = [];
    let afterOne = 0;
    for (let n = 0; n < 5; n += 1) {
      const page = await visit(browser, world.url, {
        before: async (fresh) =>
          void fresh.on('response', (response) => {
            const { pathname } = new URL(response.url());
            if (pathname.startsWith('/api/')) asked.push(pathname);
            if (response.status() === 429) refused.push(pathname);
          }),
      });
      for (const name of ['System metrics', 'Active alerts by severity', 'A request and its answer'])
        await page.getByRole('region', { name }).waitFor();
      await page.getByText('200 OK').waitFor();
      afterOne ||= asked.length;
      await leave(page);
    }
    expect(refused).toEqual([]);
    console.log(`the start page asks ${afterOne} questions: ${asked.slice(0, afterOne).join(' ')}`);
    expect(afterOne).toBeLessThanOrEqual(12);
  });
});
