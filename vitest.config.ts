import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** One runner for everything that is not a browser. `chaos` and `postgres` suites opt in by environment (see scripts/test.ts). */
export default defineConfig({
  test: {
    include: ['packages/**/*.test.ts', 'apps/**/*.test.ts', 'tools/**/*.test.ts', 'bench/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    pool: 'forks',
    // The default leaves one processor free, which on two of them means one file after the other; half of the suites wait for timers.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    setupFiles: ['packages/testkit/src/fast-check-seed.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
