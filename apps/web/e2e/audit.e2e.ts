import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { seriousFaults } from './checks.ts';
import { addUser, ask, createStage, judge, type Stage } from './stage.ts';
import { startWorld, type World } from './world.ts';

const PICTURES = resolve(import.meta.dirname, '../test-results');
let stage: Stage;
let world: World;

beforeAll(async () => {
  mkdirSync(PICTURES, { recursive: true });
  stage = await createStage();
  world = await startWorld([]);
  for (let at = 0; at < 60; at++) await addUser(world, `person${at}`);
  const target = await addUser(world, 'berta');
  await ask(world, `/auth/admin/users/${target.id}`, { method: 'PUT', body: { organization: 'Harbour', role: 'admin' } });
  await ask(world, `/auth/admin/users/${world.admin.user.id}`, { method: 'DELETE' });
});
afterEach(() => stage.clear());
afterAll(async () => {
  await world.stop();
  await stage.close();
});

const SHOWN = /(\d+) entries shown, (there are older ones|no older ones)/;

describe('the audit log', () => {
  test('an entry opens to the values before and after, and leads to what it speaks of', async () => {
    const page = await stage.visit(world, '/admin/audit?action=user.updated');
    const entry = page.getByRole('listitem').filter({ hasText: 'changed user berta' }).first();
    await entry.getByText('2 changes').waitFor();
    await entry.getByRole('button', { name: /^Details of/ }).click();
    const changes = entry.getByRole('table', { name: 'Changes' });
    expect((await changes.getByRole('row').allInnerTexts()).map((text) => text.split(/\s+/))).toEqual(
      expect.arrayContaining([
        ['organization', 'empty', 'Harbour'],
        ['role', 'user', 'admin'],
      ]),
    );
    expect(await seriousFaults(page)).toEqual([]);
    await page.screenshot({ path: join(PICTURES, 'audit-open.png') });
    await entry.getByRole('link', { name: 'berta' }).click();
    await page.getByRole('button', { name: 'Edit berta' }).waitFor();
    expect(page.faults).toEqual([]);
  });

  test('R-44: what was refused is written down too, with the reason in words', async () => {
    const page = await stage.visit(world, '/admin/audit');
    await page.getByRole('combobox', { name: 'Outcome' }).click();
    await page.getByRole('option', { name: 'Refused' }).click();
    const entry = page.getByRole('listitem').filter({ hasText: 'deleted user' }).first();
    await entry.getByText('Refused').waitFor();
    await entry.getByRole('button', { name: /^Details of/ }).click();
    await entry.getByText('own account').waitFor();
    expect(new URL(page.url()).searchParams.get('outcome')).toBe('refused');
  });

  test('older entries follow page by page, none twice and none left out', async () => {
    const page = await stage.visit(world, '/admin/audit?action=user.created');
    await page.getByText(SHOWN).waitFor();
    await page.getByText('50 entries shown, there are older ones').waitFor();
    await page.getByRole('button', { name: 'Show older entries' }).click();
    await page.getByText(/no older ones/).waitFor();
    const names = await page.getByRole('listitem').getByRole('link').allInnerTexts();
    const created = [...Array.from({ length: 60 }, (_, at) => `person${at}`), 'berta'];
    expect(created.filter((name) => !names.includes(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });

  test('filters by who and by what stand in the address and survive a reload', async () => {
    const page = await stage.visit(world, '/admin/audit');
    await page.getByLabel('What it was done to').fill('berta');
    await expect.poll(() => new URL(page.url()).searchParams.get('target'), { timeout: 10_000 }).toBe('berta');
    await page.getByRole('listitem').filter({ hasText: 'created user berta' }).waitFor();
    await page.reload();
    await page.getByRole('listitem').filter({ hasText: 'created user berta' }).waitFor();
    expect(await page.getByRole('listitem').filter({ hasText: 'person' }).count()).toBe(0);
    await page.getByLabel('Who').fill('nobody');
    await page.getByText('No entry matches these filters').waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByText('50 entries shown').waitFor();
  });

  test('the export has every matching entry with its changes', async () => {
    const page = await stage.visit(world, '/admin/audit?action=user.updated');
    await page.getByText('changed user').first().waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export the matching entries as CSV' }).click(),
    ]);
    const text = readFileSync(await file.path(), 'utf8');
    expect(text).toContain('organization: empty -> Harbour');
    expect(text.split('\r\n')[0]).toContain('"id","at","actor_type"');
  });

  test('a log that cannot be asked says so and recovers', async () => {
    const page = await stage.visit(world, '/weather-alerts');
    await page.route('**/auth/admin/audit*', (route) => route.fulfill({ status: 400, json: { error: 'x', detail: 'Not today.' } }));
    await page.goto(`${world.url}/admin/audit`);
    await page.getByText('Error loading data').waitFor();
    await page.getByText('Not today.').waitFor();
    expect(await page.getByRole('listitem').filter({ hasText: 'created user' }).count()).toBe(0);
    await page.unroute('**/auth/admin/audit*');
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('50 entries shown').waitFor();
  });

  test('it reads well at every width, in both themes', async () => {
    const page = await stage.visit(world, '/admin/audit');
    const faults = await judge(page, join(PICTURES, 'audit'), () => page.getByText('50 entries shown').waitFor());
    expect(faults).toEqual([]);
  });
});
