import type { ServerMessage } from '@nwms/contract';
import { describe, expect, it } from 'vitest';
import type { LiveClient } from './live-client.ts';
import { ALL_CHANNELS as ALL, cursorAt as cursor, liveFixture } from './live-fixture.ts';

const { boot, connect } = liveFixture();
const types = (client: LiveClient): string[] => client.messages.map((message) => message.type);
const isAlert =
  (seq: number) =>
  (message: ServerMessage): message is ServerMessage =>
    message.type === 'alert' && message.seq === seq;

describe('recovery', () => {
  it('LV13: since brings every matching entry above it, ascending, then live; later it is too late', async () => {
    const server = await boot();
    server.world.commit(...Array.from({ length: 1_000 }, (_, n) => ({ eventId: `E${n}` })));
    const client = await connect(server);
    client.send({ type: 'subscribe', channels: ALL, since: cursor(200) });
    server.world.commit({ eventId: 'live' });
    await client.until(isAlert(1_001), 'alert 1001');
    expect(client.seqs()).toEqual(Array.from({ length: 801 }, (_, n) => n + 201));
    client.send({ type: 'subscribe', channels: ALL, since: cursor(1), id: 'late' });
    expect(await client.next('error')).toMatchObject({ id: 'late', code: 'live.since_too_late', fatal: false });
  });

  it('LV14: a snapshot holds every active match in rank order under one cursor, before anything else', async () => {
    const server = await boot();
    server.world.commit(
      ...Array.from({ length: 250 }, (_, n) => ({
        eventId: `E${n}`,
        rank: (n * 37) % 1000,
        severity: n % 2 ? ('Minor' as const) : ('Severe' as const),
      })),
    );
    server.world.commit({ eventId: 'E0', kind: 'cancelled' });
    const client = await connect(server);
    client.send({ type: 'subscribe', channels: ALL, snapshot: 'always', filter: { severity: ['Severe'] }, id: 's' });
    await client.next('ack');
    server.world.commit({ eventId: 'after' });
    await client.next('alert');
    const parts = client.ofType('snapshot');
    expect(parts.map(({ part, parts, total, cursor }) => [part, parts, total, cursor])).toEqual(
      [1, 2].map((part) => [part, 2, parts[0]!.total, parts[0]!.cursor]),
    );
    expect(parts.every((part) => part.alerts.length <= 100)).toBe(true);
    const rows = parts.flatMap((part) => part.alerts);
    expect(rows.map((row) => row.hazard_rank)).toEqual(rows.map((row) => row.hazard_rank).sort((a, b) => b - a));
    const expected = server.world.active().filter((alert) => alert.severity === 'Severe' && alert.event_id !== 'after');
    expect(new Set(rows.map((row) => row.event_id))).toEqual(new Set(expected.map((alert) => alert.event_id)));
    expect(client.seqs()).toEqual([252]);
    expect(types(client).slice(0, 4)).toEqual(['heartbeat', 'ack', 'snapshot', 'snapshot']);
  });

  it('LV14: an empty snapshot is one part with no rows and the freshness that says what empty means', async () => {
    const client = await connect(await boot());
    client.send({ type: 'subscribe', channels: ALL, snapshot: 'always' });
    expect(await client.next('snapshot')).toMatchObject({
      part: 1,
      parts: 1,
      total: 0,
      alerts: [],
      freshness: { status: 'live' },
      cursor: cursor(0),
    });
  });

  it('LV14: parts stay below 256 KiB', async () => {
    const server = await boot();
    server.world.commit(...Array.from({ length: 40 }, (_, n) => ({ eventId: `E${n}`, description: 'x'.repeat(20_000) })));
    const client = await connect(server);
    client.send({ type: 'subscribe', channels: ALL, snapshot: 'always' });
    const first = await client.next('snapshot');
    await client.until((message): message is ServerMessage => message.type === 'snapshot' && message.part === first.parts, 'last part');
    expect(first.parts).toBeGreaterThan(3);
    for (const text of client.texts) expect(text.length).toBeLessThan(257 * 1024);
  });

  it('LV14, LV15: a snapshot asked for later loses nothing of what was subscribed before', async () => {
    const server = await boot();
    const client = await connect(server);
    client.send({ type: 'subscribe', channels: ['updates'], id: 'a' });
    await client.next('ack');
    server.world.commit({ eventId: 'A' }, { eventId: 'A', kind: 'revised' });
    client.send({ type: 'subscribe', channels: ['alerts'], snapshot: 'always', id: 'b' });
    server.world.commit({ eventId: 'A', kind: 'revised' }, { eventId: 'B' });
    await client.next('snapshot');
    server.world.commit({ eventId: 'C' });
    await client.next('alert');
    await client.settled();
    const snapshot = client.ofType('snapshot')[0]!;
    const at = Number(snapshot.cursor.split(':')[1]);
    const before = client.messages
      .slice(0, client.messages.indexOf(snapshot))
      .flatMap((m) => (m.type === 'update' || m.type === 'alert' ? [m.seq] : []));
    expect(before).toEqual([2, 3].filter((seq) => seq <= at));
    expect(client.seqs()).toEqual(at >= 4 ? [2, 3, 5] : at >= 3 ? [2, 3, 4, 5] : [2, 3, 4, 5]);
  });

  it.each([
    ['epoch_changed', 'otherepo:5'],
    ['ahead', cursor(999)],
    ['too_old', cursor(3)],
  ])('LV16: a position that cannot be honoured is a gap (%s), never a partial recovery', async (reason, since) => {
    const server = await boot();
    server.world.commit(...Array.from({ length: 20 }, (_, n) => ({ eventId: `E${n}` })));
    server.world.prune(10);
    const client = await connect(server);
    client.send({ type: 'subscribe', channels: ALL, since, id: 's' });
    expect(await client.next('ack')).toMatchObject({ recovered: false, from_cursor: cursor(20) });
    expect(await client.next('gap')).toEqual({ type: 'gap', reason, requested: since, oldest_cursor: cursor(10), cursor: cursor(20) });
    server.world.commit({ eventId: 'next' });
    await client.next('alert');
    expect(client.seqs()).toEqual([21]);
  });

  it('LV14, LV16: snapshot on_gap comes only with a gap, and until its last part no cursor is confirmed', async () => {
    const server = await boot();
    server.world.commit({ eventId: 'A' }, { eventId: 'B' });
    const [whole, lost] = await Promise.all([connect(server), connect(server)]);
    whole.send({ type: 'subscribe', channels: ALL, since: cursor(0), snapshot: 'on_gap' });
    lost.send({ type: 'subscribe', channels: ALL, since: 'gone:1', snapshot: 'on_gap' });
    await whole.settled();
    const snapshot = await lost.next('snapshot');
    expect(types(lost).slice(1)).toEqual(['gap', 'snapshot']);
    expect(snapshot).toMatchObject({ total: 2, cursor: cursor(2) });
    expect(types(whole)).not.toContain('snapshot');
    expect(whole.seqs()).toEqual([1, 2]);
  });

  it('LV16: a gap brings one gap and one snapshot, even when a snapshot from before the loss is still being shared', async () => {
    const server = await boot();
    server.world.commit(...Array.from({ length: 300 }, (_, n) => ({ eventId: `E${n}` })));
    const early = await connect(server);
    early.send({ type: 'subscribe', channels: ALL, snapshot: 'always' });
    await early.settled();
    server.world.commit(...Array.from({ length: 10 }, (_, n) => ({ eventId: `F${n}` })));
    server.world.prune(305);
    const late = await connect(server);
    late.send({ type: 'subscribe', channels: ALL, since: cursor(5), snapshot: 'on_gap' });
    await late.until((message): message is ServerMessage => message.type === 'snapshot' && message.part === message.parts, 'last part');
    server.world.commit({ eventId: 'next' });
    await late.until(isAlert(311), 'alert 311');
    await late.settled();
    expect(late.ofType('gap')).toHaveLength(1);
    expect(late.ofType('snapshot').map((part) => [part.part, part.cursor])).toEqual([1, 2, 3, 4].map((part) => [part, cursor(310)]));
    expect(late.seqs()).toEqual([311]);
  });

  it('LV16: entries pruned while a replay is under way are told as a gap', async () => {
    const server = await boot();
    server.world.commit(...Array.from({ length: 600 }, (_, n) => ({ eventId: `E${n}` })));
    server.world.trouble({ delayMs: 30 });
    const client = await connect(server);
    client.send({ type: 'subscribe', channels: ALL, since: cursor(100) });
    await client.until(isAlert(256), 'first page');
    server.world.prune(590);
    expect(await client.next('gap')).toMatchObject({ reason: 'too_old' });
    server.world.commit({ eventId: 'next' });
    await client.until(isAlert(601), 'live again');
    const seqs = client.seqs();
    expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b));
  });

  it('C5: many clients at many positions share a handful of reads of the log', async () => {
    const server = await boot({ config: { limits: { perAddress: 500, attemptsPerMinute: 500 } } });
    server.world.commit(...Array.from({ length: 400 }, (_, n) => ({ eventId: `E${n}` })));
    const many = await Promise.all(Array.from({ length: 200 }, () => connect(server)));
    const before = server.world.reads();
    many.forEach((client, n) => client.send({ type: 'subscribe', channels: ALL, since: cursor(n) }));
    await Promise.all(many.map((client) => client.until(isAlert(400), 'head')));
    many.forEach((client, n) => expect(client.seqs()).toEqual(Array.from({ length: 400 - n }, (_, index) => n + index + 1)));
    expect(server.world.reads() - before).toBeLessThanOrEqual(2);
  });

  it('a log that cannot be read for a moment delays a replay and loses nothing', async () => {
    const server = await boot();
    server.world.commit({ eventId: 'A' }, { eventId: 'B' });
    server.world.trouble({ fails: true });
    const client = await connect(server);
    client.send({ type: 'subscribe', channels: ALL, since: cursor(0) });
    await client.settled();
    expect(client.seqs()).toEqual([]);
    server.world.trouble({});
    await client.until(isAlert(2), 'alert 2');
    expect(client.seqs()).toEqual([1, 2]);
  });
});
