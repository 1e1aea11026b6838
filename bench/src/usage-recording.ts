import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type BenchContext, type Benchmark, type Figure, figure, paired } from './harness.ts';
import { load } from './load.ts';
import { startProcess } from './processes.ts';
import { waitForAlerts } from './product.ts';

const SERVER = join(import.meta.dirname, 'usage-server.ts');
const PATH = '/api/v1/alerts?limit=20';
const CONNECTIONS = 16;

interface Running {
  url: string;
  key: string;
  dataDir: string;
  stop(): Promise<void>;
}

async function start(recording: 'on' | 'off'): Promise<Running> {
  const dataDir = mkdtempSync(join(tmpdir(), 'nwms-bench-usage-'));
  const env = { PORT: '0', DATA_DIR: dataDir, FEED: 'simulator', LIMITS_FACTOR: '100000' };
  const started = await startProcess([SERVER, recording], /NWMS is at http/, env);
  const url = /http:\/\/[\w.:]+/.exec(started.line)?.[0] ?? '';
  await waitForAlerts(url, 50);
  return { url, key: await makeKey(url), dataDir, stop: () => started.stop() };
}

/** Of the first account, which is the administrator's, with the widest limits it may have. */
async function makeKey(url: string): Promise<string> {
  const call = async (method: string, path: string, body: object, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as { token: string; access_token: string; api_key: string; user: { id: string } };
  };
  const { token } = await call('POST', '/auth/local/token', { name: 'Bench', email: 'bench@example.org' });
  const login = await call('POST', '/auth/google', { token });
  const session = { authorization: `Bearer ${login.access_token}` };
  const most = { api_rate_limit_per_minute: 10_000, api_daily_limit: 10_000_000, api_monthly_limit: 100_000_000 };
  await call('PUT', `/auth/admin/users/${login.user.id}`, most, { ...session, 'if-match': '*' }).catch(() => null);
  return (await call('POST', '/api-keys', { description: 'bench' }, session)).api_key;
}

/** Answers the load got that are not in the records when the server has stopped. */
function recordedRows(dataDir: string): number {
  const db = new DatabaseSync(join(dataDir, 'simulator-1-1x', 'usage.db'), { readOnly: true });
  try {
    return Number(db.prepare('select count(*) as n from requests').get()?.['n']);
  } finally {
    db.close();
  }
}

async function run(context: BenchContext): Promise<Figure[]> {
  const seconds = context.quick ? 3 : 8;
  const [on, off] = [await start('on'), await start('off')];
  try {
    const rate = async ({ url }: Running) => (await load({ url: url + PATH, seconds, connections: CONNECTIONS })).requestsPerSecond;
    for (const one of [on, off]) await load({ url: one.url + PATH, seconds: 1, connections: CONNECTIONS });
    const result = await paired(
      context.quick ? 3 : 7,
      () => rate(on),
      () => rate(off),
    );
    const keyed = await load({ url: on.url + PATH, seconds, connections: CONNECTIONS, headers: { 'X-API-Key': on.key } });
    const lost = /nwms_usage_lost_total (\d+)/.exec(await (await fetch(`${on.url}/metrics`)).text())?.[1] ?? '?';
    await on.stop();
    const rows = recordedRows(on.dataDir);
    const note = `lost ${lost}, ${rows} rows stored; with a key ${keyed.requestsPerSecond.toFixed(0)} req/s, ${keyed.non2xx} refused`;
    return [
      figure({
        name: 'P8 20 alerts with usage records',
        unit: 'req/s',
        ours: result.ours,
        yardstick: result.yardstick,
        target: { sign: '>=', ratio: 0.95 },
        note,
      }),
      figure({
        name: 'P8 requests that were not recorded',
        unit: '',
        ours: Number(lost),
        yardstick: 0,
        ratio: Number(lost),
        target: { sign: '<=', ratio: 0 },
      }),
    ];
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
