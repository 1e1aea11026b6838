/** What is asked of every page: no reported fault, no other host, nothing sideways, nothing serious for axe. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** What the page reported as broken, and what it asked of another host. A test that expects failures clears it. */
export type WatchedPage = Page & { faults: string[] };

export function watch(page: Page, siteUrl: string): WatchedPage {
  const watched = Object.assign(page, { faults: [] as string[] });
  const { origin } = new URL(siteUrl);
  page.on('pageerror', (error) => watched.faults.push(error.message));
  page.on('console', (message) => message.type() === 'error' && watched.faults.push(message.text()));
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== origin) watched.faults.push(`asked ${request.url()}`);
  });
  return watched;
}

export async function seriousFaults(page: Page): Promise<string[]> {
  // Not among the rules that run by themselves; people who speak to their device say what they see on a button.
  const rules = { 'label-content-name-mismatch': { enabled: true } };
  // Pages here have no frames of other hosts, for which axe would sum up in a page of its own; and nobody reads what passed. A third of the time.
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode(true)
    .options({ rules, resultTypes: ['violations'] })
    .analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.target.join(' ')} ${node.failureSummary ?? ''}`).join(', ')}`);
}

/** Pixels by which the page is wider than its window. */
export const sideways = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Until what is in sight is there: no skeleton, no spinner of a page, and no animation under way that comes to an end. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const inSight = (element: Element) => {
      const { top, bottom, height } = element.getBoundingClientRect();
      return height > 0 && bottom > 0 && top < innerHeight;
    };
    if ([...document.querySelectorAll('.skeleton, main[aria-busy=true]')].some(inSight)) return false;
    return document.getAnimations().every((one) => one.playState !== 'running' || one.effect?.getComputedTiming().endTime === Infinity);
  });
}
