import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { logIn } from './sign-in.ts';
import { seriousFaults, sideways } from './checks.ts';
import { addUser, ask, createStage, judge, type Stage } from './stage.ts';
import { startWorld, type World } from './world.ts';

const PICTURES = resolve(import.meta.dirname, '../test-results');
let stage: Stage;
let world: World;

beforeAll(async () => {
  mkdirSync(PICTURES, { recursive: true });
  stage = await createStage();
  world = await startWorld([]);
  // Two full pages and one more, with what the filters look for.
  for (let at = 0; at < 49; at++) {
    await addUser(world, `user${String(at).padStart(2, '0')}`, {
      full_name: at === 7 ? 'Wilhelmina Sturm' : `Person ${at}`,
      is_active: at % 10 !== 3,
      role: at % 20 === 5 ? 'admin' : 'user',
    });
  }
});
afterEach(() => stage.clear());
afterAll(async () => {
  await world.stop();
  await stage.close();
});

const rows = (page: Page) => page.getByRole('table').locator('tbody tr');
const row = (page: Page, name: string) => rows(page).filter({ has: page.getByRole('button', { name: `Edit ${name}`, exact: true }) });
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });

describe('the list', () => {
  test('USER-03, USER-04: all columns, 25 a page, and the words of the pages', async () => {
    const page = await stage.visit(world, '/admin/users');
    await page.getByText('Showing 1 to 25 of 51 results').waitFor();
    const heads = await page.getByRole('columnheader').allInnerTexts();
    expect(heads.map((text) => text.trim())).toEqual(['User', 'Role & Status', 'API Limits', 'Last Login', 'Usage', 'Actions']);
    expect(await rows(page).count()).toBe(25);
    const first = await rows(page).first().innerText();
    expect(first).toMatch(
      /user48[\s\S]*100\/min[\s\S]*10,000\/day[\s\S]*100,000\/month[\s\S]*Never[\s\S]*0 total[\s\S]*0 today[\s\S]*0 this month/,
    );
    expect(await page.getByRole('button', { name: 'Previous' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('Showing 26 to 50 of 51 results').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('Page 3 of 3').waitFor();
    await page.goBack();
    await page.getByText('Page 2 of 3').waitFor();
    await page.reload();
    await page.getByText('Showing 26 to 50 of 51 results').waitFor();
    expect(page.faults).toEqual([]);
  });

  test('USER-01, R-27: the search finds an account that is not on the loaded page, by full name and by e-mail', async () => {
    const page = await stage.visit(world, '/admin/users');
    await page.getByText('Page 1 of 3').waitFor();
    await page.getByLabel('Search users').fill('wilhelmina');
    await row(page, 'user07').waitFor();
    expect(await rows(page).count()).toBe(1);
    expect(new URL(page.url()).searchParams.get('q')).toBe('wilhelmina');
    await page.getByLabel('Search users').fill('USER11@example');
    await row(page, 'user11').waitFor();
    await page.getByLabel('Search users').fill('nobody at all');
    await page.getByText('No user matches these filters').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText('Page 1 of 3').waitFor();
  });

  test('USER-02: role and status filter all accounts, and stand in the address', async () => {
    const page = await stage.visit(world, '/admin/users?role=admin');
    await page.getByText('4 users', { exact: true }).waitFor();
    expect(await rows(page).count()).toBe(4);
    await page.getByRole('combobox', { name: 'Role' }).click();
    await page.getByRole('option', { name: 'All roles' }).click();
    await page.getByRole('combobox', { name: 'Status' }).click();
    await page.getByRole('option', { name: 'Inactive' }).click();
    await page.getByText('5 users', { exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe('?status=inactive');
    for (const name of ['Add User', 'Refresh']) await page.getByRole('button', { name, exact: true }).waitFor();
  });

  test('the order is the order of all accounts, and is announced', async () => {
    const page = await stage.visit(world, '/admin/users');
    await page.getByText('Page 1 of 3').waitFor();
    await page.getByRole('columnheader', { name: 'User' }).getByRole('button').click();
    await row(page, 'ada').waitFor();
    expect(await page.getByRole('columnheader', { name: 'User' }).getAttribute('aria-sort')).toBe('ascending');
  });

  test('ERR-04: a list that cannot be loaded says so and recovers; one that was loaded stays in sight', async () => {
    const page = await stage.visit(world, '/admin/users');
    await row(page, 'user48').waitFor();
    await page.route('**/auth/admin/users?*', (route) => route.fulfill({ status: 400, json: { error: 'x', detail: 'Not today.' } }));
    await page.getByRole('button', { name: 'Refresh', exact: true }).click();
    await page.getByText('Failed to fetch users list: Not today.').waitFor();
    expect(await row(page, 'user48').count()).toBe(1);
    await page.reload();
    await page.getByText('Error loading data').waitFor();
    expect(await rows(page).count()).toBe(0);
    await page.unroute('**/auth/admin/users?*');
    await page.getByRole('button', { name: 'Retry' }).click();
    await row(page, 'user48').waitFor();
  });

  test('the export has every account that matches, as text that no spreadsheet computes', async () => {
    await addUser(world, 'formula', { full_name: '=1+1' });
    const page = await stage.visit(world, '/admin/users');
    await row(page, 'formula').waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export all matching users as CSV' }).click(),
    ]);
    const text = readFileSync(await file.path(), 'utf8');
    expect(text.trim().split('\r\n')).toHaveLength(1 + 52);
    expect(text).toContain(`"'=1+1"`);
    expect(file.suggestedFilename()).toMatch(/^nwms-users-\d{4}-\d\d-\d\d\.csv$/);
    await page.getByText('52 users exported').waitFor();
    const { body } = await ask<{ users: { id: string }[] }>(world, '/auth/admin/users?q=formula');
    await ask(world, `/auth/admin/users/${body.users[0]?.id}`, { method: 'DELETE' });
  });

  test('it reads well at every width, in both themes', async () => {
    const page = await stage.visit(world, '/admin/users');
    const faults = await judge(page, join(PICTURES, 'users'), () => page.getByRole('button', { name: 'Edit user48' }).waitFor());
    expect(faults).toEqual([]);
  });
});

describe('the form', () => {
  test('USER-05, USER-08, USER-09, USER-10: faults stand beside their fields, the first has the focus, and nothing is sent', async () => {
    const page = await stage.visit(world, '/admin/users');
    await page.getByRole('button', { name: 'Add User' }).click();
    const form = dialog(page, 'Create New User');
    for (const section of ['Basic Information', 'Password', 'Role & Status', 'API Limits', 'Notes']) {
      await form.getByRole('heading', { name: section }).waitFor();
    }
    let sent = 0;
    page.on('request', (request) => (sent += request.method() === 'POST' ? 1 : 0));
    const submit = form.getByRole('button', { name: 'Create User' });
    await submit.click();
    for (const text of ['Username is required', 'Email is required', 'Password is required for new users']) {
      await form.getByText(text, { exact: true }).waitFor();
    }
    expect(await form.getByLabel('Username').evaluate((node) => node === document.activeElement)).toBe(true);
    await form.getByLabel('Username').fill('berta');
    await form.getByLabel('Email').fill('berta@example.test');
    await form.locator('input[name=password]').fill('12345');
    await submit.click();
    await form.getByText('Passwords do not match', { exact: true }).waitFor();
    await form.getByLabel('Confirm password').fill('12345');
    await form.getByLabel('Rate limit per minute').fill('10001');
    await form.getByLabel('Daily limit').fill('0');
    await submit.click();
    await form.getByText('Password must be at least 6 characters', { exact: true }).waitFor();
    await form.getByText('Rate limit per minute must be between 1 and 10000', { exact: true }).waitFor();
    await form.getByText('Daily limit must be at least 1', { exact: true }).waitFor();
    expect(sent).toBe(0);
    expect(await seriousFaults(page)).toEqual([]);
    await page.screenshot({ path: join(PICTURES, 'users-form-faults.png') });
  });

  test('USER-05, USER-12: a new account has the limits of the settings and can sign in with its password', async () => {
    const page = await stage.visit(world, '/admin/users');
    await page.getByRole('button', { name: 'Add User' }).click();
    const form = dialog(page, 'Create New User');
    expect(await form.getByLabel('Rate limit per minute').inputValue()).toBe('100');
    expect(await form.getByLabel('Daily limit').inputValue()).toBe('10000');
    expect(await form.getByLabel('Monthly limit').inputValue()).toBe('100000');
    await form.getByLabel('Username').fill('clara');
    await form.getByLabel('Email').fill('clara@example.test');
    await form.locator('input[name=password]').fill('gewitter-front-7');
    await form.getByLabel('Confirm password').fill('gewitter-front-7');
    await form.getByLabel('Notes about this account').fill('On call at night');
    await form.getByRole('button', { name: 'Create User' }).click();
    await page.getByText('User "clara" was created').waitFor();
    await row(page, 'clara').waitFor();
    const login = await ask(world, '/auth/login', { method: 'POST', body: { username: 'clara', password: 'gewitter-front-7' }, as: null });
    expect(login.status).toBe(200);
    const { body } = await ask<{ users: Record<string, unknown>[] }>(world, '/auth/admin/users?q=clara');
    expect(body.users[0]).toMatchObject({ notes: 'On call at night', role: 'user', api_monthly_limit: 100_000 });
  });

  test('USER-07: a name that is taken is told beside the field, and what was typed stays', async () => {
    const page = await stage.visit(world, '/admin/users');
    await page.getByRole('button', { name: 'Add User' }).click();
    const form = dialog(page, 'Create New User');
    await form.getByLabel('Username').fill('USER01');
    await form.getByLabel('Email').fill('other@example.test');
    await form.getByRole('switch', { name: 'Signs in with Google only' }).click();
    await form.getByRole('button', { name: 'Create User' }).click();
    await form.locator('input[name=username][aria-invalid=true]').waitFor();
    expect(await form.getByLabel('Email').inputValue()).toBe('other@example.test');
    await form.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
    await form.waitFor({ state: 'detached' });
  });

  test('USER-07: a failure that says nothing is told as such, and nothing typed is lost', async () => {
    const page = await stage.visit(world, '/admin/users');
    await row(page, 'user48').waitFor();
    await page.getByRole('button', { name: 'Edit user48' }).click();
    const form = dialog(page, 'Edit User');
    await form.getByLabel('Organization').fill('Harbour');
    await page.route('**/auth/admin/users/*', (route) =>
      route.fulfill({ status: 400, json: { error: 'x', detail: 'The form cannot be taken now.' } }),
    );
    await form.getByRole('button', { name: 'Update User' }).click();
    await form.getByText('The form cannot be taken now.').waitFor();
    expect(await form.getByLabel('Organization').inputValue()).toBe('Harbour');
  });

  test('USER-05, USER-11, USER-13: an edit changes role and state; an empty password changes nothing', async () => {
    const session = await logIn(world.url, { name: 'Dora', email: 'dora@example.test' });
    const page = await stage.visit(world, '/admin/users?q=dora');
    await page.getByRole('button', { name: 'Edit dora' }).click();
    const form = dialog(page, 'Edit User');
    await form.getByRole('heading', { name: 'Change Password (Optional)' }).waitFor();
    await form.getByRole('radio', { name: 'Admin' }).check({ force: true });
    await form.getByRole('switch', { name: 'Active' }).click();
    await form.getByRole('button', { name: 'Update User' }).click();
    await page.getByText('User "dora" was updated').waitFor();
    await expect.poll(async () => (await ask(world, '/auth/me', { as: session })).status, { timeout: 3_000 }).toBe(401);
    const { body } = await ask(world, `/auth/admin/users/${session.user.id}`);
    expect(body).toMatchObject({ role: 'admin', is_active: false });
  });

  test('changed meanwhile by somebody else: their change is kept, mine is kept, and both are saved at the second try', async () => {
    const made = await addUser(world, 'emil');
    const page = await stage.visit(world, '/admin/users?q=emil');
    await page.getByRole('button', { name: 'Edit emil' }).click();
    const form = dialog(page, 'Edit User');
    await form.getByLabel('Notes about this account').fill('mine');
    await ask(world, `/auth/admin/users/${made.id}`, { method: 'PUT', body: { organization: 'theirs' } });
    await form.getByRole('button', { name: 'Update User' }).click();
    await form.getByText('Changed meanwhile by somebody else').waitFor();
    await form.getByText('Taken over: Organization.').waitFor();
    expect(await form.getByLabel('Organization').inputValue()).toBe('theirs');
    expect(await form.getByLabel('Notes about this account').inputValue()).toBe('mine');
    await page.screenshot({ path: join(PICTURES, 'users-overtaken.png') });
    await form.getByRole('button', { name: 'Update User' }).click();
    await page.getByText('User "emil" was updated').waitFor();
    const { body } = await ask(world, `/auth/admin/users/${made.id}`);
    expect(body).toMatchObject({ organization: 'theirs', notes: 'mine' });
  });

  test('R-44: nobody demotes, deactivates or deletes themselves', async () => {
    const page = await stage.visit(world, '/admin/users?q=ada');
    const own = row(page, 'ada');
    await own.waitFor();
    expect(await own.getByRole('button', { name: /^Delete ada/ }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Edit ada' }).click();
    const form = dialog(page, 'Edit User');
    expect(await form.getByRole('radio', { name: 'User' }).isDisabled()).toBe(true);
    await form.getByText('Nobody deactivates themselves.').waitFor();
  });

  test('by keyboard alone: opened, left with a question, and the focus comes back', async () => {
    const page = await stage.visit(world, '/admin/users');
    await row(page, 'user48').waitFor();
    const add = page.getByRole('button', { name: 'Add User' });
    await add.focus();
    await page.keyboard.press('Enter');
    await dialog(page, 'Create New User').waitFor();
    await page.getByLabel('Username').focus();
    await page.keyboard.type('fritz');
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog', { name: 'Discard what you changed?' }).waitFor();
    await page.keyboard.press('Escape');
    expect(await page.getByLabel('Username').inputValue()).toBe('fritz');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Discard' }).focus();
    await page.keyboard.press('Enter');
    await dialog(page, 'Create New User').waitFor({ state: 'detached' });
    await expect.poll(() => add.evaluate((node) => node === document.activeElement), { timeout: 10_000 }).toBe(true);
  });
});

describe('deeds of a row', () => {
  test('USER-06: deleting names the account, can be taken back before it happens, and is done', async () => {
    await addUser(world, 'gustav');
    const page = await stage.visit(world, '/admin/users?q=gustav');
    const remove = page.getByRole('button', { name: 'Delete gustav' });
    await remove.click();
    const question = page.getByRole('alertdialog', { name: 'Are you sure you want to delete user "gustav"?' });
    await question.waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    await remove.click();
    await question.getByRole('button', { name: 'Delete user' }).click();
    await page.getByText('User "gustav" was deleted').waitFor();
    await page.getByText('No user matches these filters').waitFor();
    expect((await ask<{ total: number }>(world, '/auth/admin/users?q=gustav')).body.total).toBe(0);
  });

  test('USER-06: a refusal is told in the question, with its reason', async () => {
    await addUser(world, 'hanna');
    const page = await stage.visit(world, '/admin/users?q=hanna');
    await page.getByRole('button', { name: 'Delete hanna' }).click();
    await page.route('**/auth/admin/users/*', (route) =>
      route.fulfill({ status: 409, json: { error: 'user.last_admin', detail: 'The last active administrator stays.' } }),
    );
    await page.getByRole('button', { name: 'Delete user' }).click();
    await page.getByText('Failed to delete user. The last active administrator stays.').waitFor();
    await page.unrouteAll();
    await page.route('**/auth/admin/users/*', (route) => route.fulfill({ status: 400, json: { error: 'x' } }));
    await page.getByRole('button', { name: 'Delete user' }).click();
    await page.getByText('Failed to delete user', { exact: true }).waitFor();
    expect((await ask<{ total: number }>(world, '/auth/admin/users?q=hanna')).body.total).toBe(1);
  });

  test('sessions are ended on request, with the account named', async () => {
    const session = await logIn(world.url, { name: 'Ida', email: 'ida@example.test' });
    expect((await ask(world, '/auth/me', { as: session })).status).toBe(200);
    const page = await stage.visit(world, '/admin/users?q=ida');
    await page.getByRole('button', { name: `More for ${session.user.username}` }).click();
    await page.getByRole('menuitem', { name: 'End sessions' }).click();
    await page
      .getByRole('alertdialog', { name: `End all sessions of "${session.user.username}"?` })
      .getByRole('button', { name: 'End sessions' })
      .click();
    await page.getByText(`All sessions of "${session.user.username}" were ended`).waitFor();
    await expect.poll(async () => (await ask(world, '/auth/me', { as: session })).status, { timeout: 3_000 }).toBe(401);
  });

  test('at 390 px every deed is reachable in the cards', async () => {
    await addUser(world, 'jakob');
    const page = await stage.visit(world, '/admin/users?q=jakob', { viewport: { width: 390, height: 844 } });
    const cards = page.getByRole('list', { name: 'Users' });
    await cards.getByRole('button', { name: 'Edit jakob' }).click();
    await dialog(page, 'Edit User').waitFor();
    expect(await sideways(page)).toBe(0);
    await page.screenshot({ path: join(PICTURES, 'users-form-390.png') });
  });
});
