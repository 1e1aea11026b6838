import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type BenchContext, type Benchmark, type Figure, figure, median, paired } from './harness.ts';
import { load } from './load.ts';
import { startProcess } from './processes.ts';
import { waitForAlerts } from './product.ts';

const SERVER = join(import.meta.dirname, 'usage-server.ts');
const PATH = '/api/v1/alerts?limit=20';
/** As the target is meant: at the rate of a route with a key that answers 1.5 MB. */
const LIST_PATH = '/api/v1/alerts?active_only=true';
const SIMULATED_ALERTS = '400';
const CONNECTIONS = 16;

interface Running {
  url: string;
  key: string;
  dataDir: string;
  stop(): Promise<void>;
}

async function launch(recording: 'on' | 'off', dataDir: string): Promise<Omit<Running, 'key'>> {
  const env = { PORT: '0', DATA_DIR: dataDir, FEED: 'simulator', SIM_ACTIVE: SIMULATED_ALERTS, LIMITS_FACTOR: '100000' };
  const started = await startProcess([SERVER, recording], /NWMS is at http/, env);
  const url = /http:\/\/[\w.:]+/.exec(started.line)?.[0] ?? '';
  return { url, dataDir, stop: () => started.stop() };
}

/** With a key that no load uses up: its limits are beyond what the API gives, so they are written while nobody runs. */
async function start(recording: 'on' | 'off'): Promise<Running> {
  const dataDir = mkdtempSync(join(tmpdir(), 'nwms-bench-usage-'));
  const first = await launch(recording, dataDir);
  const key = await makeKey(first.url);
  await first.stop();
  const db = new DatabaseSync(join(dataDir, 'simulator-1-1x', 'app.db'));
  for (const table of ['users', 'api_keys']) db.exec(`update ${table} set limit_minute = 1e9, limit_day = 1e10, limit_month = 1e11`);
  db.close();
  const second = await launch(recording, dataDir);
  await waitForAlerts(second.url, 50);
  return { ...second, key };
}

/** Of the first account, which is the administrator's. */
async function makeKey(url: string): Promise<string> {
  const call = async (method: string, path: string, body: object, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as { token: string; access_token: string; api_key: string };
  };
  const { token } = await call('POST', '/auth/local/token', { name: 'Bench', email: 'bench@example.org' });
  const login = await call('POST', '/auth/google', { token });
  const session = { authorization: `Bearer ${login.access_token}` };
  return (await call('POST', '/api-keys', { description: 'bench' }, session)).api_key;
}

/** Rows in the records of a server that has stopped. */
function recordedRows(dataDir: string): number {
  const db = new DatabaseSync(join(dataDir, 'simulator-1-1x', 'usage.db'), { readOnly: true });
  try {
    return Number(db.prepare('select count(*) as n from requests').get()?.['n']);
  } finally {
    db.close();
  }
}

/** Short rounds, so that what else the machine does hits both sides. */
const ROUND_SECONDS = 2;

async function run(context: BenchContext): Promise<Figure[]> {
  const [on, off] = [await start('on'), await start('off')];
  const figures: Figure[] = [];
  let recorded = 0;
  try {
    const listBytes = (await (await fetch(on.url + LIST_PATH)).arrayBuffer()).byteLength;
    for (const [name, path, withKey] of [
      [`of ${(listBytes / 1e6).toFixed(1)} MB through an API key`, LIST_PATH, true],
      ['of some KB through an API key', PATH, true],
      ['of some KB that lie ready', PATH, false],
    ] as const) {
      const rate = async ({ url, key }: Running) => {
        const headers: Record<string, string> = withKey ? { 'X-API-Key': key } : {};
        const result = await load({ url: url + path, seconds: ROUND_SECONDS, connections: CONNECTIONS, headers });
        if (result.non2xx > 0) throw new Error(`${result.non2xx} of ${result.answers} requests were refused: nothing was measured`);
        if (url === on.url) recorded += result.answers;
        return result.requestsPerSecond;
      };
      for (const one of [on, off]) await rate(one);
      const result = await paired(
        context.quick ? 4 : 15,
        () => rate(on),
        () => rate(off),
      );
      figures.push(
        figure({
          name: `P8 answers ${name}, with usage records`,
          unit: 'req/s',
          ours: result.ours,
          yardstick: result.yardstick,
          ratio: median(result.ratios),
          target: { sign: '>=', ratio: 0.95 },
          note: `median of the ratios of rounds: ${result.ratios.map((ratio) => ratio.toFixed(2)).join(' ')}`,
        }),
      );
    }
    const lost = /nwms_usage_lost_total (\d+)/.exec(await (await fetch(`${on.url}/metrics`)).text())?.[1] ?? '?';
    await on.stop();
    const rows = recordedRows(on.dataDir);
    // The load counts what it read; an answer under way at its end is recorded, too.
    figures.push(
      figure({
        name: 'P8 answers that are not in the records',
        unit: 'rows',
        ours: Math.max(Number(lost), recorded - rows),
        yardstick: recorded,
        ratio: Math.max(Number(lost), recorded - rows),
        target: { sign: '<=', ratio: 0 },
        note: `${rows} rows, ${lost} told as lost`,
      }),
    );
    return figures;
  } finally {
    await on.stop();
    await off.stop();
    for (const { dataDir } of [on, off]) rmSync(dataDir, { recursive: true, force: true });
  }
}

export const usageRecording: Benchmark = {
  name: 'P8',
  what: 'answers with usage records against the same server without them',
  run,
};
