import { defineConfig } from 'vitest/config';

/** Browser tests: the real server, the simulator and a real Chromium, one of each per file. */
export default defineConfig({
  test: {
    include: ['apps/web/e2e/**/*.e2e.ts'],
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
