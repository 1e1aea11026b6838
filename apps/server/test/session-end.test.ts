import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { boot, type Booted } from './boot.ts';

/** LV31; a busy machine may add a little. */
const CLOSED_WITHIN_MS = 1_500;

let product: Booted;
beforeAll(async () => {
  product = await boot({ FEED: 'simulator' });
}, 90_000);
afterAll(() => product.stop());

async function call(method: string, path: string, options: { token?: string; body?: unknown } = {}): Promise<Response> {
  return fetch(`${product.url}/api/v1${path}`, {
    method,
    headers: {
      ...(options.token ? { authorization: `Bearer ${options.token}` } : {}),
      ...(options.body ? { 'content-type': 'application/json' } : {}),
    },
    ...(options.body ? { body: JSON.stringify(options.body) } : {}),
  });
}
async function signIn(email: string): Promise<string> {
  const { token } = (await (await call('POST', '/auth/local/token', { body: { name: 'A', email } })).json()) as { token: string };
  return ((await (await call('POST', '/auth/google', { body: { token } })).json()) as { access_token: string }).access_token;
}
interface Feed {
  socket: WebSocket;
  closed: Promise<{ code: number; atMs: number }>;
}
async function open(headers: Record<string, string>): Promise<Feed> {
  const socket = new WebSocket(`${product.url.replace('http', 'ws')}/ws/alerts`, { headers });
  const closed = new Promise<{ code: number; atMs: number }>((done) =>
    socket.once('close', (code) => done({ code, atMs: performance.now() })),
  );
  await new Promise((opened, failed) => socket.once('message', opened).once('error', failed));
  return { socket, closed };
}

describe('live connections and sessions', () => {
  it.each([
    ['sign-out', (token: string) => call('POST', '/auth/logout', { token })],
    ['removal of the account', (token: string) => call('DELETE', '/auth/me', { token })],
  ])('LV31: %s closes the sockets of the session, and only those', async (name, end) => {
    await signIn('admin@example.org');
    const token = await signIn(`${name.replaceAll(' ', '')}@example.org`);
    const other = await open({ authorization: `Bearer ${await signIn('other@example.org')}` });
    const byHeader = await open({ authorization: `Bearer ${token}` });
    const byMessage = await open({ origin: product.url });
    byMessage.socket.send(JSON.stringify({ type: 'auth', token, id: 'a' }));
    await new Promise((acked) => byMessage.socket.on('message', (data) => String(data).includes('"ack"') && acked(null)));
    const fromMs = performance.now();
    expect((await end(token)).status).toBe(204);
    for (const { code, atMs } of await Promise.all([byHeader.closed, byMessage.closed])) {
      expect(code).toBe(4401);
      expect(atMs - fromMs).toBeLessThan(CLOSED_WITHIN_MS);
    }
    expect(other.socket.readyState).toBe(WebSocket.OPEN);
    other.socket.terminate();
  });

  it('LV3: a bad credential is refused in the handshake, never taken for nobody', async () => {
    const socket = new WebSocket(`${product.url.replace('http', 'ws')}/ws/alerts`, { headers: { authorization: 'Bearer nonsense' } });
    const status = await new Promise((done) => socket.once('unexpected-response', (_request, response) => done(response.statusCode)));
    expect(status).toBe(401);
    socket.on('error', () => {}).terminate();
  });
});
