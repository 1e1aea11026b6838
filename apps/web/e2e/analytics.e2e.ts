import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { ask, createStage, judge, type Stage } from './stage.ts';
import { startWorld, stormyDay, type World } from './world.ts';

const PICTURES = resolve(import.meta.dirname, '../test-results');
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const PANELS = [
  'Active users',
  'Usage overview',
  'User rate limits status',
  'System health',
  'User analytics overview',
  'Detailed user activity',
  'API usage patterns',
  'Intelligence analytics',
  'AI recommendations',
  'Performance insights',
  'Performance alerts',
  'Predictive analytics',
  'ML weather intelligence',
];
const NINE_CALLS = [
  '/auth/admin/dashboard',
  '/auth/admin/usage/limits',
  '/analytics/performance',
  '/analytics/errors',
  '/analytics/realtime?minutes_back=60',
  '/analytics/overview',
  '/analytics/users/overview',
  '/analytics/users/detailed?limit=10',
  '/analytics/intelligence/insights',
];
let stage: Stage;
let world: World;

/** So many calls of this path, as a visitor; until they are counted. */
async function call(times: number, path: string): Promise<void> {
  for (let at = 0; at < times; at++) await (await fetch(`${world.url}/api/v1${path}`, { headers: { 'User-Agent': FIREFOX } })).text();
}

async function counted(least: number): Promise<void> {
  const address = `${world.url}/api/v1/analytics/endpoints?limit=200`;
  await vi.waitFor(
    async () => {
      const response = await fetch(address, { headers: { Authorization: `Bearer ${world.admin.access_token}` } });
      const rows = (await response.json()) as { endpoint: string; total_requests: number }[];
      const count = rows.find(({ endpoint }) => endpoint === '/api/v1/alerts/stats')?.total_requests ?? 0;
      if (count < least) throw new Error(`${count} of ${least} calls are counted`);
    },
    { timeout: 30_000, interval: 500 },
  );
}

beforeAll(async () => {
  mkdirSync(PICTURES, { recursive: true });
  stage = await createStage();
  world = await startWorld(stormyDay(Date.now()));
  await call(24, '/alerts/stats');
  await call(3, '/alerts/near?lat=41.5&lon=-93.6');
  await call(5, '/alerts/urn:oid:nothing');
  await counted(24);
});
afterEach(() => stage.clear());
afterAll(async () => {
  await world.stop();
  await stage.close();
});

/** What is wrong with a screen in any of its looks. */
async function faultsIn(path: string, name: string, heading: string): Promise<string[]> {
  const page = await stage.visit(world, path);
  const faults = await judge(page, join(PICTURES, name), async () => {
    await page.getByRole('heading', { name: heading, exact: true }).waitFor();
    await page.locator('canvas').first().waitFor();
  });
  return [...faults, ...page.faults];
}

describe('analytics', () => {
  test('ANLY-01, ANLY-02, ANLY-04, ANLY-05: the dashboard counts what was asked, and a figure leads to its requests', async () => {
    const page = await stage.visit(world, '/dashboard');
    for (const label of ['Total Requests', 'Unique Users by IP', 'Avg Response Time', 'Error Rate'])
      await page.getByText(label, { exact: true }).waitFor();
    for (const label of ['Active IPs (last 5 minutes)', 'Requests per minute']) await page.getByText(label, { exact: true }).waitFor();
    const asked = page.waitForRequest((request) => request.url().includes('/analytics/overview') && request.url().includes('days_back=30'));
    await page.getByRole('radio', { name: '30d' }).check({ force: true });
    await asked;
    expect(new URL(page.url()).searchParams.get('days')).toBe('30');
    // ANLY-04: ten endpoints, drawn and as a table.
    await page.getByRole('button', { name: 'Top endpoints: show as table' }).click();
    await page.getByRole('row', { name: /GET \/alerts\/stats 2\d/ }).waitFor();
    await page.goto(`${world.url}/performance`);
    await page.getByRole('region', { name: 'Error status codes' }).getByRole('link', { name: '404' }).click();
    await page.getByRole('heading', { name: 'Requests: status 404' }).waitFor();
    const requests = page.getByRole('region', { name: 'Requests', exact: true });
    await requests.getByRole('row').nth(5).waitFor();
    for (const row of (await requests.getByRole('row').allInnerTexts()).slice(1)) expect(row).toContain('404');
    await page.goBack();
    await page.getByRole('heading', { name: 'Error trends' }).waitFor();
    expect(page.faults).toEqual([]);
  });

  test('ANLY-03: a refusal of the overview shows that it is for administrators, and nothing invented', async () => {
    const page = await stage.visit(world, '/weather-alerts');
    await page.route('**/analytics/overview*', (route) =>
      route.fulfill({ status: 403, json: { error: 'access.admin_required', detail: 'No.' } }),
    );
    await page.goto(`${world.url}/dashboard`);
    await page.getByText('Admin Only', { exact: true }).waitFor();
    await page.getByText('Admin access required', { exact: true }).waitFor();
    await page.getByText('Charts may require admin access.').waitFor();
    expect(await page.getByText('Total Requests', { exact: true }).count()).toBe(0);
  });

  test('ANLY-10, ANLY-11, ANLY-12: devices, browsers, endpoints and what callers got', async () => {
    const page = await stage.visit(world, '/analytics');
    await page.getByRole('button', { name: 'Top browsers: show as table' }).click();
    await page.getByRole('row', { name: /^Firefox \d+/ }).waitFor();
    for (const label of ['Alerts Served', 'Geographic Queries', 'Time-Filtered Queries'])
      await page.getByText(label, { exact: true }).waitFor();
    await page.getByRole('region', { name: 'Endpoint performance' }).getByRole('link', { name: 'GET /alerts/stats' }).waitFor();
    await page.getByRole('img', { name: /^Daily trends\. Chart with two axes/ }).waitFor();
    const [csv] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Endpoint performance: export CSV' }).click(),
    ]);
    expect(readFileSync(await csv.path(), 'utf8')).toContain('/api/v1/alerts/stats');
    expect(page.faults).toEqual([]);
  });

  test('PERF-01, PERF-02, PERF-03, GEO-01, GEO-02: times, errors and places, each as charts and tables', async () => {
    const page = await stage.visit(world, '/performance');
    for (const label of ['Avg Response Time', 'P95', 'P99', 'Total Errors']) await page.getByText(label, { exact: true }).waitFor();
    for (const chart of ['Hourly performance. Line chart', 'Slowest endpoints. Bar chart', 'Error trends. Chart with two axes'])
      await page.getByRole('img', { name: chart }).waitFor();
    for (const table of ['Error status codes', 'Slowest endpoints', 'Error-prone endpoints'])
      await page.getByRole('region', { name: table, exact: true }).waitFor();
    await page.goto(`${world.url}/geographic`);
    for (const chart of ['Top 10 countries. Bar chart', 'Top 5 countries. Doughnut chart'])
      await page.getByRole('img', { name: chart }).waitFor();
    // Loopback is nowhere: counted as Unknown, never guessed.
    await page.getByRole('row', { name: /^Unknown \d+ 100% / }).waitFor();
    expect(page.faults).toEqual([]);
  });

  test('RTIM-01, RTIM-02, RTIM-04, RTIM-05: the last minutes, asked again by themselves until switched off', async () => {
    const page = await stage.visit(world, '/realtime');
    await page.getByText('Latest', { exact: true }).waitFor();
    const rows = page.getByRole('region', { name: 'Recent activity' }).getByRole('row');
    expect(await rows.count()).toBe(11);
    await page.getByRole('img', { name: 'Top 5 countries. Bar chart' }).waitFor();
    await page.getByRole('img', { name: 'Busiest endpoints. Doughnut chart' }).waitFor();
    await page.waitForResponse((response) => response.url().includes('/analytics/realtime'));
    await page.getByRole('checkbox', { name: 'Auto-refresh' }).uncheck();
    await page.getByRole('radio', { name: '15 min' }).check({ force: true });
    const place = () => Object.fromEntries(new URL(page.url()).searchParams);
    await expect.poll(place).toEqual({ auto: 'off', minutes: '15' });
    await page.reload();
    expect(await page.getByRole('checkbox', { name: 'Auto-refresh' }).isChecked()).toBe(false);
    expect(page.faults).toEqual([]);
  });

  test('RTIM-05, ANLY-04: a minute and a kind of caller lead to the requests they were counted from, and back again', async () => {
    const page = await stage.visit(world, '/realtime?auto=off&principal=anonymous');
    const minutes = page.getByRole('region', { name: 'Recent activity' }).getByRole('row');
    const busy = minutes.filter({ hasText: /^\d\d:\d\d(?:Latest)?[1-9]/ }).first();
    await expect
      .poll(
        async () => {
          await call(3, '/alerts/stats');
          await page.getByRole('button', { name: 'Refresh', exact: true }).click();
          return busy.count();
        },
        { timeout: 20_000, interval: 1_500 },
      )
      .toBe(1);
    const told = Number(/\s(\d+)/.exec((await busy.innerText()).replace('Latest', ''))?.[1]);
    await busy.getByRole('link').click();
    await page.getByRole('heading', { name: /^Requests: \d{4}-\d\d-\d\d \d\d:\d\d UTC, without a key$/ }).waitFor();
    const minute = new URL(page.url()).searchParams.get('minute') ?? '';
    const rows = page.getByRole('region', { name: 'Requests', exact: true }).getByRole('row');
    await rows.nth(Math.min(told, 50)).waitFor();
    for (const row of (await rows.allInnerTexts()).slice(1)) expect(row.replace(/\s+/g, ' ')).toContain(minute.replace('T', ' '));
    await page.goBack();
    await page.getByRole('heading', { name: 'Recent activity' }).waitFor();
    expect(new URL(page.url()).searchParams.get('principal')).toBe('anonymous');
    // A figure of one kind of caller is not explained by the requests of all.
    await page.goto(`${world.url}/performance?principal=anonymous&days=30`);
    await page.getByRole('region', { name: 'Error status codes' }).getByRole('link', { name: '404' }).click();
    await page.getByRole('heading', { name: 'Requests: status 404, without a key' }).waitFor();
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ status: '404', principal: 'anonymous', days: '30' });
    // All of the dashboard is of the kind of caller that is chosen.
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname + new URL(request.url()).search));
    await page.goto(`${world.url}/dashboard?principal=key`);
    await page.getByText('Active IPs (last 5 minutes)', { exact: true }).waitFor();
    const figures = asked.filter((url) => url.includes('/analytics/'));
    expect(figures.length).toBeGreaterThanOrEqual(4);
    expect(figures.filter((url) => !url.includes('principal=key'))).toEqual([]);
    expect(page.faults).toEqual([]);
  });

  test('ANLY-11, PERF-03, GEO-02, RTIM-05, MON-04: on a phone no column of a table lies out of sight', async () => {
    const tables = {
      '/analytics': ['Endpoint performance'],
      '/performance': ['Error status codes', 'Slowest endpoints', 'Error-prone endpoints'],
      '/geographic': ['Countries'],
      '/realtime?auto=off': ['Recent activity'],
      '/admin/monitoring': ['User rate limits', 'Detailed user activity'],
    };
    const page = await stage.visit(world, '/login', { viewport: { width: 390, height: 844 } });
    for (const [path, names] of Object.entries(tables)) {
      await page.goto(world.url + path);
      for (const name of names) {
        const table = page.getByRole('region', { name, exact: true });
        await table.getByRole('row').nth(1).waitFor();
        expect([name, await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)]).toEqual([name, 0]);
      }
    }
    expect(page.faults).toEqual([]);
  });

  test('MON-01, MON-02, MON-04, MON-05, MON-06: nine questions side by side fill the panels of monitoring', async () => {
    const page = await stage.visit(world, '/login');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url().replace(/^.*\/api\/v1/, '')));
    await page.goto(`${world.url}/admin/monitoring`);
    for (const title of PANELS) await page.getByRole('heading', { name: title, exact: true }).waitFor();
    for (const path of NINE_CALLS) expect(asked.filter((each) => each.startsWith(path))).not.toEqual([]);
    // nothing measured, nothing claimed.
    expect(await page.getByText('not measured yet').count()).toBe(8);
    await page.getByRole('link', { name: 'Open Intelligence' }).waitFor();
    await page.getByText('Renewed every 30 seconds', { exact: false }).waitFor();
    expect(page.faults).toEqual([]);
  });

  test('R-27, R-23: monitoring pages through all accounts, and days before the record are gaps with a word', async () => {
    const { total } = (await ask<{ total: number }>(world, '/auth/admin/usage/limits?limit=1')).body;
    for (let n = total; n < 53; n += 1) {
      const body = { username: `many-${n}`, email: `many-${n}@example.org`, google_only: true };
      await ask(world, '/auth/admin/users', { method: 'POST', body });
    }
    const page = await stage.visit(world, '/admin/monitoring');
    await page.getByText('Showing 1 to 50 of 53 results').waitFor();
    await page.getByText('Gap: not recorded').first().waitFor();
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await page.getByText('Showing 51 to 53 of 53 results').waitFor();
    // Three accounts below the head of the table; the page stands in the address.
    const table = page.getByRole('region', { name: 'User rate limits' });
    await vi.waitFor(async () => expect(await table.getByRole('row').count()).toBe(4), { timeout: 10_000 });
    expect(new URL(page.url()).searchParams.get('page')).toBe('2');
    expect(page.faults).toEqual([]);
  });

  test('R-23, ANLY-07, MON-05: what could not be renewed stays, greyed and dated, and "none" is not claimed any more', async () => {
    const page = await stage.visit(world, '/dashboard');
    const panel = (title: string) => page.locator('section', { has: page.getByRole('heading', { name: title, exact: true }) });
    const lose = async (lost: boolean) => {
      await (lost ? page.route('**/api/v1/**', (route) => route.abort()) : page.unroute('**/api/v1/**'));
      await page.getByRole('button', { name: 'Refresh', exact: true }).click();
    };
    await panel('Current alert statistics')
      .getByText(/^as of \d/)
      .waitFor();
    await lose(true);
    await page.getByText('Some figures could not be renewed', { exact: false }).waitFor();
    await panel('Current alert statistics')
      .getByText(/^(Not up to date|We cannot tell right now): as of \d/)
      .waitFor();
    for (const title of ['Request trends', 'Top endpoints', 'Top 5 countries', 'Real-time', 'Current alert statistics'])
      await panel(title).locator('.opacity-60').waitFor();
    await lose(false);
    await panel('Current alert statistics')
      .getByText(/^as of \d/)
      .waitFor();
    await page.goto(`${world.url}/admin/monitoring`);
    await page.getByText('No alert of the system is open.').waitFor();
    await lose(true);
    await panel('Performance alerts').getByText('We cannot tell right now', { exact: false }).waitFor();
    await panel('System health').locator('.opacity-60').waitFor();
    expect(await page.getByText('No alert of the system is open.').count()).toBe(0);
  });

  test('MON-03: monitoring fails as a whole only when every question does', async () => {
    const page = await stage.visit(world, '/weather-alerts');
    const refuse = (pattern: RegExp) =>
      page.route(pattern, (route) => route.fulfill({ status: 400, json: { error: 'x', detail: 'Not today.' } }));
    await refuse(/\/analytics\//);
    await page.goto(`${world.url}/admin/monitoring`);
    await page.getByText('Not today.').first().waitFor();
    await page.getByRole('heading', { name: 'User rate limits status' }).waitFor();
    await refuse(/\/auth\/admin\/(dashboard|usage)/);
    await page.goto(`${world.url}/admin/monitoring`);
    await page.getByText('Failed to load dashboard data').waitFor();
    expect(await page.getByText('Total Users', { exact: true }).count()).toBe(0);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('heading', { name: 'System health' }).waitFor();
  });

  test.each([
    ['/dashboard', 'Request trends'],
    ['/analytics?status=404', 'Endpoint performance'],
    ['/performance', 'Error trends'],
    ['/geographic', 'Countries in detail'],
    ['/realtime', 'Recent activity'],
    ['/admin/monitoring', 'Predictive analytics'],
  ])('%s reads well at every width, in both themes', async (path, heading) => {
    const name = path.replaceAll(/\W+/g, '-');
    expect(await faultsIn(path, `analytics${name}`, heading)).toEqual([]);
  });
});
