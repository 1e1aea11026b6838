/**
 * `npm run chaos`: the long, seeded fault runs (1,000 fault plans, 200 kills, disconnect plans). Each prints its seed; NWMS_CHAOS_SEED repeats one.
 * `npm run chaos -- first-admin` runs what has that in its path.
 */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

/** Besides `*.chaos.test.ts`: everyday suites that play more under NWMS_CHAOS, and the forgeries (30 of ID tokens, 40 of session tokens). */
const LONGER = [
  'auth/first-admin.test.ts',
  'auth/google.test.ts',
  'auth/session-token.test.ts',
  'admin/admin-faults.test.ts',
  'storage/storage-faults.test.ts',
  'storms/life-cycle.test.ts',
  'test/abuse.test.ts',
  'test/admin.test.ts',
  'test/agreement.test.ts',
  'test/database-away.test.ts',
];

const asked = process.argv.slice(2);
const done = spawnSync('vitest', ['run', '--testTimeout=900000', ...(asked.length > 0 ? asked : ['.chaos.test.ts', ...LONGER])], {
  cwd: resolve(import.meta.dirname, '..'),
  stdio: 'inherit',
  env: { ...process.env, NWMS_CHAOS: '1' },
  shell: process.platform === 'win32',
});
process.exit(done.status ?? 1);
