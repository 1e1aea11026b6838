import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { seriousFaults, sideways } from './checks.ts';
import { createStage, type Stage } from './stage.ts';
import { picture } from './visit.ts';
import { startWorld, stormyDay, tornadoWarning, type World } from './world.ts';

let stage: Stage;
let world: World;
beforeAll(async () => {
  stage = await createStage();
  world = await startWorld([tornadoWarning('NEW', Date.now() - 60_000), ...stormyDay(Date.now())]);
});
afterEach(() => stage.clear());
afterAll(async () => {
  await stage.close();
  await world.stop();
});

const visit = (path: string, options: Parameters<Stage['visit']>[2] = {}) =>
  stage.visit(world, path, { as: world.member, serviceWorkers: 'allow', ...options });
const rows = (page: Page) =>
  page
    .getByRole('grid')
    .getByRole('row')
    .filter({ has: page.getByRole('gridcell') });
/** Until the worker answers for this page. */
const controlled = (page: Page) => page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
const lastKnown = (page: Page) => page.getByRole('region', { name: 'Last known alerts' });

/** The page has its worker, and what it heard of the weather is kept. */
async function prepared(): Promise<Page> {
  const page = await visit('/weather-alerts');
  await rows(page).first().waitFor();
  await controlled(page);
  const isKept = () => page.evaluate(async () => (await caches.match('/kept/active-alerts')) !== undefined);
  await expect.poll(isKept, { timeout: 30_000 }).toBe(true);
  return page;
}

describe('the installed application', () => {
  test('BOOT-01: can be installed: a manifest with icons of the sizes it names, and a worker for everything', async () => {
    const page = await visit('/weather-alerts');
    await controlled(page);
    expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.scope)).toBe(`${world.url}/`);
    const manifest = (await (await fetch(`${world.url}/manifest.webmanifest`)).json()) as {
      icons: { src: string; sizes: string; type: string; purpose: string }[];
      shortcuts: { url: string }[];
    };
    for (const { src, sizes, type } of manifest.icons.filter((icon) => icon.type === 'image/png')) {
      const answer = await fetch(world.url + src);
      expect([src, answer.status, answer.headers.get('content-type')]).toEqual([src, 200, type]);
      const header = Buffer.from(await answer.arrayBuffer()).subarray(16, 24);
      expect([src, `${header.readUInt32BE(0)}x${header.readUInt32BE(4)}`]).toEqual([src, sizes]);
    }
    expect(manifest.icons.some(({ purpose }) => purpose === 'maskable')).toBe(true);
    const session = await page.context().newCDPSession(page);
    const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
    // Sessions of tests are private ones; nothing else stands in the way. A browser without windows installs nothing and judges nothing.
    const { product } = await session.send('Browser.getVersion');
    expect(installabilityErrors.map(({ errorId }) => errorId)).toEqual(product.startsWith('HeadlessChrome') ? [] : ['in-incognito']);
    expect(page.faults).toEqual([]);
  });

  test('without a server it starts with the last known alerts, dated, and goes on by itself when there is one again', async () => {
    const page = await prepared();
    await world.end();
    await page.reload();
    await lastKnown(page).getByText('Tornado Warning').first().waitFor();
    await lastKnown(page)
      .getByText(/^As of \w{3} \d\d:\d\d \w+, \d+ (s|min) old\. Not the present weather\.$/)
      .waitFor();
    await page.getByText('Connection error - please check your internet connection').waitFor();
    expect(await page.getByText(/All Clear|No weather alerts found|No alert is in force/).count()).toBe(0);
    // What is data is never answered from what was kept.
    expect(await page.evaluate(() => fetch('/api/v1/alerts').then(String, () => 'no answer'))).toBe('no answer');
    expect(await seriousFaults(page)).toEqual([]);
    await picture(page, 'offline-start', true);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await sideways(page)).toBeLessThanOrEqual(0);
    await picture(page, 'offline-start-390', true);
    await world.begin();
    await page.waitForURL('**/weather-alerts', { timeout: 90_000 });
    await rows(page).first().waitFor();
    expect(await lastKnown(page).count()).toBe(0);
  });

  test('an empty list that was kept is told as that, and not as calm weather', async () => {
    const page = await prepared();
    await page.evaluate(async () => {
      const cache = await caches.open('nwms-last-known');
      const known = (await (await cache.match('/kept/active-alerts'))?.json()) as object;
      await cache.put('/kept/active-alerts', new Response(JSON.stringify({ ...known, alerts: [] })));
    });
    await page.context().setOffline(true);
    await page.goto(`${world.url}/`);
    await lastKnown(page).getByText('That list had no alerts in it. Whether there are any now cannot be told').waitFor();
    await page.getByText('You are offline').waitFor();
    // The bar had data before: no samples.
    await page.getByText('No alert of the last good data is still in force. We cannot tell right now.').waitFor({ timeout: 60_000 });
    expect(await page.getByText('Sample', { exact: true }).count()).toBe(0);
    expect(await page.getByText(/All Clear|No alert is in force/).count()).toBe(0);
    await picture(page, 'offline-empty');
  });
});

/** The same site on an origin of its own, whose worker is another version as soon as `version` is raised. */
async function versionedSite(): Promise<{ url: string; raise: () => void; close: () => void }> {
  const target = new URL(world.url);
  let version = 1;
  const server: Server = createServer((asked, answer) => {
    const passed = request(
      {
        host: target.hostname,
        port: target.port,
        path: asked.url,
        method: asked.method,
        headers: { ...asked.headers, 'accept-encoding': 'identity' },
      },
      (from) => {
        const isWorker = asked.url === '/sw.js';
        const headers = { ...from.headers };
        if (isWorker) for (const name of ['content-length', 'etag']) delete headers[name];
        answer.writeHead(from.statusCode ?? 502, headers);
        from.pipe(answer, { end: !isWorker });
        if (isWorker) from.on('end', () => answer.end(`\n// ${version}`));
      },
    );
    passed.on('error', () => answer.destroy());
    asked.pipe(passed);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    raise: () => (version += 1),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

test('BOOT-02: a new version is told as an event and in sight, and takes over when the reader says so', async () => {
  const site = await versionedSite();
  try {
    const page = await stage.visit({ ...world, url: site.url }, '/', { as: null, serviceWorkers: 'allow' });
    await controlled(page);
    await page.evaluate(() => window.addEventListener('sw-update-available', () => Object.assign(window, { heard: true }), { once: true }));
    site.raise();
    await page.evaluate(async () => void (await (await navigator.serviceWorker.getRegistration())?.update()));
    await page.getByText('A new version of this page is ready.').waitFor();
    expect(await page.evaluate(() => 'heard' in window)).toBe(true);
    await picture(page, 'update-ready');
    await page.getByRole('button', { name: 'Reload to update' }).click();
    await page.waitForFunction(() => !('heard' in window));
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.getByText('A new version of this page is ready.').count()).toBe(0);
    expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting ?? null)).toBeNull();
  } finally {
    site.close();
  }
});
