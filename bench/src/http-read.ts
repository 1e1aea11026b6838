import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BenchContext, type Benchmark, type Figure, figure, paired } from './harness.ts';
import { load, type LoadResult } from './load.ts';
import { startProcess } from './processes.ts';
import { nationalFeed, startProduct, waitForAlerts } from './product.ts';

const PATH = '/api/v1/alerts?active_only=true';
const yardstickScript = join(import.meta.dirname, 'yardstick-server.ts');

/** Raw bytes as they come over the wire: fetch would unpack them. */
function rawGet(url: string, headers: Record<string, string>): Promise<{ body: Buffer; etag: string }> {
  return new Promise((done, fail) => {
    get(url, { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => done({ body: Buffer.concat(chunks), etag: String(response.headers.etag ?? '') }));
    }).on('error', fail);
  });
}

/** A round in which a state changed is measured again, not more often than this. */
const MEASURE_TRIES = 4;

/** Of the bare server, which knows no validators, every answer is a 304 where that is asked for. */
function isAsExpected({ answers, non2xx, errors }: LoadResult, isConditional: boolean): boolean {
  return errors === 0 && answers > 0 && non2xx === (isConditional ? answers : 0);
}

async function compare(
  context: BenchContext,
  input: {
    name: string;
    url: string;
    /** Asked anew before each round: a state that changes with the clock changes the validator. */
    headers: () => Promise<Record<string, string>>;
    yardstick: string[];
    target: number;
    note: string;
  },
): Promise<Figure> {
  const seconds = context.quick ? 2 : 4;
  const bare = await startProcess([yardstickScript, ...input.yardstick], /^\d+$/);
  const bareUrl = `http://127.0.0.1:${bare.line.trim()}/`;
  const isConditional = input.yardstick.includes('304');
  const rate = async (url: string): Promise<number> => {
    for (let tries = 1; ; tries += 1) {
      const result = await load({ url, seconds, connections: 16, headers: await input.headers() });
      if (isAsExpected(result, isConditional)) return result.requestsPerSecond;
      // A refusal is quicker than an answer, and a whole list slower than a 304: neither is what is measured here.
      if (tries === MEASURE_TRIES)
        throw new Error(`${input.name}: ${result.non2xx} of ${result.answers} answers were not 2xx, ${result.errors} errors`);
    }
  };
  // Both warm: code compiled, bodies compressed.
  const headers = await input.headers();
  await load({ url: input.url, seconds: 1, connections: 16, headers });
  await load({ url: bareUrl, seconds: 1, connections: 16, headers });
  const result = await paired(
    context.quick ? 2 : 5,
    () => rate(input.url),
    () => rate(bareUrl),
  );
  await bare.stop();
  return figure({
    name: input.name,
    unit: 'req/s',
    ours: result.ours,
    yardstick: result.yardstick,
    target: { sign: '>=', ratio: input.target },
    note: input.note,
  });
}

async function readBenchmarks(context: BenchContext, wanted: 'P1' | 'P2'): Promise<Figure[]> {
  const feed = nationalFeed();
  const folder = mkdtempSync(join(tmpdir(), 'nwms-bytes-'));
  const product = await startProduct(feed.env);
  try {
    const total = await waitForAlerts(product.url, 100);
    const url = product.url + PATH;
    const figures: Figure[] = [];
    if (wanted === 'P1') {
      for (const encoding of ['identity', 'gzip']) {
        const headers = { 'Accept-Encoding': encoding };
        const { body } = await rawGet(url, headers);
        const file = join(folder, encoding);
        writeFileSync(file, body);
        const note = `${total} alerts, ${(body.length / 1e6).toFixed(2)} MB, ${feed.what}`;
        figures.push(
          await compare(context, {
            name: `P1 all active alerts, ${encoding}`,
            url,
            headers: async () => headers,
            yardstick: [file, encoding === 'gzip' ? 'gzip' : '-', '200'],
            target: 0.8,
            note,
          }),
        );
      }
    } else {
      figures.push(
        await compare(context, {
          name: 'P2 all active alerts, 304',
          url,
          headers: async () => ({ 'If-None-Match': (await rawGet(url, {})).etag }),
          yardstick: ['-', '-', '304'],
          target: 0.7,
          note: `${total} alerts`,
        }),
      );
    }
    return figures;
  } finally {
    await product.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

export const readLists: Benchmark = {
  name: 'P1',
  what: 'GET all active alerts against bare node:http sending the same bytes',
  run: (context) => readBenchmarks(context, 'P1'),
};
export const readNotModified: Benchmark = {
  name: 'P2',
  what: 'the same with If-None-Match against bare node:http answering 304',
  run: (context) => readBenchmarks(context, 'P2'),
};
