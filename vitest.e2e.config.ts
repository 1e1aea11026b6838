import { defineConfig } from 'vitest/config';

/**
 * `npm test` plays what everything else stands on; all suites together take a quarter of an hour on two quiet cores, which leaves no room in
 * its 25 minutes. The others run with NWMS_BROWSER=all (`npm run test:browser`) and before a change of their screen.
 */
const WITH_ALL_ONLY = [
  'admin',
  'advanced-features',
  'alerts',
  'analytics',
  'audit',
  'counts',
  'intelligence',
  'map',
  'offline',
  'places',
  'settings',
  'users',
  'xss',
].map((name) => `apps/web/e2e/${name}.e2e.ts`);
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
    maxWorkers: 1,
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
