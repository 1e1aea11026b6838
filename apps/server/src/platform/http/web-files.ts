import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { PageFallback } from './not-found.ts';
import { headersOfPage } from './page-policy.ts';
import { encodings, ofSimulatedWeather, robots, siteMap, startPage } from './start-page.ts';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.xml': 'application/xml',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.map': 'application/json',
};

interface WebFile {
  type: string;
  etag: string;
  immutable: boolean;
  /** By Content-Encoding; identity always. */
  encodings: Partial<Record<'br' | 'gzip' | 'identity', Buffer>>;
}

/** The built browser application, held in memory: small, never changes while running, compressed once at build time. */
export interface WebFiles {
  get(path: string): WebFile | undefined;
  present: boolean;
}

export interface Site {
  /** Origin under which it is reached, for the texts that name it; null when not known. */
  publicUrl: string | null;
  /** Its weather is simulated or replayed: its documents say so. */
  simulated: boolean;
}

export function loadWebFiles(dir: string, { publicUrl, simulated }: Site = { publicUrl: null, simulated: false }): WebFiles {
  const files = new Map<string, WebFile>();
  if (!existsSync(join(dir, 'index.html'))) return { get: () => undefined, present: false };
  for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
    const path = join(dir, name);
    if (name.endsWith('.br') || name.endsWith('.gz') || !statSync(path).isFile()) continue;
    const body = readFileSync(path);
    const encodings: WebFile['encodings'] = { identity: body };
    if (existsSync(`${path}.br`)) encodings.br = readFileSync(`${path}.br`);
    if (existsSync(`${path}.gz`)) encodings.gzip = readFileSync(`${path}.gz`);
    const url = `/${relative(dir, path).split(sep).join('/')}`;
    files.set(url, {
      type: TYPES[extname(name)] ?? 'application/octet-stream',
      etag: etagOf(body),
      immutable: url.startsWith('/assets/'),
      encodings,
    });
  }
  const write = (path: string, text: string) => {
    const body = Buffer.from(text);
    const type = TYPES[extname(path)] ?? 'application/octet-stream';
    files.set(path, { type, etag: etagOf(body), immutable: false, encodings: encodings(body) });
  };
  const textOf = (path: string) => files.get(path)?.encodings.identity?.toString('utf8');
  const start = (simulated ? textOf('/start-simulated.html') : undefined) ?? textOf('/start.html');
  if (start !== undefined) write('/start.html', startPage(start, publicUrl));
  files.delete('/start-simulated.html');
  const index = textOf('/index.html');
  if (simulated && index !== undefined) write('/index.html', ofSimulatedWeather(index));
  const rules = textOf('/robots.txt');
  if (rules !== undefined) write('/robots.txt', robots(rules, publicUrl));
  const map = siteMap(publicUrl);
  if (map !== null) write('/sitemap.xml', map);
  return { get: (path) => files.get(path), present: true };
}

const etagOf = (body: Buffer): string => `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;

function answer(file: WebFile, request: FastifyRequest): { headers: Record<string, string>; body: Buffer } {
  const accepted = String(request.headers['accept-encoding'] ?? '');
  const coding = (['br', 'gzip'] as const).find((name) => file.encodings[name] && accepted.includes(name));
  return {
    headers: {
      'Content-Type': file.type,
      ETag: file.etag,
      Vary: 'Accept-Encoding',
      'Cache-Control': file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
      ...(coding ? { 'Content-Encoding': coding } : {}),
    },
    body: (coding ? file.encodings[coding] : file.encodings.identity) ?? Buffer.alloc(0),
  };
}

const MISSING = Buffer.from(
  '<!doctype html><html lang="en"><title>NWMS</title><p>The browser application is not built. Run <code>npm run build</code>. The API is at <a href="/api/v1/alerts">/api/v1/alerts</a>.</p></html>',
);

/** Pages are client-side routes: any GET that accepts HTML outside the API gets the application. */
export function pageFallback(files: WebFiles): PageFallback {
  return (request, path) => {
    if (path.startsWith('/api/') || path.startsWith('/ws/') || path.startsWith('/assets/') || path.includes('.')) return null;
    if (!String(request.headers.accept ?? '').includes('text/html')) return null;
    // The start page comes with its content; the other screens are made in the browser.
    const index = (path === '/' ? files.get('/start.html') : undefined) ?? files.get('/index.html');
    if (index) {
      const { headers, body } = answer(index, request);
      return { headers: { ...headers, ...headersOfPage(path) }, body };
    }
    return { headers: { 'Content-Type': 'text/html; charset=utf-8' }, body: MISSING };
  };
}

/** Serves the files themselves; unknown ones fall through to the 404. */
export function mountWebFiles(app: FastifyInstance, files: WebFiles): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return done();
    const path = request.url.split('?', 1)[0] ?? '/';
    const file = path === '/' || path === '/index.html' || path === '/start.html' ? undefined : files.get(path);
    if (!file) return done();
    const { headers, body } = answer(file, request);
    if (request.headers['if-none-match'] === file.etag) void reply.code(304).headers(headers).send();
    else void reply.headers(headers).send(body);
  });
}
