import { resolve } from 'node:path';
import closeWithGrace from 'close-with-grace';
import pino from 'pino';
import { resolveFeed } from './feed.ts';
import { standInThread } from './stand-in.ts';
import { systemClock } from '../platform/clock.ts';
import { parseConfig } from '../platform/config/config.ts';
import { readEnv } from '../platform/config/env.ts';

/** Everything is stopped within this; then the process ends whatever hangs. */
const STOP_WITHIN_MS = 10_000;

/** Reads the settings, builds the product, listens, and stops it in order. */
export async function run(): Promise<void> {
  const root = resolve(import.meta.dirname, '../../../..');
  try {
    const config = parseConfig(readEnv(), root);
    const log = pino({ level: config.log.level });
    // Which weather it is may take a question over the network, a stand-in has sources of its own to read: both while the product's are read.
    const [feed, { compose }] = await Promise.all([
      resolveFeed(config, { clock: systemClock, log, standIn: standInThread }),
      import('./compose.ts'),
    ]);
    const product = await compose(config, { clock: systemClock, log, feed });
    closeWithGrace({ delay: STOP_WITHIN_MS, logger: log }, async ({ err }) => {
      if (err) log.error({ err }, 'stopping after an error');
      await product.stop();
    });
    const url = await product.listen();
    const operatorLine = product.operatorLine();
    process.stdout.write(
      `\nNWMS is at ${url}\n  ${product.feedLine}\n  API reference: ${url}/docs\n${operatorLine ? `  ${operatorLine}\n` : ''}\n`,
    );
  } catch (error) {
    // The message says what to do; the stack is for those who look for a defect.
    const stack = process.argv.includes('--stack') && error instanceof Error ? error.stack : undefined;
    process.stderr.write(`${stack ?? (error instanceof Error ? error.message : String(error))}\n`);
    process.exit(1);
  }
}
