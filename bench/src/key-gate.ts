import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Benchmark, figure, paired } from './harness.ts';
import { load } from './load.ts';
import { startProcess } from './processes.ts';

const server = join(import.meta.dirname, 'gate-server.ts');
/** As one alert of the list, and as a page of them: what the gate costs beside a short answer and beside a long one. */
const BODIES = [
  ['2 KB', 2_000],
  ['1.5 MB', 1_500_000],
] as const;

/** A route through an API key against the same route without the gate. */
export const keyGate: Benchmark = {
  name: 'P3',
  what: 'a route through an API key (check, three windows of key and account, headers, use) against the same route without the gate',
  async run({ quick }) {
    const folder = mkdtempSync(join(tmpdir(), 'nwms-gate-body-'));
    const figures = [];
    for (const [name, bytes] of BODIES) {
      const file = join(folder, String(bytes));
      writeFileSync(file, JSON.stringify({ alerts: 'x'.repeat(bytes) }));
      const [gated, bare] = await Promise.all(['gate', 'bare'].map((mode) => startProcess([server, mode, file], /^\d+ nws_/)));
      if (!gated || !bare) throw new Error('a server did not start');
      const [port = '', secret = ''] = gated.line.trim().split(' ');
      const seconds = quick ? 2 : 4;
      const headers = { 'X-API-Key': secret };
      const refused = { n: 0 };
      const rate = async (at: string) => {
        const result = await load({ url: `http://127.0.0.1:${at}/api/v1/alerts`, seconds, connections: 16, headers });
        refused.n += result.non2xx;
        return result.requestsPerSecond;
      };
      const barePort = bare.line.trim().split(' ')[0] ?? '';
      for (const at of [port, barePort]) await rate(at);
      const measured = await paired(
        quick ? 2 : 5,
        () => rate(port),
        () => rate(barePort),
      );
      await Promise.all([gated.stop(), bare.stop()]);
      if (refused.n > 0) throw new Error(`${refused.n} requests were refused: nothing was measured`);
      figures.push(
        figure({
          name: `P3 through an API key, ${name}`,
          unit: 'req/s',
          ours: measured.ours,
          yardstick: measured.yardstick,
          target: { sign: '>=', ratio: 0.8 },
        }),
      );
    }
    rmSync(folder, { recursive: true, force: true });
    return figures;
  },
};
