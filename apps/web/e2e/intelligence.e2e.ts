import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createStage, judge, type Stage } from './stage.ts';
import { serveRecord } from './trends-record.ts';
import { startWorld, stormyDay, type World } from './world.ts';

const PICTURES = resolve(import.meta.dirname, '../test-results');
const PATHS = ['severity-trends', 'alert-fatigue-analysis', 'historical-patterns'];
let stage: Stage;
let world: World;

beforeAll(async () => {
  mkdirSync(PICTURES, { recursive: true });
  stage = await createStage();
  world = await startWorld(stormyDay(Date.now()));
});
afterEach(() => stage.clear());
afterAll(async () => {
  await world.stop();
  await stage.close();
});

describe('intelligence', () => {
  test('INTL-01 to INTL-04: event type and period stand in the address, and every panel says something or why not', async () => {
    const page = await stage.visit(world, '/intelligence');
    await page
      .getByText(/days covered/)
      .first()
      .waitFor();
    const asked = page.waitForRequest((request) => request.url().includes('severity-trends') && request.url().includes('days_back=30'));
    await page.getByRole('radio', { name: '30d' }).check({ force: true });
    await asked;
    const typed = page.waitForRequest((request) => request.url().includes('historical-patterns') && request.url().includes('Tornado'));
    await page.getByRole('combobox', { name: 'Event type' }).click();
    await page.getByRole('option', { name: 'Tornado Warning' }).click();
    // the toggle drives trends and fatigue; patterns always look back 90 days.
    expect((await typed).url()).toContain('days=90');
    const place = () => Object.fromEntries(new URL(page.url()).searchParams);
    await expect.poll(place).toEqual({ days: '30', event: 'Tornado Warning' });
    await page.reload();
    expect(await page.getByRole('radio', { name: '30d' }).isChecked()).toBe(true);
    for (const title of [
      'Seasonal patterns',
      'Geographic hotspots',
      'Frequency analysis',
      'Alert fatigue analysis',
      'Predictive insights',
      'System recommendations',
    ])
      await page.getByRole('heading', { name: title, exact: true }).waitFor();
    for (const label of ['Escalating Events', 'Stable Events', 'De-escalating Events', 'Alert Density Score'])
      await page.getByText(label, { exact: true }).waitFor();
    expect(page.faults).toEqual([]);
  });

  test('a chart is drawn, is told in words, is a table and leaves as CSV and PNG', async () => {
    const page = await stage.visit(world, '/login', { as: world.member });
    await serveRecord(page, Date.now());
    await page.goto(`${world.url}/intelligence`);
    const chart = page.getByRole('img', { name: /^Severity of new events\. Doughnut chart/ });
    await chart.locator('canvas').first().waitFor();
    const [csv] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Severity of new events: download CSV' }).click(),
    ]);
    const rows = readFileSync(await csv.path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(rows.map((row) => row.split(',')[0]?.replaceAll(/["\uFEFF]/g, ''))).toEqual([
      'Severity',
      'Extreme',
      'Severe',
      'Moderate',
      'Minor',
      'Unknown',
    ]);
    const [png] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Severity of new events: download PNG' }).click(),
    ]);
    expect(
      readFileSync(await png.path())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
    await chart.focus();
    await page.keyboard.press('ArrowRight');
    await page.getByText(/^Extreme: Events /).waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Severity of new events: show as table' }).click();
    expect(await page.getByRole('region', { name: 'Severity of new events, as a table' }).getByRole('row').count()).toBe(6);
    expect(page.faults).toEqual([]);
  });

  test('INTL-05: the machine-learning panel is hidden until asked for, and claims nothing', async () => {
    const page = await stage.visit(world, '/intelligence');
    await page.getByText('Loading may take 30 to 60 seconds.').waitFor();
    await page.getByRole('button', { name: 'Load ML Dashboard' }).click();
    await page.getByText('No model has been trained').waitFor();
    expect(new URL(page.url()).searchParams.get('panel')).toBe('ml');
    await page.getByRole('button', { name: 'Hide ML Dashboard' }).click();
    await page.getByText('No model has been trained').waitFor({ state: 'detached' });
  });

  test('INTL-06: its address opens the panel at once, on the same screen', async () => {
    const page = await stage.visit(world, '/intelligence?panel=ml');
    await page.getByText('No model has been trained').waitFor();
    expect(await page.getByRole('heading', { name: 'Seasonal patterns', exact: true }).count()).toBe(1);
  });

  test('INTL-07: the whole page fails only when all three questions do; one alone leaves the others standing', async () => {
    const page = await stage.visit(world, '/weather-alerts');
    const fail = (path: string) =>
      page.route(`**/intelligence/${path}*`, (route) => route.fulfill({ status: 400, json: { error: 'x', detail: `No ${path} today.` } }));
    await fail('alert-fatigue-analysis');
    await page.goto(`${world.url}/intelligence`);
    await page.getByText('No alert-fatigue-analysis today.').first().waitFor();
    await page
      .getByText(/days covered/)
      .first()
      .waitFor();
    for (const path of PATHS) await fail(path);
    await page.goto(`${world.url}/intelligence`);
    await page.getByText('No severity-trends today.').waitFor();
    expect(await page.getByRole('heading', { name: 'Seasonal patterns' }).count()).toBe(0);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.getByRole('button', { name: 'Retry' }).click();
    await page
      .getByText(/days covered/)
      .first()
      .waitFor();
  });

  test('INTL-03: with a record of years, it reads well at every width, in both themes', async () => {
    const page = await stage.visit(world, '/login', { as: world.member });
    await serveRecord(page, Date.now());
    await page.goto(`${world.url}/intelligence?event=Tornado%20Warning&days=30`);
    const faults = await judge(page, join(PICTURES, 'intelligence'), async () => {
      await page.getByText('0.72').waitFor();
      await page
        .getByRole('img', { name: /^Hour and weekday\. Heatmap/ })
        .locator('canvas')
        .first()
        .waitFor();
    });
    expect(faults).toEqual([]);
    await page.getByText('High (80%)').waitFor();
  });

  test('a record that begins today shows why there is nothing yet, never a zero', async () => {
    const page = await stage.visit(world, '/intelligence', { as: world.member });
    await page.getByText('0 of 8 days covered').first().waitFor();
    const cards = page.getByRole('region', { name: 'Figures' });
    expect(await cards.getByText('not known', { exact: true }).count()).toBe(4);
    expect(await page.getByText('Not enough history', { exact: false }).count()).toBeGreaterThan(4);
  });
});
