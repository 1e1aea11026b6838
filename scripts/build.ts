/** `npm run build`: the server into few files and the browser application, whose files are compressed once so that the server never does it while answering. `-- server` or `-- web`: one of them. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';
import { buildServiceWorker } from '../apps/web/scripts/service-worker.ts';
import { startDocuments } from '../apps/web/scripts/start-document.ts';
import { buildServer } from './build-server.ts';

async function buildWeb(): Promise<void> {
  const root = resolve(import.meta.dirname, '../apps/web');
  await build({ root, configFile: join(root, 'vite.config.ts'), logLevel: 'warn' });
  await buildServiceWorker(root);
  for (const [name, text] of Object.entries(await startDocuments(root))) writeFileSync(join(root, 'dist', name), text);

  const dist = join(root, 'dist');
  const COMPRESSIBLE = /\.(js|mjs|css|html|svg|json|webmanifest|txt)$/;
  for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    const path = join(dist, name);
    // Below 1 KiB an encoded answer is not smaller in practice.
    if (!COMPRESSIBLE.test(name) || !statSync(path).isFile() || statSync(path).size < 1024) continue;
    const body = readFileSync(path);
    writeFileSync(`${path}.gz`, gzipSync(body, { level: 9 }));
    writeFileSync(`${path}.br`, brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }));
  }
  console.log('Built apps/web/dist');
}

const asked = process.argv.slice(2);
if (asked.length === 0 || asked.includes('server')) {
  await buildServer();
  console.log('Built apps/server/dist');
}
if (asked.length === 0 || asked.includes('web')) await buildWeb();
