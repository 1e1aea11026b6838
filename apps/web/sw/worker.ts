/**
 * The service worker: keeps what the application needs to start without a network, and nothing that is data. A new version waits until it is
 * told to take over, so that a page never gets files of another version than its own.
 */
import { handlingOf, PLAIN_FILES } from './handling.ts';

declare const self: ServiceWorkerGlobalScope;
/** Put in by scripts/service-worker.ts: files to keep from the start, and a name for exactly these. */
declare const SW_FILES: readonly string[];
declare const SW_VERSION: string;

const PREFIX = 'nwms-files-';
const CACHE = PREFIX + SW_VERSION;
/** Address under which the document of every screen is kept. */
const DOCUMENT = '/kept-document';
/** A network that does not answer for this long counts as none; it may still be used for everything else. */
const DOCUMENT_MS = 8_000;

self.addEventListener('install', (event) => event.waitUntil(keepFiles()));
self.addEventListener('activate', (event) => event.waitUntil(takeOver()));
self.addEventListener('message', (event) => {
  if ((event.data as { type?: unknown } | null)?.type === 'take-over') void self.skipWaiting();
});
self.addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request;
  switch (handlingOf({ method, mode, url }, self.location.origin)) {
    case 'page':
      return event.respondWith(page(event));
    case 'asset':
      return event.respondWith(asset(event));
    case 'file':
      return event.respondWith(fetch(event.request).catch(async () => (await kept(event.request)) ?? Response.error()));
    default:
  }
});

async function keepFiles(): Promise<void> {
  const cache = await caches.open(CACHE);
  // Asked for as a document, so that it is kept with the policy that documents have.
  const document = await fetch('/weather-alerts', { headers: { Accept: 'text/html' }, cache: 'no-store' });
  if (!document.ok || document.redirected) throw new Error(`The document cannot be kept: ${document.status}`);
  await Promise.all([
    cache.put(DOCUMENT, await withoutData(document)),
    cache.addAll(SW_FILES),
    cache.addAll(PLAIN_FILES.map((path) => new Request(path, { cache: 'no-cache' }))),
  ]);
}

/** What the server wrote into it about its weather is data, and may be untrue of the server of another day. */
async function withoutData(document: Response): Promise<Response> {
  const headers = new Headers(document.headers);
  for (const name of ['Content-Encoding', 'Content-Length', 'ETag']) headers.delete(name);
  return new Response((await document.text()).replace(' data-simulated', ''), { headers });
}

async function takeOver(): Promise<void> {
  for (const name of await caches.keys()) if (name.startsWith(PREFIX) && name !== CACHE) await caches.delete(name);
  // The document is asked for while this worker starts, not after it.
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

const kept = async (asked: Request | string): Promise<Response | undefined> =>
  (await caches.open(CACHE)).match(asked, { ignoreVary: true });

async function page(event: FetchEvent): Promise<Response> {
  const network = answerOf(event);
  const inTime = new Promise<null>((done) => setTimeout(() => done(null), DOCUMENT_MS));
  const answer = await Promise.race([network.catch(() => null), inTime]);
  return answer ?? (await kept(DOCUMENT)) ?? network;
}

async function answerOf(event: FetchEvent): Promise<Response> {
  const preloaded = (await event.preloadResponse) as Response | undefined;
  return preloaded ?? fetch(event.request);
}

async function asset(event: FetchEvent): Promise<Response> {
  const known = await kept(event.request);
  if (known) return known;
  const answer = await fetch(event.request);
  if (answer.ok) {
    const copy = answer.clone();
    // That it cannot be kept (no room) is no reason not to have it.
    event.waitUntil(
      caches
        .open(CACHE)
        .then((cache) => cache.put(event.request, copy))
        .catch(() => undefined),
    );
  }
  return answer;
}
