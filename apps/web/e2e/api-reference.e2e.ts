import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { WatchedPage } from './checks.ts';
import { ask, createStage, judge, type Stage } from './stage.ts';
import { startWorld, stormyDay, type World } from './world.ts';

const PICTURES = resolve(import.meta.dirname, '../test-results');
let stage: Stage;
let world: World;
beforeAll(async () => {
  mkdirSync(PICTURES, { recursive: true });
  stage = await createStage();
  world = await startWorld(stormyDay(Date.now()).slice(0, 30));
});
afterEach(() => stage.clear());
afterAll(async () => {
  await world.stop();
  await stage.close();
});

const visit = (path: string, before?: (page: WatchedPage) => Promise<unknown>) =>
  stage.visit(world, path, { as: world.member, ...(before ? { before: (page) => before(page as WatchedPage) } : {}) });

describe('the reference', () => {
  test('DOCS-01, DOCS-02: an endpoint with code in every language, by a link that can be sent', async () => {
    const page = await visit('/api-keys?tab=reference');
    await page.getByRole('heading', { name: 'Quick start' }).waitFor();
    await page.getByRole('link', { name: 'Alerts', exact: true }).click();
    await page.getByRole('button', { name: /GET \/alerts\/near/ }).click();
    await page.getByRole('tab', { name: 'Python' }).click();
    await page.getByText('urllib.request.Request').waitFor();
    const link = page.url();
    expect(Object.fromEntries(new URL(link).searchParams)).toMatchObject({ section: 'alerts', op: 'alertsNear', lang: 'python' });
    await page.goto(link);
    await page.getByText('urllib.request.Request').waitFor();
    for (const name of ['cURL', 'JavaScript', 'Node', 'SDK']) {
      await page.getByRole('tab', { name, exact: true }).click();
      await page
        .getByLabel(`${name} example`, { exact: true })
        .getByText(/41\.59/)
        .waitFor();
    }
    expect(page.faults).toEqual([]);
  });

  test('DOCS-09: the example of an error is what the server answers', async () => {
    const page = await visit('/api-keys?tab=reference&section=errors');
    const shown = JSON.parse(await page.getByLabel('Example of an error', { exact: true }).innerText()) as Record<string, unknown>;
    const real = (await (await fetch(`${world.url}/api/v1/alerts?state=IA`)).json()) as Record<string, unknown>;
    const { request_id: id, timestamp: at, ...said } = shown;
    expect([/^req_[a-z2-7]{20}$/.test(String(id)), Number.isFinite(Date.parse(String(at)))]).toEqual([true, true]);
    expect({ ...said, request_id: real['request_id'], timestamp: real['timestamp'] }).toEqual(real);
  });

  test('a request is tried with the session, with a pasted key, and refused in words', async () => {
    const { body: key } = await ask<{ api_key: string }>(world, '/api-keys', {
      method: 'POST',
      body: { description: 'Tried' },
      as: world.member,
    });
    const page = await visit('/api-keys?tab=reference&section=statistics&op=severityTrends');
    await page.getByRole('button', { name: 'Send request' }).click();
    const answer = page.getByRole('region', { name: 'Answer', exact: true });
    await answer.getByText(/^200/).or(answer.getByText(/^503/)).waitFor();
    await page.getByText('An API key', { exact: true }).click();
    // Nothing goes out without the key that was meant to go along.
    await page.getByRole('button', { name: 'Send request' }).click();
    await page.getByText('Paste an API key first.').waitFor();
    await page.getByLabel('API key', { exact: true }).fill('schlüssel');
    await page.getByRole('button', { name: 'Send request' }).click();
    await page.getByText('This is no API key').waitFor();
    await page.getByLabel('API key', { exact: true }).fill(key.api_key);
    await page.getByLabel(/^days_back/).fill('1000');
    await page.getByRole('button', { name: 'Send request' }).click();
    await answer.getByText(/^400/).waitFor();
    await answer.getByText('request.invalid', { exact: false }).first().waitFor();
    const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
    expect(kept).not.toContain(key.api_key);
    expect(page.url()).not.toContain(key.api_key);
  });

  test('DOCS-03, DOCS-04: what needs special access is locked, what is for administrators is theirs', async () => {
    const page = await visit('/api-keys?tab=reference');
    for (const [name, size] of [
      ['AI-Powered Weather Insights', 5],
      ['Weather Intelligence', 6],
      ['Machine Learning Predictions', 3],
    ] as const) {
      await page
        .getByRole('navigation', { name: 'Sections of the reference' })
        .getByRole('link', { name: new RegExp(`^${name}`) })
        .click();
      await page.getByRole('heading', { name: `${name} (${size} endpoints)` }).waitFor();
      await page.getByText('Contact admin for access').waitFor();
    }
    expect(await page.getByRole('link', { name: 'Analytics & Monitoring' }).count()).toBe(0);
    const admins = await stage.visit(world, '/api-keys?tab=reference&section=ai');
    await admins.getByText('/ai-insights/alert-summary').waitFor();
    await admins.getByRole('link', { name: 'Analytics & Monitoring' }).click();
    await admins.getByText('/analytics/overview').waitFor();
  });

  test('is searched by path, word and parameter', async () => {
    const page = await visit('/api-keys?tab=reference');
    await page.getByLabel('Search the reference').fill('radius_km');
    await page.getByRole('button', { name: /GET \/alerts\/near/ }).waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('radius_km');
    await page.getByLabel('Search the reference').fill('nothing like this');
    await page.getByText('No endpoint matches').waitFor();
  });

  test('a document that cannot be read says so and recovers', async () => {
    const page = await visit('/api-keys?tab=reference', (one) =>
      one.route('**/openapi.json', (route) => route.fulfill({ status: 400, json: { error: 'x', detail: 'Not today.' } })),
    );
    await page.getByText('Not today.').waitFor();
    expect(await page.getByRole('heading', { name: 'Quick start' }).count()).toBe(0);
    await page.unroute('**/openapi.json');
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('heading', { name: 'Quick start' }).waitFor();
  });

  test('it reads well at every width, in both themes', async () => {
    const page = await visit('/api-keys?tab=reference&section=alerts&op=listAlerts');
    expect(await judge(page, join(PICTURES, 'reference'), () => page.getByRole('button', { name: 'Send request' }).waitFor())).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${world.url}/api-keys?tab=reference&section=troubleshooting`);
    expect(
      await judge(page, join(PICTURES, 'reference-guide'), () => page.getByRole('heading', { name: 'Troubleshooting' }).waitFor()),
    ).toEqual([]);
  });
});
