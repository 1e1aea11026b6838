/** What the suites of the alerts screen share: pages of a member, and the parts of the screen by what people call them. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { WatchedPage } from './checks.ts';
import { createStage, type Stage } from './stage.ts';
import type { World } from './world.ts';

export type VisitOptions = Parameters<Stage['visit']>[2];

/** Rows of alerts, without the one of the headings. */
export const rows = (page: Page): Locator =>
  page
    .getByRole('grid')
    .getByRole('row')
    .filter({ has: page.getByRole('gridcell') });

/** The window of an alert. */
export const dialog = (page: Page): Locator => page.getByRole('dialog');

/** A stage for the tests of a file. The screen as a member sees it; `before` sees the page before anything is loaded. */
export function alertsScreen() {
  let stage: Stage;
  beforeAll(async () => {
    stage = await createStage();
  });
  afterEach(() => stage.clear());
  afterAll(() => stage.close());
  return {
    visit: (world: World, path = '/weather-alerts', options: VisitOptions = {}): Promise<WatchedPage> =>
      stage.visit(world, path, { as: world.member, ...options }),
    /** Closes the pages of a test before its end. */
    clear: () => stage.clear(),
  };
}
