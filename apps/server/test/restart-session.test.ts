import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CLIENT_ID, googleStandIn } from '../src/features/auth/auth-fixture.ts';
import { type Callers, callersOf } from './callers.ts';
import { startChild } from './child-server.ts';

const PASSWORD = 'a quite unusual sentence';
/** scrypt with 2^17: the cost that the product promises, not that of tests. */
const PRODUCT_HASH = /^scrypt\$17\$8\$1\$/;

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'nwms-session-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const me = (callers: Callers, token: string) => callers.call('GET', '/auth/me', { token });

describe('a server that dies and starts again', () => {
  it('knows its sessions: the tokens of before are good, and passwords are kept at the cost of the product', async () => {
    const first = await startChild(dataDir);
    let admin = '';
    let member = '';
    try {
      const callers = callersOf(first.url);
      admin = await callers.signIn('admin@example.org');
      await callers.addAccount(admin, 'member', PASSWORD);
      member = (await callers.call('POST', '/auth/login', { body: { username: 'member', password: PASSWORD } })).json.access_token;
      expect((await me(callers, member)).status).toBe(200);
    } finally {
      first.kill('SIGKILL');
      await first.exited;
    }
    const rows = new DatabaseSync(join(dataDir, 'simulator-1-1x', 'app.db'), { readOnly: true });
    const kept = rows.prepare(`select password_hash from users where username = 'member'`).get() as { password_hash: string };
    rows.close();
    expect(kept.password_hash).toMatch(PRODUCT_HASH);

    const second = await startChild(dataDir);
    try {
      const callers = callersOf(second.url);
      expect(await me(callers, admin)).toMatchObject({ status: 200, json: { role: 'admin' } });
      expect(await me(callers, member)).toMatchObject({ status: 200, json: { username: 'member', role: 'user' } });
      expect((await callers.call('GET', '/auth/config')).json.first_admin_open).toBe(false);
      expect((await callers.call('POST', '/auth/logout', { token: member })).status).toBe(204);
      expect((await me(callers, member)).status).toBe(401);
    } finally {
      second.kill('SIGKILL');
      await second.exited;
    }
  }, 120_000);
});

describe('R-16: a server that others can reach', () => {
  it('prints a setup token; who signs in with Google and gives it becomes the first administrator, nobody without it', async () => {
    const google = await googleStandIn();
    const port = await freePort();
    const server = await startChild(dataDir, {
      HOST: '0.0.0.0',
      PORT: String(port),
      PUBLIC_URL: 'http://alerts.example.org',
      GOOGLE_CLIENT_ID: CLIENT_ID,
      GOOGLE_JWKS_URL: google.url,
    });
    try {
      const setup_token = /Setup token for the first administrator: ([a-z2-7]{24})\n/.exec(server.said())?.[1];
      expect(setup_token, server.said()).toBeDefined();
      const callers = callersOf(`http://127.0.0.1:${port}`);
      const enter = async (more: object) => {
        const body = { token: await google.token({ email: 'boss@gmail.com', sub: 'boss' }), ...more };
        return callers.call('POST', '/auth/google', { body });
      };
      expect((await callers.call('GET', '/auth/config')).json).toMatchObject({ first_admin_open: true, setup_token_required: true });
      // The built-in provider gives anybody any name: it is not there for others.
      const local = await callers.call('POST', '/auth/local/token', { body: { name: 'Mallory', email: 'mallory@gmail.com' } });
      expect(local.status).toBe(404);
      for (const refused of [{}, { setup_token: 'a'.repeat(24) }])
        expect(await enter(refused)).toMatchObject({ status: 403, json: { error: 'auth.setup_token_required' } });
      const entered = await enter({ setup_token });
      expect(entered).toMatchObject({ status: 200, json: { claimed_admin: true, user: { role: 'admin' } } });
      expect((await callers.call('GET', '/auth/admin/status', { token: entered.json.access_token })).status).toBe(200);
      expect((await callers.call('GET', '/auth/config')).json).toMatchObject({ first_admin_open: false, setup_token_required: false });
    } finally {
      server.kill('SIGKILL');
      await server.exited;
      await google.close();
    }
  }, 90_000);
});

/** With a public URL nothing tells the port that was found: it is chosen before. */
function freePort(): Promise<number> {
  const probe = createServer();
  return new Promise((found) => {
    probe.listen(0, () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => found(port));
    });
  });
}
