import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { seriousFaults, type WatchedPage } from './checks.ts';
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
  stage.visit(world, path, {
    as: world.member,
    permissions: ['clipboard-read', 'clipboard-write'],
    ...(before ? { before: (page) => before(page as WatchedPage) } : {}),
  });
interface Issued {
  id: string;
  api_key: string;
  is_active: boolean;
}
const make = async (description: string): Promise<Issued> => {
  const made = await ask<Issued>(world, '/api-keys', { method: 'POST', body: { description }, as: world.member });
  expect(made.status).toBe(201);
  return made.body;
};
const askWith = (key: string) => fetch(`${world.url}/api/v1/limits`, { headers: { 'X-API-Key': key } });
const panel = (page: WatchedPage) => page.getByRole('region', { name: 'Your new API key' });
const card = (page: WatchedPage, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) });
const remove = async () => {
  const { body } = await ask<Issued[]>(world, '/api-keys', { as: world.member });
  for (const { id } of body) await ask(world, `/api-keys/${id}`, { method: 'DELETE', as: world.member });
};

describe('the keys of a member', () => {
  test('KEY-03, KEY-04, KEY-06: made with a description, shown once, copied, and it works', async () => {
    await remove();
    const page = await visit('/api-keys');
    await page.getByText('No API keys yet').waitFor();
    await page.getByRole('button', { name: 'Create API key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByText('Please enter a description for the API key').waitFor();
    await dialog.getByLabel('Requests per minute').fill('101');
    await dialog.getByLabel('Description').fill('  Storm dashboard ');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByText('Your account has 100; a key cannot have more').waitFor();
    await dialog.getByLabel('Requests per minute').fill('50');
    await dialog.getByText('90 days').click();
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await panel(page).waitFor();
    const secret = await panel(page).locator('code').innerText();
    expect(secret).toMatch(/^nws_[0-9A-Za-z]{49}$/);
    await panel(page).getByRole('button', { name: 'Copy the API key' }).click();
    await panel(page).getByText('Copied!').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
    await panel(page).getByText('Copied!').waitFor({ state: 'detached' });
    await panel(page)
      .getByText(/Shown while you are here/)
      .waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await page.screenshot({ path: join(PICTURES, 'api-keys-shown.png') });
    expect((await askWith(secret)).status).toBe(200);
    await panel(page).getByRole('button', { name: 'I have saved it' }).click();
    await panel(page).waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(secret);
    await card(page, 'Storm dashboard').getByText('Active', { exact: true }).waitFor();
    await page.reload();
    await card(page, 'Storm dashboard').getByText(secret.slice(0, 12)).waitFor();
    expect(await page.content()).not.toContain(secret);
    expect(page.faults).toEqual([]);
  });

  test('R-45: the key goes when its time is over, and its time stands still under the pointer', async () => {
    await remove();
    const page = await visit('/api-keys', (one) => one.clock.install());
    await page.getByRole('button', { name: 'Create API key' }).click();
    await page.getByRole('dialog').getByLabel('Description').fill('Short');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    await panel(page).waitFor();
    await panel(page).getByRole('button', { name: 'Show for longer' }).hover();
    await panel(page)
      .getByText(/Shown while you are here/)
      .waitFor();
    await page.clock.runFor(120_000);
    expect(await panel(page).count()).toBe(1);
    await panel(page).getByRole('button', { name: 'Show for longer' }).click();
    expect(await panel(page).getByRole('button', { name: 'Show for longer' }).isDisabled()).toBe(true);
    await page.getByRole('tab', { name: 'API keys' }).focus();
    await page.mouse.move(2, 2);
    await panel(page)
      .getByText(/Shown for \d+ s/)
      .waitFor();
    await page.clock.runFor(61_000);
    await panel(page).waitFor({ state: 'detached' });
  });

  test('KEY-05: a refresh asks first; the old key works on only as long as was chosen', async () => {
    await remove();
    const old = await make('Refreshed');
    const page = await visit('/api-keys');
    await card(page, 'Refreshed').getByRole('button', { name: 'Refresh Refreshed' }).click();
    const question = page.getByRole('alertdialog', { name: 'Refresh the API key "Refreshed"?' });
    await question.getByText('stops working at once').waitFor();
    await question.getByText('1 hour').click();
    await question.getByRole('button', { name: 'Refresh key' }).click();
    const second = await panel(page).locator('code').innerText();
    expect([(await askWith(old.api_key)).status, (await askWith(second)).status]).toEqual([200, 200]);
    await card(page, 'Refreshed')
      .getByText(/The key before it/)
      .waitFor();
    await card(page, 'Refreshed').getByRole('button', { name: 'Refresh Refreshed' }).click();
    await question.getByRole('button', { name: 'Refresh key' }).click();
    await expect.poll(() => panel(page).locator('code').innerText()).not.toBe(second);
    const third = await panel(page).locator('code').innerText();
    expect([(await askWith(old.api_key)).status, (await askWith(second)).status, (await askWith(third)).status]).toEqual([401, 401, 200]);
  });

  test('switched off, edited, looked at and deleted by its name', async () => {
    await remove();
    const key = await make('Worker');
    await askWith(key.api_key);
    await fetch(`${world.url}/api/v1/alerts/stats`, { headers: { 'X-API-Key': key.api_key } });
    const page = await visit('/api-keys');
    await card(page, 'Worker').getByRole('button', { name: 'Deactivate Worker' }).click();
    await card(page, 'Worker').getByText('Inactive').waitFor();
    expect((await askWith(key.api_key)).status).toBe(401);
    await card(page, 'Worker').getByRole('button', { name: 'Activate Worker' }).click();
    await card(page, 'Worker').getByText('Active', { exact: true }).waitFor();
    await card(page, 'Worker').getByRole('button', { name: 'Edit Worker' }).click();
    await page.getByRole('dialog').getByLabel('Description').fill('Night worker');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await card(page, 'Night worker').getByRole('button', { name: 'Usage Night worker' }).click();
    await page.getByRole('dialog').getByText('GET /alerts/stats').waitFor();
    expect(new URL(page.url()).searchParams.get('key')).toBe(key.id);
    await page.screenshot({ path: join(PICTURES, 'api-keys-usage.png') });
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await card(page, 'Night worker').getByRole('button', { name: 'Delete Night worker' }).click();
    const question = page.getByRole('alertdialog', { name: 'Delete the API key "Night worker"?' });
    await question.getByText('This cannot be taken back.').waitFor();
    await question.getByRole('button', { name: 'Delete key' }).click();
    await page.getByText('No API keys yet').waitFor();
    expect((await askWith(key.api_key)).status).toBe(401);
  });

  test('KEY-10 to KEY-13: failures say what failed, and Retry loads the page again', async () => {
    await remove();
    await make('Kept');
    const page = await visit('/api-keys', (one) =>
      one.route('**/api/v1/api-keys', (route) => route.fulfill({ status: 403, json: { error: 'x', message: 'No', detail: 'No.' } })),
    );
    await page.getByText('Access denied. You may not have permission to view API keys.').waitFor();
    await page.getByText('403').waitFor();
    await page.getByText(`${world.url}/api/v1/api-keys`).waitFor();
    await page.screenshot({ path: join(PICTURES, 'api-keys-refused.png') });
    await page.unroute('**/api/v1/api-keys');
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Retry' }).click()]);
    await card(page, 'Kept').waitFor();
    await page.route('**/api/v1/api-keys/*', (route) =>
      route.fulfill({ status: 400, json: { error: 'x', message: 'No', detail: 'Not today.' } }),
    );
    await card(page, 'Kept').getByRole('button', { name: 'Delete Kept' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete key' }).click();
    await page.getByRole('alertdialog').getByText('Failed to delete API key: Not today.').waitFor();
    expect((await ask<Issued[]>(world, '/api-keys', { as: world.member })).body).toHaveLength(1);
  });

  test('by keyboard: what is typed first has the focus, and what was deleted leaves it in a place that is there', async () => {
    await remove();
    await make('Short-lived');
    const page = await visit('/api-keys');
    await card(page, 'Short-lived').waitFor();
    const create = page.getByRole('button', { name: 'Create API key' });
    await create.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    const focused = (name: string) => page.evaluate((wanted) => document.activeElement?.getAttribute('name') === wanted, name);
    await expect.poll(() => focused('description')).toBe(true);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => create.evaluate((one) => one === document.activeElement)).toBe(true);
    await card(page, 'Short-lived').getByRole('button', { name: 'Delete Short-lived' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('alertdialog').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('No API keys yet').waitFor();
    await expect.poll(() => create.evaluate((one) => one === document.activeElement)).toBe(true);
  });

  test('KEY-04, R-45: a new key is in sight and at hand wherever it was asked for; its time runs until somebody uses it', async () => {
    await remove();
    for (let n = 0; n < 10; n += 1) await make(`Program ${n}`);
    const page = await visit('/api-keys');
    /** Nothing lies over its beginning, the bar at the top least of all. */
    const isSeen = (what: ReturnType<WatchedPage['getByText']>) =>
      what.evaluate((one) => {
        const { left, top } = one.getBoundingClientRect();
        return one.contains(document.elementFromPoint(left + 5, top + 5));
      });
    await card(page, 'Program 0').getByRole('button', { name: 'Refresh Program 0' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Refresh key' }).focus();
    await page.keyboard.press('Enter');
    await panel(page).waitFor();
    await expect.poll(() => panel(page).evaluate((one) => one === document.activeElement)).toBe(true);
    await expect.poll(() => isSeen(panel(page).getByRole('heading'))).toBe(true);
    await panel(page)
      .getByText(/Shown for \d+ s/)
      .waitFor();
    await page.keyboard.press('Tab');
    await panel(page)
      .getByText(/Shown while you are here/)
      .waitFor();
    await page.keyboard.press('Enter');
    await panel(page).getByText('Copied!').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await panel(page).locator('code').innerText());
    await panel(page).getByRole('button', { name: 'I have saved it' }).focus();
    await page.keyboard.press('Enter');
    await panel(page).waitFor({ state: 'detached' });
    const create = page.getByRole('button', { name: 'Create API key' });
    await expect.poll(() => create.evaluate((one) => one === document.activeElement)).toBe(true);
    // What fails far below is told where it is seen.
    await page.route('**/api/v1/api-keys/*', (route) =>
      route.fulfill({ status: 400, json: { error: 'x', message: 'No', detail: 'Not today.' } }),
    );
    await card(page, 'Program 0').getByRole('button', { name: 'Deactivate Program 0' }).click();
    const told = page.getByText('Failed to update API key: Not today.');
    await told.waitFor();
    await expect.poll(() => isSeen(told)).toBe(true);
  });

  test('KEY-05: whose new secret would not work is told so before', async () => {
    await remove();
    const key = await make('Sleeper');
    await ask(world, `/api-keys/${key.id}`, { method: 'PATCH', body: { is_active: false }, as: world.member });
    const page = await visit('/api-keys');
    await card(page, 'Sleeper').getByRole('button', { name: 'Refresh Sleeper' }).click();
    await page.getByRole('alertdialog').getByText('This key is switched off: the new one works when you activate it.').waitFor();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Refresh key' }).click();
    const secret = await panel(page).locator('code').innerText();
    expect((await askWith(secret)).status).toBe(401);
  });

  test('KEY-13: what failed before is not told beside the key that came of the second try', async () => {
    await remove();
    const page = await visit('/api-keys');
    // Its answer is lost twice: the secret in it with it.
    let posts = 0;
    await page.route('**/api/v1/api-keys', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      posts += 1;
      const answer = await route.fetch();
      return posts === 1 ? route.abort('connectionreset') : route.fulfill({ response: answer });
    });
    await page.getByRole('button', { name: 'Create API key' }).click();
    await page.getByRole('dialog').getByLabel('Description').fill('Lost');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    const told = page.getByText('"Lost" was created, but its key was lost on the way here.');
    await told.waitFor();
    await card(page, 'Lost').getByRole('button', { name: 'Refresh Lost' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Refresh key' }).click();
    await panel(page).waitFor();
    expect(await told.count()).toBe(0);
  });

  test('KEY-09, R-10: figures of limits are those of this server', async () => {
    await remove();
    const set = async (limits: object) => {
      const { etag } = await ask(world, '/auth/admin/settings');
      return ask(world, '/auth/admin/settings', { method: 'PUT', body: { limits }, ...(etag ? { ifMatch: etag } : {}) });
    };
    expect((await set({ anonymous_rate_limit_per_minute: 75, key_rate_limit_default: 40 })).status).toBe(200);
    const page = await visit('/api-keys');
    await page.getByText(/Without one the public calls answer 7,?5[0,]* times per minute/).waitFor();
    await page.getByRole('button', { name: 'Create API key' }).click();
    expect(await page.getByRole('dialog').getByLabel('Requests per minute').inputValue()).toBe('40');
    await page.goto(`${world.url}/api-keys?tab=reference&section=access`);
    await page.getByText(/40 per minute, 10,000 per day, 100,000 per month unless you choose others/).waitFor();
    expect((await set({ anonymous_rate_limit_per_minute: 60, key_rate_limit_default: 60 })).status).toBe(200);
  });

  test('what another tab changed or deleted meanwhile is told, and the list knows it afterwards', async () => {
    await remove();
    const [changed, deleted] = [await make('Changed'), await make('Deleted')];
    const page = await visit('/api-keys');
    await card(page, 'Changed').getByRole('button', { name: 'Edit Changed' }).click();
    await page.getByRole('dialog').getByLabel('Description').fill('Mine');
    await ask(world, `/api-keys/${changed.id}`, { method: 'PATCH', body: { description: 'Theirs' }, as: world.member });
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').getByText('Failed to update API key: it was changed meanwhile.').waitFor();
    await page.keyboard.press('Escape');
    await card(page, 'Theirs').waitFor({ timeout: 5_000 });
    await ask(world, `/api-keys/${deleted.id}`, { method: 'DELETE', as: world.member });
    await card(page, 'Deleted').getByRole('button', { name: 'Refresh Deleted' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Refresh key' }).click();
    await page.getByRole('alertdialog').getByText('Failed to refresh API key: No API key with this id among your own.').waitFor();
    await page.keyboard.press('Escape');
    await card(page, 'Deleted').waitFor({ state: 'detached', timeout: 5_000 });
    // And with what is known now it goes.
    await card(page, 'Theirs').getByRole('button', { name: 'Edit Theirs' }).click();
    await page.getByRole('dialog').getByLabel('Description').fill('Ours');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await card(page, 'Ours').waitFor();
    expect(page.faults.filter((fault) => !/40[49]|412/.test(String(fault)))).toEqual([]);
  });

  test('KEY-14: leads to the state of the AI service and says what it is', async () => {
    const page = await visit('/api-keys');
    expect(await page.getByRole('link', { name: 'AI service health' }).getAttribute('href')).toBe('/api/v1/ai/health');
    await page.getByText('No AI service is configured in this version').waitFor();
  });

  test('it reads well at every width, in both themes', async () => {
    await remove();
    await make('Storm dashboard');
    await make('A very long description of a program that asks for alerts in many counties of many states at once');
    const page = await visit('/api-keys');
    expect(await judge(page, join(PICTURES, 'api-keys'), () => card(page, 'Storm dashboard').waitFor())).toEqual([]);
  });
});
