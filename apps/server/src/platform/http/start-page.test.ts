import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { fakeClock } from '@nwms/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '../log.ts';
import { createHttpServer } from './server.ts';
import { loadWebFiles, mountWebFiles, pageFallback } from './web-files.ts';

describe('what search engines and shared links are told', () => {
  const dir = mkdtempSync(join(tmpdir(), 'nwms-start-'));
  beforeAll(() => {
    writeFileSync(join(dir, 'index.html'), '<!doctype html><title>any screen</title><div id="root"></div>');
    writeFileSync(join(dir, 'start-simulated.html'), '<!doctype html><title>start</title><p>Simulated weather</p>');
    writeFileSync(
      join(dir, 'start.html'),
      '<!doctype html><title>start</title><link rel="canonical" href="https://origin.invalid/" /><meta property="og:url" content="https://origin.invalid/" /><meta property="og:image" content="https://origin.invalid/og.png" />',
    );
    writeFileSync(join(dir, 'robots.txt'), 'User-agent: *\n');
  });
  afterAll(() => rmSync(dir, { recursive: true }));
  const ask = async (publicUrl: string | null, url: string, accept = 'text/html', encoding = 'identity', simulated = false) => {
    const files = loadWebFiles(dir, { publicUrl, simulated });
    const page = pageFallback(files);
    const app = await createHttpServer({
      clock: fakeClock(0),
      log: silentLog,
      corsOrigins: () => [],
      trustedProxies: [],
      secure: false,
      page,
    });
    mountWebFiles(app, files);
    const answer = await app.inject({ url, headers: { accept, 'accept-encoding': encoding } });
    await app.close();
    return answer;
  };
  const SITE = 'https://alerts.example.org';

  test('the start page names its own address and picture in full', async () => {
    const { body } = await ask(SITE, '/');
    expect(body).toContain(`<link rel="canonical" href="${SITE}/" />`);
    expect(body).toContain(`property="og:url" content="${SITE}/"`);
    expect(body).toContain(`property="og:image" content="${SITE}/og.png"`);
    const packed = await ask(SITE, '/', 'text/html', 'gzip');
    expect(gunzipSync(packed.rawPayload).toString()).toBe(body);
  });

  test('without a public address nothing made up is named', async () => {
    const { body } = await ask(null, '/');
    expect(body).not.toContain('origin.invalid');
    expect(body).not.toMatch(/canonical|og:url/);
    expect(body).toContain('content="/og.png"');
    expect((await ask(null, '/sitemap.xml', '*/*')).statusCode).toBe(404);
    expect((await ask(null, '/robots.txt', '*/*')).body).not.toContain('Sitemap');
  });

  test('other screens do not come with the start page, and it has one address', async () => {
    expect((await ask(SITE, '/weather-alerts')).body).toContain('any screen');
    expect((await ask(SITE, '/start.html')).statusCode).toBe(404);
  });

  test('documents of simulated weather say so from their first frame, and no other documents do', async () => {
    const [exercise, real] = await Promise.all([true, false].map((simulated) => ask(SITE, '/', 'text/html', 'identity', simulated)));
    expect(exercise?.body).toContain('Simulated weather');
    expect(real?.body).not.toContain('imulated');
    expect(exercise?.headers.etag).not.toBe(real?.headers.etag);
    const screens = await Promise.all([true, false].map((simulated) => ask(SITE, '/map', 'text/html', 'identity', simulated)));
    expect(screens.map(({ body }) => body.includes('<div id="root" data-simulated>'))).toEqual([true, false]);
    expect(screens[0]?.headers.etag).not.toBe(screens[1]?.headers.etag);
    for (const simulated of [true, false]) {
      expect((await ask(SITE, '/start-simulated.html', '*/*', 'identity', simulated)).statusCode).toBe(404);
    }
  });

  test('the site map lists what is public, and robots.txt leads to it', async () => {
    const map = await ask(SITE, '/sitemap.xml', '*/*');
    expect(map.headers['content-type']).toBe('application/xml');
    expect([...map.body.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, loc]) => loc)).toEqual([`${SITE}/`, `${SITE}/docs`]);
    expect((await ask(SITE, '/robots.txt', '*/*')).body).toContain(`Sitemap: ${SITE}/sitemap.xml`);
  });
});
