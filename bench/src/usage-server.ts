/** The product with or without usage records, for comparing them: `on` or `off`. */
import { resolve } from 'node:path';
import { compose } from '@nwms/server/app/compose';
import { systemClock } from '@nwms/server/platform/clock';
import { parseConfig } from '@nwms/server/platform/config/config';
import { readEnv } from '@nwms/server/platform/config/env';
import { silentLog } from '@nwms/server/platform/log';

const product = await compose(parseConfig(readEnv(), resolve(import.meta.dirname, '../..')), {
  clock: systemClock,
  log: silentLog,
  recordUsage: process.argv[2] !== 'off',
});
process.stdout.write(`NWMS is at ${await product.listen()}\n`);
process.once('SIGTERM', () => void product.stop().then(() => process.exit(0)));
