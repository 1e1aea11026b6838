import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Sources run as the product runs them, by Node itself: half of what a file cost was the runner's own way of importing. */
const native = { experimental: { viteModuleRunner: false } };

/**
 * One runner for everything that is not a browser. `chaos` and `postgres` suites opt in by environment (see scripts/chaos.ts).
 * Projects run in the order of their names, files of one from large to small: the long ones first, so that no worker is idle at the end.
 */
export default defineConfig({
  test: {
    exclude: ['**/node_modules/**', '**/dist/**'],
    pool: 'forks',
    // The default leaves one processor free. On two, three files at once fill what those leave that wait for timers, kills and disks.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    setupFiles: ['packages/testkit/src/compile-cache.ts', 'packages/testkit/src/fast-check-seed.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    projects: [
      // Whole products, with processes and clocks of their own: a worker each.
      { extends: true, test: { name: '1 product', include: ['apps/server/test/**/*.test.ts'], ...native } },
      // No module has state (a house rule), so that files share workers and what these imported.
      {
        extends: true,
        test: {
          name: '2 parts',
          include: ['apps/server/{src,migrations}/**/*.test.ts', '{packages,tools,bench}/**/*.test.ts'],
          isolate: false,
          ...native,
        },
      },
      // Pages are written in JSX, which Node does not read.
      { extends: true, test: { name: '3 web', include: ['apps/web/**/*.test.ts'], isolate: false } },
    ],
  },
});
