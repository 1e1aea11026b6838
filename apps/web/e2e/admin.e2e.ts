import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ask, createStage, judge, type Stage } from './stage.ts';
import { startWorld, type World } from './world.ts';

const PICTURES = resolve(import.meta.dirname, '../test-results');
let stage: Stage;
let world: World;

beforeAll(async () => {
  mkdirSync(PICTURES, { recursive: true });
  stage = await createStage();
  world = await startWorld([]);
});
afterEach(() => stage.clear());
afterAll(async () => {
  await world.stop();
  await stage.close();
});

describe('the admin dashboard', () => {
  test('ADMN-01: welcomes by name, says that the system is online and leads on to users, settings and monitoring', async () => {
    const page = await stage.visit(world, '/admin');
    await page.getByText(/^Welcome back, /).waitFor();
    await page.getByRole('main').getByText('System Online').waitFor();
    for (const name of ['Test Connection', 'Refresh']) await page.getByRole('button', { name, exact: true }).waitFor();
    const links = page.getByRole('navigation', { name: 'Administration' });
    for (const [name, path] of [
      ['User Management', '/admin/users'],
      ['System Settings', '/admin/settings'],
      ['API Usage Monitoring', '/admin/monitoring'],
      ['Audit Log', '/admin/audit'],
    ]) {
      expect(await links.getByRole('link', { name: name as string }).getAttribute('href')).toBe(path);
    }
    expect(page.faults).toEqual([]);
  });

  test('ADMN-04, ADMN-05: the figures of the banner and of the cards are those of the API, with their age', async () => {
    const page = await stage.visit(world, '/admin');
    const { body } = await ask<{ total_users: number; admin_users: number; active_users: number }>(world, '/auth/admin/dashboard');
    expect(body).toMatchObject({ total_users: 2, admin_users: 1, active_users: 2 });
    const cards = page.getByRole('region', { name: 'Figures' });
    await cards.getByText('Total Users').waitFor();
    for (const label of ['Total Users', 'Admin Users', 'New Users', 'Average API Requests']) await cards.getByText(label).waitFor();
    await cards.getByText('2', { exact: true }).first().waitFor();
    const banner = page.getByLabel('Status', { exact: true });
    for (const label of ['Requests today', 'Total users', 'Active users', 'Average API calls', 'New users'])
      await banner.getByText(label).waitFor();
    await page
      .getByRole('main')
      .getByText(/as of \d\d:\d\d:\d\d UTC, \d+ s ago/)
      .waitFor();
  });

  test('ADMN-06, ERR-06: without any use of keys it says so, and the newest accounts are listed', async () => {
    const page = await stage.visit(world, '/admin');
    await page.getByText('No user activity data available').waitFor();
    const recent = page.getByRole('region', { name: 'Recent users' });
    await recent.getByText('ada@example.test').waitFor();
    expect(await recent.getByRole('listitem').count()).toBe(2);
    await page.route('**/auth/admin/users?*', (route) =>
      route.fulfill({ json: { users: [], total: 0, limit: 5, offset: 0, has_more: false } }),
    );
    await page.getByRole('button', { name: 'Refresh', exact: true }).click();
    await recent.getByText('No users registered yet').waitFor();
  });

  test('ADMN-07: the connection test lists health, status, message, admin and user count', async () => {
    const page = await stage.visit(world, '/admin');
    await page.getByRole('button', { name: 'Test Connection' }).click();
    const report = page.getByRole('status').filter({ hasText: 'Connection test successful' });
    await report.waitFor();
    for (const label of ['Health:', 'Status:', 'Message:', 'Admin:', 'Users:']) await report.getByText(label).waitFor();
    expect(await report.getByRole('definition').last().innerText()).toBe('2');
  });

  test('ADMN-07, ADMN-08: what fails in the connection test is told in the words of the specification', async () => {
    const page = await stage.visit(world, '/admin');
    await page.getByRole('main').getByText('System Online').waitFor();
    const button = page.getByRole('button', { name: 'Test Connection' });
    await page.route(`${world.url}/health`, (route) => route.fulfill({ status: 503, json: {} }));
    await button.click();
    await page.getByText('Health check failed: 503').waitFor();
    await page.unroute(`${world.url}/health`);
    await page.route('**/auth/admin/status', (route) => route.fulfill({ status: 403, json: { error: 'access.admin_required' } }));
    await button.click();
    await page.getByText('Access denied! Admin privileges required.').waitFor();
    await page.unroute('**/auth/admin/status');
    await page.route(`${world.url}/health`, (route) => route.abort());
    await button.click();
    await page.getByText('Connection test failed').waitFor();
    await page.getByText('Network error', { exact: true }).waitFor();
    expect(await page.getByText('Connection test successful').count()).toBe(0);
  });

  test('ADMN-02, ADMN-03: a failure is told with hints, unknown figures are no zeros, and Retry Connection recovers', async () => {
    const page = await stage.visit(world, '/weather-alerts');
    await page.route('**/auth/admin/**', (route) =>
      route.fulfill({ status: 400, json: { error: 'x', detail: 'The database is being moved.' } }),
    );
    await page.goto(`${world.url}/admin`);
    const box = page.getByRole('alert').filter({ hasText: 'Backend Connection Issue' });
    await box.getByText('Unable to load dashboard data: The database is being moved.').waitFor();
    await box.getByText('Failed to fetch dashboard statistics').waitFor();
    await box.getByText('Failed to fetch users list').waitFor();
    expect(await page.getByRole('region', { name: 'Figures' }).getByText('not known').count()).toBe(4);
    expect(await page.getByRole('main').getByText('System Online').count()).toBe(0);
    await page.screenshot({ path: join(PICTURES, 'admin-failure.png') });
    await page.unroute('**/auth/admin/**');
    await box.getByRole('button', { name: 'Retry Connection' }).click();
    await page.getByRole('main').getByText('System Online').waitFor();
    expect(await box.count()).toBe(0);
  });

  test('ADMN-02: figures without the total of users are not shown as figures', async () => {
    const page = await stage.visit(world, '/weather-alerts');
    await page.route('**/auth/admin/dashboard', (route) =>
      route.fulfill({
        json: {
          active_users: 1,
          admin_users: 1,
          users_created_last_30_days: 1,
          average_requests_per_user: 0,
          total_api_requests_today: 0,
          requests_today_by_principal: { anonymous: 0, key: 0, session: 0 },
          top_users_by_requests: [],
          active_users_24h: 0,
          generated_at: new Date().toISOString(),
        },
      }),
    );
    await page.goto(`${world.url}/admin`);
    await page.getByText('Backend Connection Issue').waitFor();
    expect(await page.getByRole('region', { name: 'Figures' }).getByText('not known').count()).toBe(4);
  });

  test('ERR-13, ROLE: a 403 is no failure of the server but says that admin access is required', async () => {
    const page = await stage.visit(world, '/weather-alerts');
    await page.route('**/auth/admin/dashboard', (route) => route.fulfill({ status: 403, json: { error: 'access.admin_required' } }));
    await page.goto(`${world.url}/admin`);
    await page.getByText('Admin access required').waitFor();
    expect(await page.getByText('Backend Connection Issue').count()).toBe(0);
  });

  test('a member is led away, and the server refuses the figures by itself', async () => {
    const page = await stage.visit(world, '/admin', { as: world.member });
    await page.waitForURL('**/weather-alerts');
    expect((await ask(world, '/auth/admin/dashboard', { as: world.member })).status).toBe(403);
    expect((await ask(world, '/auth/admin/dashboard', { as: null })).status).toBe(401);
  });

  test('it reads well at every width, in both themes', async () => {
    const page = await stage.visit(world, '/admin');
    const faults = await judge(page, join(PICTURES, 'admin'), async () => {
      await page.getByRole('main').getByText('System Online').waitFor();
      await page.getByText('ada@example.test').waitFor();
    });
    expect(faults).toEqual([]);
  });
});
