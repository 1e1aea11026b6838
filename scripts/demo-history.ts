/**
 * `npm run demo:history -- --years 1 --seed 7`: writes a year of SIMULATED weather (CAP status Exercise, source simulator) into the data folder
 * of that simulated world, by the calendar: snow in winter, tornadoes in spring, heat and hurricanes in summer. Goes on where it was
 * stopped; refuses a database that holds anything else. Afterwards it says how to open it.
 */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { simulatorFolder } from '../apps/server/src/app/feed.ts';
import { writeSimulatedPast } from '../apps/server/src/app/simulated-past.ts';
import { readEnv } from '../apps/server/src/platform/config/env.ts';
import type { Log } from '../apps/server/src/platform/log.ts';

const DAY_MS = 86_400_000;
const HELP = `npm run demo:history -- [--years 1] [--seed 7] [--active 30] [--dir .data]
  --years   how far back, 0.01 to 3; the record reaches up to now
  --seed    of the simulated world, as SIM_SEED
  --active  alerts at a time in the mean of a year, 20 to 600, as SIM_ACTIVE; a year of 30 takes some minutes and a gigabyte and a half
  --dir     data folder, as DATA_DIR; DATABASE_URL writes into PostgreSQL instead`;

const { values } = parseArgs({
  options: {
    years: { type: 'string', default: '1' },
    seed: { type: 'string', default: '7' },
    active: { type: 'string', default: '30' },
    dir: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit(0);
}
const numberOf = (name: 'years' | 'seed' | 'active', least: number, most: number): number => {
  const value = Number(values[name]);
  if (Number.isFinite(value) && value >= least && value <= most) return value;
  console.error(`--${name} must be a number from ${least} to ${most}, not "${values[name]}"\n\n${HELP}`);
  process.exit(2);
};
const years = numberOf('years', 0.01, 3);
const seed = numberOf('seed', 0, 2 ** 31);
const targetActive = numberOf('active', 20, 600);

const env = readEnv();
const dir = resolve(import.meta.dirname, '..', values.dir ?? env.DATA_DIR);
const claim = simulatorFolder({ seed, speed: 1, seasons: 'calendar' });
const place = env.DATABASE_URL ? { kind: 'postgres' as const, url: env.DATABASE_URL } : { kind: 'sqlite' as const, dir: join(dir, claim) };

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
const say = (fields: object, message: string) => console.error(message, JSON.stringify(fields));
const log: Log = { debug() {}, info() {}, warn: say, error: say };

const to = Math.floor(Date.now() / 60_000) * 60_000;
const from = Math.floor((to - years * 365.25 * DAY_MS) / DAY_MS) * DAY_MS;
const startedMs = performance.now();
let toldAtMs = startedMs;
let begin: number | null = null;
const seconds = () => Math.round((performance.now() - startedMs) / 1_000);
const day = (at: number) => new Date(at).toISOString().slice(0, 10);

const onProgress = (at: number, stored: number) => {
  begin ??= at;
  const everyMs = process.stdout.isTTY ? 500 : 10_000;
  if (performance.now() - toldAtMs < everyMs && at < to) return;
  toldAtMs = performance.now();
  const share = (at - begin) / Math.max(1, to - begin);
  const left = share > 0.001 ? `${Math.round((seconds() * (1 - share)) / share)} s left` : '';
  const line = `${day(at)}  ${Math.round(((at - from) / (to - from)) * 100)} %  ${stored} messages  ${seconds()} s  ${left}`;
  process.stdout.write(process.stdout.isTTY ? `\r${line.padEnd(76)}` : `${line}\n`);
};

console.log(`SIMULATED weather from ${day(from)} to ${day(to)}, seed ${seed}: exercises, no real alerts`);
try {
  const written = await writeSimulatedPast({ place, claim, seed, targetActive, from, to, log, signal: stop.signal, onProgress });
  const { rss } = process.memoryUsage();
  console.log(`\n${written.stored} messages in ${seconds()} s, ${Math.round(rss / 2 ** 20)} MiB`);
  if (stop.signal.aborted) console.log(`Stopped at ${day(written.to)}; the same command goes on from there.`);
  else {
    const settings = [`FEED=simulator SIM_SEED=${seed} SIM_ACTIVE=${targetActive} SIM_SEASONS=calendar`];
    if (place.kind === 'sqlite') settings.push(`DATA_DIR=${values.dir ?? env.DATA_DIR}`);
    console.log(`Open it with: ${settings.join(' ')} npm start`);
  }
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
