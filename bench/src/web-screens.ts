import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../../apps/web/e2e/browser.ts';
import { busyDay } from '../../apps/web/e2e/busy-day.ts';
import { signIn } from '../../apps/web/e2e/sign-in.ts';
import { startWorld, type World } from '../../apps/web/e2e/world.ts';
import { type BenchContext, type Benchmark, type Figure, figure, median } from './harness.ts';

/** Interaction to Next Paint that the design allows the alerts dashboard with 1,000 alerts; on other screens it names 500. */
const INP_MS = 100;
/** Active alerts of each reading unless the command names others. */
const ALERTS = [500, 1_000];
/** Messages of a simulated day for each that is active. */
const MESSAGES_PER_ACTIVE = 1.33;

/** What a page heard of its interactions: until the next frame, in its own code, and until rows or words that follow were there. */
interface Heard {
  frames: number[];
  own: number[];
  followed: number;
}

/** Run in the page: every event of an interaction, until its frame was shown (shorter ones than 16 ms are not told by browsers), and parts that were busy. */
const HEAR_INTERACTIONS = `globalThis.interactions = new Map();
  globalThis.followed = 0;
  new PerformanceObserver((list) => {
    for (const { interactionId: id, duration, processingStart, processingEnd } of list.getEntries()) {
      if (!id) continue;
      const known = interactions.get(id) ?? { duration: 0, start: Infinity, end: 0 };
      interactions.set(id, {
        duration: Math.max(known.duration, duration),
        start: Math.min(known.start, processingStart),
        end: Math.max(known.end, processingEnd),
      });
    }
  }).observe({ type: 'event', durationThreshold: 16, buffered: true });
  let pressedAt = 0;
  for (const kind of ['pointerdown', 'keydown']) addEventListener(kind, (event) => void (pressedAt = event.timeStamp), true);
  const FOLLOWING = '[role=dialog] article, [aria-label=Alerts] > *, [aria-label="List of the map"] > *';
  new MutationObserver((changes) => {
    const isThere = ({ target, oldValue }) => oldValue === 'true' && target.getAttribute('aria-busy') === 'false' && target.matches(FOLLOWING);
    if (pressedAt === 0 || !changes.some(isThere)) return;
    const since = pressedAt;
    requestAnimationFrame(() => setTimeout(() => void (followed = Math.max(followed, performance.now() - since))));
  }).observe(document, { subtree: true, attributes: true, attributeFilter: ['aria-busy'], attributeOldValue: true });`;
const WHAT_WAS_HEARD = `({
  frames: [...interactions.values()].map(({ duration }) => duration),
  own: [...interactions.values()].map(({ start, end }) => end - start),
  followed,
})`;

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
  use: (page: Page) => Promise<void>;
}
const SCREENS: readonly Screen[] = [
  { name: 'alerts dashboard', path: '/weather-alerts', use: useTable },
  { name: 'map and its list', path: '/map', use: useMap },
];

async function measure(screen: Screen, alerts: number, context: BenchContext): Promise<Figure[]> {
  const world = await startWorld(busyDay(Math.round(alerts * MESSAGES_PER_ACTIVE)));
  // A map drawn in software takes the processors from whatever is measured; what is drawn has its own figures (a day that plays).
  const browser = await launchBrowser();
  try {
    const visits: Heard[] = [];
    for (let n = 0; n < (context.quick ? 2 : 5); n += 1) {
      const page = await open(browser, world, screen.path);
      await screen.use(page);
      visits.push(await page.evaluate<Heard>(WHAT_WAS_HEARD));
      await page.context().close();
    }
    if (visits.every(({ frames }) => frames.length === 0)) throw new Error(`P15 ${screen.name}: no interaction was heard`);
    const slowest = visits.map(({ frames }) => Math.max(0, ...frames));
    const own = visits.map(({ own }) => Math.round(Math.max(0, ...own)));
    const answer = await fetch(`${world.url}/api/v1/alerts?active_only=true&limit=1`);
    const { total } = (await answer.json()) as { total: number };
    const name = `P15 ${screen.name}, ${total.toLocaleString('en-US')} alerts`;
    const share = { unit: 'ms', yardstick: INP_MS };
    return [
      figure({
        ...share,
        name: `${name}, slowest interaction to its next paint`,
        ours: median(slowest),
        target: { sign: '<=', ratio: 1 },
        note: `1440 px, no map drawn; of ${visits.length} visits ${slowest.join(', ')}, in the page's own code ${own.join(', ')}`,
      }),
      figure({
        ...share,
        name: `${name}, until rows and words have followed`,
        ours: median(visits.map(({ followed }) => followed)),
        target: null,
      }),
    ];
  } finally {
    await browser.close();
    await world.stop();
  }
}

export const webScreens: Benchmark = {
  name: 'P15-screens',
  what: 'how soon busy screens answer a press or a key; NWMS_BENCH_ALERTS=500,2000 names how many alerts',
  async run(context) {
    // oxlint-disable-next-line node/no-process-env -- a setting of this command, not of the application
    const named = (process.env['NWMS_BENCH_ALERTS'] ?? '').split(',').map(Number).filter(Boolean);
    const figures: Figure[] = [];
    for (const alerts of named.length > 0 ? named : ALERTS) {
      for (const screen of SCREENS) figures.push(...(await measure(screen, alerts, context)));
    }
    return figures;
  },
};
