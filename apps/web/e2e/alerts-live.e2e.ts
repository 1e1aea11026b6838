import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alertsScreen, rows } from './alerts-screen.ts';
import { picture } from './visit.ts';
import { startWorld, stormyDay, tornadoWarning, type World } from './world.ts';

const { visit } = alertsScreen();

describe('on a stormy day', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld(stormyDay(Date.now()));
  });
  afterAll(() => world.stop());

  test('a new alert arrives without a reload, at its place, and its end is seen in place', async () => {
    const page = await visit(world, '/weather-alerts?event=Tornado+Warning&q=grady');
    await page.getByText('No alert matches these filters').waitFor();
    await page.evaluate(() => Object.assign(window, { sameDocument: true }));
    const first = tornadoWarning('NEW', Date.now() - 5_000);
    const before = world.listed;
    world.listed = [first, ...before];
    const row = rows(page).filter({ hasText: 'Tornado Warning' });
    await row.waitFor({ timeout: 20_000 });
    await page.getByRole('status').filter({ hasText: 'Extreme Tornado Warning, Grady, OK' }).waitFor();
    expect(await row.textContent()).toContain('Extreme');
    await row.click();
    await page.getByRole('article').getByText('TAKE COVER NOW!').waitFor();
    await picture(page, 'arrived');
    await page.keyboard.press('Escape');

    world.listed = [tornadoWarning('CAN', Date.now(), first), ...before];
    await row.getByText('Cancelled').waitFor({ timeout: 20_000 });
    await page
      .getByRole('article')
      .getByText(/^Cancelled/)
      .first()
      .waitFor();
    expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true);
    expect(page.faults).toEqual([]);
  });

  test('the network gone: the page says so, and what is known stays', async () => {
    const page = await visit(world);
    await rows(page).first().waitFor();
    await page.context().setOffline(true);
    await page.getByText('You are offline').waitFor();
    expect(await rows(page).count()).toBe(10);
    await picture(page, 'offline');
    await page.context().setOffline(false);
    await page.getByText('You are offline').waitFor({ state: 'detached' });
  });

  test('the server gone and back: the rows stay meanwhile, and what was issued then arrives without a reload', async () => {
    const page = await visit(world, '/weather-alerts?event=Tornado+Warning');
    await rows(page).first().waitFor();
    const before = await rows(page).count();
    await world.end();
    await page.getByText(/Reconnecting … \(\d+\/10\)/).waitFor({ timeout: 20_000 });
    expect(await rows(page).count()).toBe(before);
    expect(await page.getByText('No weather alerts found').count()).toBe(0);
    await picture(page, 'reconnecting');
    world.listed = [tornadoWarning('NEW', Date.now() - 1_000), ...world.listed];
    await world.begin();
    await rows(page).filter({ hasText: 'Grady, OK' }).filter({ hasText: 'Active' }).waitFor({ timeout: 60_000 });
    await page.getByText(/Reconnecting/).waitFor({ state: 'detached' });
  });
});
