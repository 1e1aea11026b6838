import { defineConfig } from 'vitest/config';

/**
 * `npm test` plays what everything else stands on and where a fault would mislead or harm: within ten minutes on two cores there is no room
 * for more. The others run with NWMS_BROWSER=all (`npm run test:browser`) and before a change of their screen.
 */
const WITH_ALL_ONLY = ['admin', 'advanced-features', 'analytics', 'audit', 'counts', 'intelligence', 'map', 'settings', 'users'].map(
  (name) => `apps/web/e2e/${name}.e2e.ts`,
);
// oxlint-disable-next-line node/no-process-env -- a test runner's configuration, not part of the application
const isAll = process.env['NWMS_BROWSER'] === 'all';

/** Browser tests: the real server, the simulator and a real Chromium, one of each per file. */
export default defineConfig({
  test: {
    include: ['apps/web/e2e/**/*.e2e.ts'],
    exclude: isAll ? [] : WITH_ALL_ONLY,
    pool: 'forks',
    // A browser that draws in software beside its server is starved now and then; what fails twice is a fault.
    retry: 1,
    // A page waits a third of its time; every file has a server, a feed and a browser of its own.
    maxWorkers: 3,
    // As in vitest.config.ts: sources are imported by Node itself, once for each worker.
    isolate: false,
    globalSetup: ['scripts/browser-setup.ts'],
    setupFiles: ['packages/testkit/src/compile-cache.ts'],
    experimental: { viteModuleRunner: false },
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
