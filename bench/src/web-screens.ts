import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../../apps/web/e2e/browser.ts';
import { busyDay } from '../../apps/web/e2e/busy-day.ts';
import { signIn } from '../../apps/web/e2e/sign-in.ts';
import { startWorld, type World } from '../../apps/web/e2e/world.ts';
import { type BenchContext, type Benchmark, type Figure, figure, median } from './harness.ts';

/** Interaction to Next Paint that the design allows the alerts dashboard with 1,000 alerts. */
const INP_MS = 100;
/** Messages of a simulated day; about three quarters of them are active at once. */
const MESSAGES = { table: 1_350, map: 2_700 };

/** Run in the page: every event of an interaction, until its frame was shown. Shorter ones than 16 ms are not told by browsers. */
const HEAR_INTERACTIONS = `globalThis.interactions = new Map();
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries())
      if (interactionId) interactions.set(interactionId, Math.max(interactions.get(interactionId) ?? 0, duration));
  }).observe({ type: 'event', durationThreshold: 16, buffered: true });`;

async function open(browser: Browser, world: World, path: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, serviceWorkers: 'block' });
  context.setDefaultTimeout(120_000);
  await signIn(context, world.member);
  const page = await context.newPage();
  await page.addInitScript(HEAR_INTERACTIONS);
  await page.goto(world.url + path);
  return page;
}

/** Waits until the page has shown what the last interaction asked for. */
const rest = (page: Page) => page.waitForTimeout(400);

/** Filters, walks through rows by keys, opens an alert and closes it. */
async function useTable(page: Page): Promise<void> {
  await page.getByRole('gridcell').first().waitFor();
  await rest(page);
  for (const filter of ['Severe Only', 'Extreme Only', 'All']) {
    await page.getByRole('button', { name: filter, exact: true }).click();
    await rest(page);
  }
  await page.getByRole('gridcell').first().click();
  await rest(page);
  await page.keyboard.press('Escape');
  await rest(page);
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp', 'Enter', 'Escape']) {
    await page.keyboard.press(key);
    await rest(page);
  }
}

/** Switches severities off and on. */
async function useMap(page: Page): Promise<void> {
  await page.getByText(/^Showing [\d,]+ of [\d,]+, the most dangerous first$/).waitFor();
  await rest(page);
  for (const severity of ['Severe', 'Moderate', 'Severe', 'Moderate']) {
    await page
      .getByRole('button', { name: new RegExp(`^${severity}`) })
      .first()
      .click();
    await rest(page);
  }
}

interface Screen {
  name: string;
  path: string;
  messages: number;
  use: (page: Page) => Promise<void>;
  /** Null: the design names no bound. */
  mostMs: number | null;
}
const SCREENS: readonly Screen[] = [
  { name: 'alerts dashboard', path: '/weather-alerts', messages: MESSAGES.table, use: useTable, mostMs: INP_MS },
  { name: 'map and its list', path: '/map', messages: MESSAGES.map, use: useMap, mostMs: null },
];

async function measure(screen: Screen, context: BenchContext): Promise<Figure> {
  const world = await startWorld(busyDay(screen.messages));
  // A map drawn in software takes the processors from whatever is measured; what is drawn has its own figures (a day that plays).
  const browser = await launchBrowser();
  try {
    const longest: number[] = [];
    let heard = 0;
    for (let n = 0; n < (context.quick ? 2 : 5); n += 1) {
      const page = await open(browser, world, screen.path);
      await screen.use(page);
      const durations = await page.evaluate<number[]>('[...interactions.values()]');
      heard += durations.length;
      longest.push(Math.max(0, ...durations));
      await page.context().close();
    }
    if (heard === 0) throw new Error(`P15 ${screen.name}: no interaction was heard`);
    const answer = await fetch(`${world.url}/api/v1/alerts?active_only=true&limit=1`);
    const { total } = (await answer.json()) as { total: number };
    return figure({
      name: `P15 ${screen.name}, ${total.toLocaleString('en-US')} alerts, slowest interaction to its next paint`,
      unit: 'ms',
      ours: median(longest),
      yardstick: INP_MS,
      target: screen.mostMs === null ? null : { sign: '<=', ratio: screen.mostMs / INP_MS },
      note: `1440 px, no map drawn; of ${longest.length} visits ${longest.join(', ')}`,
    });
  } finally {
    await browser.close();
    await world.stop();
  }
}

export const webScreens: Benchmark = {
  name: 'P15-screens',
  what: 'how soon busy screens answer a press or a key',
  async run(context) {
    const figures: Figure[] = [];
    for (const screen of SCREENS) figures.push(await measure(screen, context));
    return figures;
  },
};
