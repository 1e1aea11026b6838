import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ask, createStage, judge, type Stage } from './stage.ts';
import { startWorld, type World } from './world.ts';

const PICTURES = resolve(import.meta.dirname, '../test-results');
const SAVED = 'Settings saved successfully! Changes will take effect after system restart.';
const FAILED = 'Failed to save settings. Please try again.';
let stage: Stage;
let world: World;

interface Values {
  system: Record<string, unknown>;
  security: Record<string, unknown>;
  notifications: Record<string, unknown>;
}
const settings = () => ask<Values>(world, '/auth/admin/settings');
/** Saves as somebody else would, on top of what there is. */
async function saveElsewhere(body: unknown): Promise<void> {
  const { etag } = await settings();
  const { status } = await ask(world, '/auth/admin/settings', { method: 'PUT', body, ...(etag ? { ifMatch: etag } : {}) });
  expect(status).toBe(200);
}

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

describe('system settings', () => {
  test('SETT-01, SETT-04, SETT-05, SETT-06: three tabs with the defaults, a save button and the notes', async () => {
    const page = await stage.visit(world, '/admin/settings');
    await page.getByRole('button', { name: 'Save Settings' }).waitFor();
    await page.getByRole('heading', { name: 'Important Notes' }).waitFor();
    const values = async (tab: string, labels: Record<string, string>) => {
      await page.getByRole('tab', { name: tab }).click();
      for (const [label, value] of Object.entries(labels)) {
        expect([label, await page.getByLabel(label, { exact: true }).inputValue()]).toEqual([label, value]);
      }
    };
    await values('System', {
      'Default rate limit': '100',
      'Default daily limit': '10000',
      'Default monthly limit': '100000',
      'Session length': '24',
      'Failed sign-ins before a lock': '5',
      'Length of a lock': '30',
    });
    await values('Security', { 'Minimum password length': '6', 'Allowed origins': '', 'Trusted addresses': '' });
    expect(await page.getByRole('switch', { name: 'Require email verification' }).getAttribute('aria-checked')).toBe('false');
    expect(await page.getByRole('switch', { name: 'Session logging' }).getAttribute('aria-checked')).toBe('true');
    await values('Notifications', { 'Admin email': '', 'Webhook URL': '', 'High error rate': '10', 'Unusual activity': '1000' });
    expect(await page.getByLabel('Webhook URL', { exact: true }).getAttribute('type')).toBe('url');
    expect(new URL(page.url()).searchParams.get('tab')).toBe('notifications');
    await page.reload();
    await page.getByLabel('Webhook URL', { exact: true }).waitFor();
    expect(page.faults).toEqual([]);
  });

  test('SETT-02, SETT-03: saving takes a second, says so in both texts, and is in effect', async () => {
    const page = await stage.visit(world, '/admin/settings');
    await page.getByLabel('Default rate limit', { exact: true }).fill('150');
    await page.getByText('One unsaved change').waitFor();
    const began = Date.now();
    await page.getByRole('button', { name: 'Save Settings' }).click();
    await page.getByRole('button', { name: 'Saving...' }).waitFor();
    await page.getByText(SAVED).waitFor();
    expect(Date.now() - began).toBeGreaterThanOrEqual(1000);
    await page.getByText(/Already in effect, without a restart: Default rate limit\. Nothing waits for a restart\./).waitFor();
    expect((await settings()).body.system['api_rate_limit_default']).toBe(150);
    await page.goto(`${world.url}/admin/users`);
    await page.getByRole('button', { name: 'Add User' }).click();
    await expect.poll(() => page.getByLabel('Rate limit per minute').inputValue(), { timeout: 10_000 }).toBe('150');
    await saveElsewhere({ system: { api_rate_limit_default: 100 } });
  });

  test('SETT-03: a failure is told in its words and loses nothing', async () => {
    const page = await stage.visit(world, '/admin/settings');
    await page.getByLabel('Length of a lock', { exact: true }).fill('45');
    await page.route('**/auth/admin/settings', (route) =>
      route.request().method() === 'PUT' ? route.fulfill({ status: 400, json: { error: 'x', detail: 'Not today.' } }) : route.continue(),
    );
    await page.getByRole('button', { name: 'Save Settings' }).click();
    await page.getByText(FAILED).waitFor();
    await page.getByText('Not today.').waitFor();
    expect(await page.getByLabel('Length of a lock', { exact: true }).inputValue()).toBe('45');
  });

  test('a value outside its bounds is not sent, and the bounds stand beside it', async () => {
    const page = await stage.visit(world, '/admin/settings');
    await page.getByText('Allowed: 3 to 20').waitFor();
    await page.getByText('Takes effect for new sessions').waitFor();
    await page.getByLabel('Failed sign-ins before a lock', { exact: true }).fill('2');
    await page.getByRole('tab', { name: 'Security' }).click();
    await page.getByRole('button', { name: 'Save Settings' }).click();
    // The tab of the refused field comes forward, and the field has the focus.
    await page.getByText('Failed sign-ins before a lock must be between 3 and 20').waitFor();
    const field = page.getByLabel('Failed sign-ins before a lock', { exact: true });
    await expect.poll(() => field.evaluate((node) => node === document.activeElement), { timeout: 10_000 }).toBe(true);
    await page.getByRole('button', { name: 'Reset Failed sign-ins before a lock to the default' }).click();
    expect(await field.inputValue()).toBe('5');
    expect(await page.getByRole('button', { name: 'Save Settings' }).isDisabled()).toBe(true);
  });

  test('what only the server can judge comes back beside its field', async () => {
    const page = await stage.visit(world, '/admin/settings?tab=security');
    await page.getByLabel('Allowed origins', { exact: true }).fill('*');
    await page.getByRole('button', { name: 'Save Settings' }).click();
    await page.getByText(FAILED).waitFor();
    await page.locator('textarea[name="security.cors_origins"][aria-invalid=true]').waitFor();
    await page.screenshot({ path: join(PICTURES, 'settings-refused.png') });
    expect((await settings()).body.security['cors_origins']).toEqual([]);
  });

  test('changed meanwhile: what they changed is shown, my edits are kept, and the second save has both', async () => {
    const page = await stage.visit(world, '/admin/settings');
    await page.getByLabel('Length of a lock', { exact: true }).fill('40');
    await saveElsewhere({ system: { max_failed_login_attempts: 7 } });
    await page.getByRole('button', { name: 'Save Settings' }).click();
    await page.getByText(/Changed meanwhile/).waitFor();
    await page.getByText(/was 5 attempts, is now 7 attempts\./).waitFor();
    expect(await page.getByLabel('Length of a lock', { exact: true }).inputValue()).toBe('40');
    expect(await page.getByLabel('Failed sign-ins before a lock', { exact: true }).inputValue()).toBe('7');
    await page.screenshot({ path: join(PICTURES, 'settings-meanwhile.png') });
    await page.getByRole('button', { name: 'Save Settings' }).click();
    await page.getByText(SAVED).waitFor();
    expect((await settings()).body.system).toMatchObject({ lockout_duration_minutes: 40, max_failed_login_attempts: 7 });
    await saveElsewhere({ system: { lockout_duration_minutes: 30, max_failed_login_attempts: 5 } });
  });

  test('unsaved changes are not lost by leaving without a question', async () => {
    const page = await stage.visit(world, '/admin/settings');
    await page.getByLabel('Session length', { exact: true }).fill('12');
    await page.getByRole('link', { name: 'User Management' }).first().click();
    const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(await page.getByLabel('Session length', { exact: true }).inputValue()).toBe('12');
    await page.getByRole('link', { name: 'User Management' }).first().click();
    await question.getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL('**/admin/users');
    expect((await settings()).body.system['jwt_expiration_hours']).toBe(24);
  });

  test('a test message that cannot be sent says why', async () => {
    const page = await stage.visit(world, '/admin/settings?tab=notifications');
    for (const name of ['Send test email', 'Send test webhook']) {
      await page.getByRole('button', { name }).click();
      await page.getByText(/^Not delivered: .{10,}/).waitFor();
      expect(await page.getByText(/^Delivered/).count()).toBe(0);
    }
  });

  test.each(['system', 'security', 'notifications'])('it reads well at every width, in both themes: %s', async (tab) => {
    const page = await stage.visit(world, `/admin/settings?tab=${tab}`);
    const faults = await judge(page, join(PICTURES, `settings-${tab}`), () =>
      page.getByRole('heading', { name: 'Important Notes' }).waitFor(),
    );
    expect(faults).toEqual([]);
  });
});
