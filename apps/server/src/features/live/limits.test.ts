import { fakeClock } from '@nwms/testkit';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { addressKey } from './address.ts';
import { LiveClient } from './live-client.ts';
import { ALL_CHANNELS as ALL, cursorAt as cursor, liveFixture } from './live-fixture.ts';
import type { LiveServer } from './live-server.ts';
import { originAllowed } from './origin.ts';
import { rawHandshake, RawPeer } from './raw-peer.ts';
import type { Principal } from './types.ts';

const { boot, connect } = liveFixture();
const START = Date.parse('2026-11-21T09:00:00Z');
const person: Principal = { kind: 'session', id: 'ses_1', userId: 'usr_1', credential: 'ses_1', expiresAt: null };

describe('who may connect', () => {
  it('LV2, C7: of twelve origins exactly the listed ones and the loopback names pass', () => {
    const rules = { origins: ['https://alerts.example.org', 'https://partner.example'], loopbackOnly: true, localPort: 8080 };
    const table: [string, boolean][] = [
      ['https://alerts.example.org', true],
      ['https://partner.example', true],
      ['http://localhost:8080', true],
      ['http://127.0.0.1:8080', true],
      ['http://[::1]:8080', true],
      ['null', false],
      ['http://alerts.example.org', false],
      ['https://alerts.example.org.evil.test', false],
      ['https://alerts.example.org:8443', false],
      ['https://ALERTS.example.org', false],
      ['http://localhost:8081', false],
      ['http://localhost:8080.evil.test', false],
    ];
    expect(table.map(([origin]) => [origin, originAllowed(origin, rules)])).toEqual(table);
    expect(originAllowed('http://localhost:8080', { ...rules, loopbackOnly: false })).toBe(false);
  });

  it('LV2: a foreign origin is refused with 403 before the upgrade, as a readable error', async () => {
    const server = await boot({ config: { origins: () => ['https://ok.example'] } });
    const answer = await rawHandshake(server.port, ['Origin: https://evil.example']);
    expect(answer).toMatch(/^HTTP\/1.1 403 Forbidden/);
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ error: 'origin.not_allowed', status: 403 });
    expect(await rawHandshake(server.port, ['Origin: https://ok.example'])).toMatch(/^HTTP\/1.1 101/);
  });

  it('LV2, C7: without an Origin a server that others can reach asks for a credential', async () => {
    const server = await boot({
      config: { loopbackOnly: false },
      verifyCredential: async ({ value }) => (value === 'good' ? person : null),
    });
    expect(await rawHandshake(server.port)).toMatch(/^HTTP\/1.1 401 .*auth.missing/s);
    expect(await rawHandshake(server.port, ['Authorization: Bearer good'])).toMatch(/^HTTP\/1.1 101/);
    expect(await rawHandshake(server.port, ['X-API-Key: good'])).toMatch(/^HTTP\/1.1 101/);
  });

  it('LV3: a bad credential is 401 and never a downgrade; two different ones are ambiguous; the URL is not read', async () => {
    const server = await boot();
    expect(await rawHandshake(server.port, ['Authorization: Bearer whatever'])).toMatch(/^HTTP\/1.1 401 .*auth.invalid_token/s);
    expect(await rawHandshake(server.port, ['X-API-Key: nws_x'])).toMatch(/^HTTP\/1.1 401 .*key.invalid/s);
    expect(await rawHandshake(server.port, ['X-API-Key: a', 'Authorization: Bearer b'])).toMatch(/^HTTP\/1.1 400 .*auth.ambiguous/s);
    expect(await rawHandshake(server.port, [], '/ws/alerts?token=whatever')).toMatch(/^HTTP\/1.1 101/);
  });

  it('LV3: a credential store that is away answers 503, never 401', async () => {
    const server = await boot({ verifyCredential: async () => Promise.reject(new Error('database away')) });
    expect(await rawHandshake(server.port, ['Authorization: Bearer good'])).toMatch(/^HTTP\/1.1 503 .*server.database_unavailable/s);
  });

  it('LV4: a browser may sign in after opening; a bad token ends the connection with 4401', async () => {
    const server = await boot({ verifyCredential: async ({ value }) => (value === 'good' ? person : null) });
    const [good, bad] = await Promise.all([connect(server), connect(server)]);
    good.send({ type: 'auth', token: 'good', id: 'in' });
    expect(await good.next('ack')).toMatchObject({ id: 'in' });
    bad.send({ type: 'auth', token: 'forged', id: 'in' });
    expect(await bad.next('error')).toMatchObject({ code: 'live.auth_failed', fatal: true });
    expect(await bad.closed).toEqual({ code: 4401, reason: 'code=live.auth_failed; retry=0' });
  });

  it('LV26: an address gets 20 connections and 60 attempts a minute; a place is free again once one closes', async () => {
    const clock = fakeClock(START);
    const server = await boot({ clock });
    const twenty = await Promise.all(Array.from({ length: 20 }, () => connect(server)));
    expect(await rawHandshake(server.port)).toMatch(/^HTTP\/1.1 429 .*Retry-After: 30.*quota.streams/s);
    twenty[0]!.ws.terminate();
    await expect.poll(() => server.live.connections()).toBe(19);
    expect(await rawHandshake(server.port)).toMatch(/^HTTP\/1.1 101/);
    for (let n = 22; n < 60; n += 1) await rawHandshake(server.port);
    expect(await rawHandshake(server.port)).toMatch(/^HTTP\/1.1 429 .*Retry-After: 60.*attempts/s);
    await clock.advance(60_000);
    await expect.poll(() => server.live.connections()).toBe(19);
    expect(await rawHandshake(server.port)).toMatch(/^HTTP\/1.1 101/);
  });

  it('LV26: IPv6 counts by its /64, a mapped IPv4 address as itself', () => {
    expect(addressKey('::ffff:192.0.2.7')).toBe('192.0.2.7');
    expect(addressKey('2001:db8:1:2:3:4:5:6')).toBe(addressKey('2001:db8:1:2::9'));
    expect(addressKey('2001:db8:1:2::9')).not.toBe(addressKey('2001:db8:1:3::9'));
    expect(addressKey('fe80::1%eth0')).toBe('fe80:0:0:0::/64');
  });
});

describe('how long', () => {
  it('LV22: a heartbeat every 25 s', async () => {
    const clock = fakeClock(START);
    const server = await boot({ clock });
    const client = await connect(server);
    client.send({ type: 'subscribe', channels: ALL });
    await client.settled();
    for (let n = 1; n <= 3; n += 1) {
      await clock.advance(25_000);
      const beat = await client.next('heartbeat');
      expect(beat).toMatchObject({ cursor: cursor(0), epoch: 'testepoc' });
    }
    await client.settled();
    expect(client.ofType('heartbeat').filter((beat) => beat.cursor !== null)).toHaveLength(3);
  });

  it('LV29: who answers pings stays; who is silent for 75 s is gone within 90 s', async () => {
    const clock = fakeClock(START);
    const server = await boot({ clock });
    const alive = await connect(server);
    alive.send({ type: 'subscribe', channels: ALL });
    await alive.settled();
    // Half-open: the peer's machine is gone, nothing answers, nothing closes.
    const dead = await RawPeer.open(server.port);
    dead.sendText({ type: 'subscribe', channels: ALL });
    await dead.received('heartbeat');
    let pings = 0;
    alive.ws.on('ping', () => (pings += 1));
    for (let n = 1; n <= 3; n += 1) {
      for (let step = 0; step < 6; step += 1) {
        await clock.advance(5_000);
        await alive.settled();
      }
      await expect.poll(() => pings).toBe(n);
    }
    await expect.poll(() => dead.ended).toBe(true);
    expect(alive.ws.readyState).toBe(alive.ws.OPEN);
    expect(server.live.connections()).toBe(1);
  });

  it('LV30: a connection without a subscription ends after 60 s', async () => {
    const clock = fakeClock(START);
    const server = await boot({ clock });
    const [idle, busy] = await Promise.all([connect(server), connect(server)]);
    busy.send({ type: 'subscribe', channels: ['alerts'] });
    await busy.settled();
    await clock.advance(59_000);
    await idle.settled();
    await clock.advance(2_000);
    expect(await idle.next('error')).toMatchObject({ code: 'live.idle', fatal: true });
    expect(await idle.closed).toMatchObject({ code: 4408 });
    await busy.settled();
  });

  it('LV31, LV32: the connections of an ended session close at once, those of an expired token at its expiry', async () => {
    const clock = fakeClock(START);
    const principals: Record<string, Principal> = {
      one: person,
      two: { ...person, id: 'ses_2', userId: 'usr_2', expiresAt: START + 5_000 },
    };
    const server = await boot({ clock, verifyCredential: async ({ value }) => principals[value] ?? null });
    const [one, two, anonymous] = await Promise.all([
      LiveClient.open(server.url, { headers: { authorization: 'Bearer one' } }),
      LiveClient.open(server.url, { headers: { authorization: 'Bearer two' } }),
      connect(server),
    ]);
    expect(server.live.closeByPrincipal((principal) => principal.userId === 'usr_1')).toBe(1);
    expect(await one.next('error')).toMatchObject({ code: 'live.session_ended', fatal: true });
    expect(await one.closed).toMatchObject({ code: 4401 });
    await clock.advance(5_500);
    expect(await two.next('error')).toMatchObject({ code: 'live.auth_expired' });
    expect(await two.closed).toMatchObject({ code: 4401 });
    await anonymous.settled();
  });

  it('LV33: what an open connection costs is asked at open and per full 300 s', async () => {
    const clock = fakeClock(START);
    let left = 2;
    const server = await boot({ clock, charge: async () => (left-- > 0 ? { ok: true } : { ok: false, retryAfterSeconds: 600 }) });
    const client = await connect(server);
    client.send({ type: 'subscribe', channels: ALL });
    client.ws.on('ping', () => {});
    for (let n = 0; n < 62 && client.ws.readyState === client.ws.OPEN; n += 1) {
      await clock.advance(10_000);
      if (client.ofType('error').length === 0) await client.settled().catch(() => {});
    }
    expect(await client.closed).toEqual({ code: 4429, reason: 'code=live.quota; retry=600' });
    expect(await rawHandshake(server.port)).toMatch(/^HTTP\/1.1 429 .*Retry-After: 600/s);
  });

  it('LV34: on stop everybody gets what was committed, a last heartbeat, the reason and 1001; new handshakes get 503', async () => {
    const server = await boot({ config: { limits: { perAddress: 100, attemptsPerMinute: 200 } } });
    const many = await Promise.all(Array.from({ length: 50 }, () => connect(server)));
    for (const client of many) {
      client.send({ type: 'subscribe', channels: ALL, id: 's' });
      await client.next('ack');
    }
    const dead = await RawPeer.open(server.port);
    dead.socket.pause();
    server.world.commit({ eventId: 'last' });
    const started = performance.now();
    const stopped = server.live.stop();
    expect(await rawHandshake(server.port)).toMatch(/^HTTP\/1.1 503 .*server.shutting_down/s);
    await stopped;
    expect(performance.now() - started).toBeLessThan(5_500);
    expect(server.live.connections()).toBe(0);
    for (const client of many) {
      expect(await client.closed).toEqual({ code: 1001, reason: 'code=live.shutting_down; retry=1' });
      expect(client.messages.slice(-3).map((message) => message.type)).toEqual(['alert', 'heartbeat', 'error']);
      expect(client.ofType('heartbeat').at(-1)?.cursor).toBe(cursor(1));
    }
  });
});

describe('too much', () => {
  it('LV27: the first message over 10 a second is dropped with a warning, the next within a minute is the end', async () => {
    const clock = fakeClock(START);
    const server = await boot({ clock });
    const client = await connect(server);
    for (let n = 0; n < 21; n += 1) client.send({ type: 'ping', id: `${n}` });
    expect(await client.next('error')).toMatchObject({ code: 'live.rate', fatal: false });
    expect(client.ofType('pong')).toHaveLength(20);
    await clock.advance(1_000);
    for (let n = 0; n < 11; n += 1) client.send({ type: 'ping' });
    expect(await client.closed).toEqual({ code: 4429, reason: 'code=live.rate; retry=10' });
  });

  it('LV27, C6: too large, too deep, too many fragments, unmasked, and floods of pings all end one connection only', async () => {
    const server = await boot();
    const bystander = await connect(server);
    const [large, deep] = await Promise.all([connect(server), connect(server)]);
    large.send({ type: 'ping', id: 'x'.repeat(17_000) });
    expect((await large.closed).code).toBe(1009);
    deep.send(`{"type":"subscribe","filter":${'['.repeat(40)}${']'.repeat(40)}}`);
    expect(await deep.closed).toMatchObject({ code: 4400, reason: 'code=live.protocol; retry=0' });
    const fragments = await RawPeer.open(server.port);
    for (let n = 0; n < 20; n += 1) fragments.sendFrame(n === 0 ? 0x01 : 0x00, Buffer.from('a'));
    await fragments.gone();
    const unmasked = await RawPeer.open(server.port);
    unmasked.socket.write(Buffer.from([0x81, 0x02, 0x7b, 0x7d]));
    await unmasked.gone();
    const flood = await RawPeer.open(server.port);
    for (let n = 0; n < 100; n += 1) flood.sendFrame(0x89, Buffer.alloc(0));
    await flood.gone();
    await bystander.settled();
    await expect.poll(() => server.live.connections()).toBe(1);
  });

  it('C6: sockets with unfinished fragments pin no memory', async () => {
    const server = await boot({ config: { limits: { perAddress: 100, attemptsPerMinute: 200 } } });
    // The peers are another process: what they hold themselves is not this server's.
    const before = process.memoryUsage().rss;
    const { stdout } = await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'fragment-flood.ts'), String(server.port)]);
    const grownMiB = (process.memoryUsage().rss - before) / 2 ** 20;
    console.log(`C6: ${stdout} sockets with unfinished fragments cut off, memory grew ${grownMiB.toFixed(1)} MiB`);
    expect(stdout).toBe('40');
    expect(grownMiB).toBeLessThanOrEqual(20);
    await expect.poll(() => server.live.connections()).toBe(0);
  });

  it('LV7: garbage of every kind is answered and survived', async () => {
    const server = await boot({ config: { limits: { messagesPerSecond: 1_000, messageBurst: 1_000 } } });
    const client = await connect(server);
    for (const text of [
      '',
      'null',
      '[]',
      '"x"',
      '{',
      '{"type":5}',
      '{"type":"ping","id":7}',
      '{"__proto__":{"x":1}}',
      '{"type":"subscribe"}',
      '{"type":"auth"}',
    ])
      client.send(text);
    await client.settled();
    expect(client.ofType('error').every((error) => !error.fatal)).toBe(true);
    expect(client.ofType('error')).toHaveLength(10);
    expect(Object.prototype).not.toHaveProperty('x');
  });
});

describe('slow readers', () => {
  const BIG = 'x'.repeat(60_000);
  const subscribed = async (server: LiveServer): Promise<RawPeer> => {
    const peer = await RawPeer.open(server.port);
    peer.sendText({ type: 'subscribe', channels: ALL, id: 's' });
    await peer.received('"ack"');
    return peer;
  };

  it('LV28, C4: a reader that stops reading holds at most 1 MiB, is closed with 4413 after 5 s, and delays nobody', async () => {
    const server = await boot();
    const reader = await connect(server);
    reader.send({ type: 'subscribe', channels: ALL, id: 's' });
    await reader.next('ack');
    const dead = await Promise.all([subscribed(server), subscribed(server)]);
    for (const peer of dead) peer.socket.pause();
    // At least 12 MB each: several vanish into kernel buffers before anything is seen here.
    for (let n = 1; n <= 220; n += 1) {
      server.world.commit({ eventId: `E${n}`, description: BIG });
      await reader.until((message): message is never => message.type === 'alert' && message.seq === n, `alert ${n}`);
    }
    const worst = Math.max(...server.bufferedBytes());
    expect(worst).toBeGreaterThan(200_000);
    expect(worst).toBeLessThanOrEqual(1024 * 1024 + 70_000);
    const started = performance.now();
    await expect.poll(() => server.live.connections(), { timeout: 9_000, interval: 50 }).toBe(1);
    expect(performance.now() - started).toBeLessThan(7_500);
    expect(reader.seqs()).toEqual(Array.from({ length: 220 }, (_, n) => n + 1));
    for (const peer of dead) peer.socket.destroy();
  });

  it('LV28: a reader that drains in time goes on from its place without loss', async () => {
    const server = await boot({ config: { limits: { drainSeconds: 20 } } });
    const client = await connect(server);
    client.send({ type: 'subscribe', channels: ALL, id: 's' });
    await client.next('ack');
    client.ws.pause();
    for (let n = 1; n <= 300; n += 1) server.world.commit({ eventId: `E${n}`, description: BIG });
    await expect.poll(() => Math.max(...server.bufferedBytes()), { timeout: 5_000 }).toBeGreaterThan(200_000);
    server.world.commit({ eventId: 'while stalled' });
    client.ws.resume();
    await client.until((message): message is never => message.type === 'alert' && message.seq === 301, 'the head');
    expect(client.seqs()).toEqual(Array.from({ length: 301 }, (_, n) => n + 1));
  });

  it('LV28: a replay of any size is paced and never counts as slow', async () => {
    const server = await boot();
    for (let n = 1; n <= 300; n += 1) server.world.commit({ eventId: `E${n}`, description: BIG });
    const client = await connect(server);
    client.send({ type: 'subscribe', channels: ALL, since: cursor(0) });
    let worst = 0;
    const watch = setInterval(() => (worst = Math.max(worst, ...server.bufferedBytes())), 1);
    await client.until((message): message is never => message.type === 'alert' && message.seq === 300, 'the head');
    clearInterval(watch);
    expect(worst).toBeLessThan(512 * 1024);
    expect(client.seqs()).toHaveLength(300);
  });
});
