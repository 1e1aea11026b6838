import { resolve, join } from 'node:path';
import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { RawFeature } from '../../../tools/nws-sim/src/index.ts';
import { PLACES } from '../src/lib/places.ts';
import { addUser, ask, createStage, type Stage } from './stage.ts';
import { startWorld, tornadoWarning, type World } from './world.ts';
import { CANARY, PAYLOADS } from './xss-payloads.ts';

const PICTURES = resolve(import.meta.dirname, '../test-results');
let stage: Stage;
let world: World;

/** One alert per payload, with the payload wherever the weather service writes text. */
function hostileAlert(payload: string, at: number): RawFeature {
  const base = tornadoWarning('NEW', Date.now() - 60_000 - at * 1000);
  const id = `${base.properties.id}.${at}`;
  const shift = (at % 10) * 0.6;
  const geometry = base.geometry as { type: 'Polygon'; coordinates: number[][][] };
  return {
    ...base,
    id: `https://api.weather.gov/alerts/${id}`,
    geometry: {
      type: 'Polygon',
      coordinates: geometry.coordinates.map((ring) =>
        ring.map(([lon, lat]) => [(lon ?? 0) + shift, (lat ?? 0) + Math.floor(at / 10) * 0.6]),
      ),
    },
    properties: {
      ...base.properties,
      '@id': `https://api.weather.gov/alerts/${id}`,
      id,
      areaDesc: payload,
      senderName: payload,
      event: `Tornado Warning ${payload}`,
      headline: payload,
      description: `${payload}\n\n${payload}`,
      instruction: payload,
      web: `javascript:fetch('${CANARY}')`,
      parameters: { ...base.properties.parameters, VTEC: [], NWSheadline: [payload] },
    },
  } as RawFeature;
}

beforeAll(async () => {
  mkdirSync(PICTURES, { recursive: true });
  stage = await createStage();
  world = await startWorld(PAYLOADS.map(hostileAlert));
  for (const [at, payload] of PAYLOADS.entries()) {
    const text = payload.slice(0, 120).replaceAll('\u0000', '');
    await addUser(world, `xss${String(at).padStart(2, '0')}`, {
      full_name: text,
      organization: text,
      notes: payload.replaceAll('\u0000', ''),
    });
  }
});
afterEach(() => stage.clear());
afterAll(async () => {
  await world.stop();
  await stage.close();
});

interface Watched {
  page: Page;
  /** What ran, what was fetched, and what the policy had to stop: each is a hole. */
  holes: () => Promise<string[]>;
}

/** Scripts that are refused by the policy count as holes too: text must not even become markup. */
async function watch(path: string, as: World['admin'] | null = world.admin): Promise<Watched> {
  const page = await stage.visit(world, '/api/v1/none', { as });
  const heard: string[] = [];
  page.on('dialog', (dialog) => {
    heard.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (request.url().includes(CANARY) || request.url().includes('evil.example')) heard.push(`asked ${request.url()}`);
  });
  await page.addInitScript(() => {
    const list: string[] = [];
    Object.assign(window, { xssHoles: list });
    document.addEventListener('securitypolicyviolation', (event) =>
      list.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`),
    );
  });
  await page.goto(world.url + path);
  return {
    page,
    async holes() {
      const seen = await page.evaluate(() => {
        const { xssHoles, xssRan } = window as unknown as { xssHoles: string[]; xssRan?: unknown };
        return [...xssHoles, ...(xssRan === undefined ? [] : ['a payload ran'])];
      });
      return [...heard, ...seen];
    },
  };
}

describe('E4: text of strangers stays text', () => {
  test('there are sixty different payloads, and the pages come with a policy that runs no inline script', async () => {
    expect(new Set(PAYLOADS).size).toBe(60);
    const policy =
      (await fetch(`${world.url}/weather-alerts`, { headers: { Accept: 'text/html' } })).headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/script-src 'self'(;|$)/);
    for (const rule of ["object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'"]) {
      expect(policy).toContain(rule);
    }
  });

  test('the watch itself notices what it looks for', async () => {
    const { page, holes } = await watch('/weather-alerts');
    await page.getByRole('main').waitFor();
    await page.evaluate((path) => {
      const image = new Image();
      image.src = path;
      const raw = document.createElement('div');
      try {
        raw.innerHTML = '<img src=x onerror=alert(1)>';
      } catch {
        // Refused by Trusted Types, which is what the watch has to have heard.
      }
    }, CANARY);
    await expect.poll(async () => (await holes()).join('\n'), { timeout: 10_000 }).toContain(CANARY);
    expect((await holes()).join('\n')).toMatch(/require-trusted-types-for/);
  });

  test('on every screen of an administrator', { timeout: 180_000 }, async () => {
    const { page, holes } = await watch('/admin');
    for (const { path } of PLACES) {
      await page.goto(world.url + path);
      await page.locator('#main').first().waitFor();
      await page.waitForLoadState('networkidle');
      expect([path, await holes()]).toEqual([path, []]);
    }
  });

  test('on every screen of a visitor', async () => {
    const { page, holes } = await watch('/', null);
    for (const path of ['/', '/login', '/weather-alerts']) {
      await page.goto(world.url + path);
      await page.locator('#main').first().waitFor();
      await page.waitForLoadState('networkidle');
      expect([path, await holes()]).toEqual([path, []]);
    }
  });

  test('in the alert list, its details and the map, alert by alert', { timeout: 180_000 }, async () => {
    const { page, holes } = await watch('/weather-alerts?size=0');
    const rows = page
      .getByRole('grid')
      .getByRole('row')
      .filter({ has: page.getByRole('gridcell') });
    await rows.first().waitFor();
    const { body } = await ask<{ alerts: { event_id: string }[]; total: number }>(world, '/alerts?active_only=true&limit=200');
    expect(body.total).toBe(PAYLOADS.length);
    for (const { event_id: id } of body.alerts) {
      await page.evaluate((event) => {
        const url = new URL(location.href);
        url.searchParams.set('alert', event);
        history.pushState(history.state, '', url);
        dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
      }, id);
      await page
        .getByRole('complementary')
        .or(page.getByRole('article'))
        .first()
        .waitFor({ timeout: 2_000 })
        .catch(() => {});
    }
    await page.screenshot({ path: join(PICTURES, 'xss-alerts.png') });
    expect(await page.getByText('onerror=').count()).toBeGreaterThan(10);
    expect(await holes()).toEqual([]);
  });

  test('in the ticker, alert by alert', async () => {
    const { page, holes } = await watch('/weather-alerts');
    const next = page.getByRole('button', { name: /next alert/i });
    await next.waitFor();
    for (let at = 0; at < PAYLOADS.length; at++) await next.click();
    expect(await holes()).toEqual([]);
  });

  test('in the user list, the forms, the questions and the audit log', { timeout: 180_000 }, async () => {
    const { page, holes } = await watch('/admin/users');
    for (const number of [1, 2, 3]) {
      await page.goto(`${world.url}/admin/users?page=${number}`);
      await page.getByText(`Page ${number} of 3`).waitFor();
      expect([number, await holes()]).toEqual([number, []]);
    }
    for (let at = 0; at < PAYLOADS.length; at += 7) {
      const name = `xss${String(at).padStart(2, '0')}`;
      await page.goto(`${world.url}/admin/users?q=${name}`);
      await page.getByRole('button', { name: `Edit ${name}` }).click();
      await page.getByRole('dialog', { name: 'Edit User' }).waitFor();
      expect([name, await holes()]).toEqual([name, []]);
    }
    await page.goto(`${world.url}/admin/audit?action=user.created`);
    await page.getByText('50 entries shown').waitFor();
    for (const button of await page.getByRole('button', { name: /^Details of/ }).all()) await button.click();
    await page.getByText('onerror=').first().waitFor();
    await page.screenshot({ path: join(PICTURES, 'xss-audit.png') });
    expect(await holes()).toEqual([]);
  });

  test('settings take no text that is script, and what they do take stays text', async () => {
    for (const payload of PAYLOADS) {
      const { etag } = await ask(world, '/auth/admin/settings');
      const body = { notifications: { admin_email: payload, webhook_url: payload }, security: { cors_origins: [payload] } };
      const { status } = await ask(world, '/auth/admin/settings', { method: 'PUT', body, ...(etag ? { ifMatch: etag } : {}) });
      expect([payload, status]).toEqual([payload, 400]);
    }
    const { page, holes } = await watch('/admin/settings?tab=notifications');
    for (const payload of PAYLOADS.slice(0, 12)) {
      await page.getByLabel('Admin email', { exact: true }).fill(payload);
      await page.getByRole('button', { name: 'Save Settings' }).click();
      await page.getByText('Admin email must be one valid address').waitFor();
    }
    expect(await holes()).toEqual([]);
  });
});
