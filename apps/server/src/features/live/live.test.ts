import type { ServerMessage, UpdateMessageOut } from '@nwms/contract';
import { describe, expect, it } from 'vitest';
import { LiveClient } from './live-client.ts';
import { ALL_CHANNELS as ALL, cursorAt as cursor, liveFixture } from './live-fixture.ts';
import { createMemoryWorld } from './memory-world.ts';

const { boot, connect } = liveFixture();
const types = (client: LiveClient): string[] => client.messages.map((message) => message.type);

describe('connecting', () => {
  it('LV1: both paths are one endpoint, and nwms.v1 is echoed while other subprotocols are not', async () => {
    const server = await boot();
    const base = `ws://127.0.0.1:${server.port}`;
    const plain = await LiveClient.open(`${base}/api/v1/ws/alerts`, {}, ['other.v9', 'nwms.v1']);
    expect(plain.ws.protocol).toBe('nwms.v1');
    expect(plain.ws.extensions).toBe('');
    expect((await plain.next('heartbeat')).cursor).toBeNull();
    await expect(LiveClient.open(`${base}/ws/other`)).rejects.toThrow('404');
    plain.ws.terminate();
  });

  it('LV1: a binary frame ends the connection with 4400', async () => {
    const client = await connect(await boot());
    client.ws.send(Buffer.from('{"type":"ping"}'));
    expect(await client.closed).toMatchObject({ code: 4400, reason: 'code=live.protocol; retry=0' });
    expect(client.ofType('error')[0]).toMatchObject({ code: 'live.protocol', fatal: true });
  });

  it('LV5, LV22: the first heartbeat has no cursor, the limits, the freshness, and where the log stands', async () => {
    const server = await boot();
    server.world.commit({ eventId: 'A' }, { eventId: 'B' });
    const beat = await (await connect(server)).next('heartbeat');
    expect(beat).toMatchObject({
      cursor: null,
      epoch: 'testepoc',
      latest_cursor: cursor(2),
      oldest_cursor: cursor(0),
      interval_seconds: 25,
    });
    expect(beat.freshness).toEqual(server.world.freshness);
    expect(beat.limits?.['max_message_bytes']).toBe(16_384);
  });
});

describe('subscribing', () => {
  it('LV6, API-49: who sends only the published messages receives only the five published types', async () => {
    const server = await boot();
    const client = await connect(server);
    client.send({ type: 'subscribe', channels: ALL });
    client.send({ type: 'nonsense' });
    await client.settled();
    server.world.commit({ eventId: 'A' }, { eventId: 'A', kind: 'revised' });
    await client.next('update');
    client.send({ type: 'unsubscribe', channels: ['updates'] });
    await client.settled();
    expect(new Set(types(client))).toEqual(new Set(['heartbeat', 'error', 'pong', 'alert', 'update']));
    expect(client.ofType('error')[0]).toMatchObject({ code: 'live.unknown_type', fatal: false });
  });

  it('API-49: an alert carries `alert`, an update `update`, an error `error`; a ping is answered by a pong', async () => {
    const server = await boot();
    const client = await connect(server);
    client.send({ type: 'subscribe', channels: ['alerts', 'severe_alerts', 'updates'] });
    await client.settled();
    server.world.commit({ eventId: 'A' }, { eventId: 'A', kind: 'revised' });
    expect((await client.next('alert')).alert).toMatchObject({ event_id: 'A' });
    expect((await client.next('update')).update).toMatchObject({ event_id: 'A', kind: 'revised' });
    client.send({ type: 'nonsense' });
    expect((await client.next('error')).error).toEqual(expect.any(String));
    client.send({ type: 'ping' });
    expect(await client.next('pong')).toMatchObject({ type: 'pong' });
  });

  it('LV7: one unknown channel or a bad filter refuses the whole message', async () => {
    const server = await boot();
    const client = await connect(server);
    client.send({ type: 'subscribe', channels: ['alerts', 'gossip'], id: 'a' });
    client.send({ type: 'subscribe', channels: [], id: 'b' });
    client.send({ type: 'subscribe', channels: ['alerts'], filter: { severty: ['Severe'] }, id: 'c' });
    client.send({ type: 'subscribe', channels: ['alerts'], filter: { ugc: Array.from({ length: 21 }, () => 'IA') }, id: 'd' });
    client.send({ type: 'subscribe', channels: ['alerts'], since: 'never', id: 'e' });
    await client.settled();
    server.world.commit({ eventId: 'A' });
    await client.settled();
    expect(client.ofType('error').map(({ id, code }) => [id, code])).toEqual([
      ['a', 'live.unknown_channel'],
      ['b', 'live.bad_message'],
      ['c', 'live.bad_filter'],
      ['d', 'live.bad_filter'],
      ['e', 'live.bad_cursor'],
    ]);
    expect(client.seqs()).toEqual([]);
  });

  it('LV8: each channel carries exactly its entries', async () => {
    const server = await boot();
    const [alerts, severe, updates] = await Promise.all([connect(server), connect(server), connect(server)]);
    for (const [client, channel] of [
      [alerts, 'alerts'],
      [severe, 'severe_alerts'],
      [updates, 'updates'],
    ] as const) {
      client.send({ type: 'subscribe', channels: [channel], id: 's' });
      await client.next('ack');
    }
    server.world.commit(
      { eventId: 'minor', severity: 'Minor' },
      { eventId: 'severe', severity: 'Severe' },
      { eventId: 'minor', kind: 'escalated', severity: 'Extreme' },
      { eventId: 'severe', kind: 'revised' },
      { eventId: 'old', kind: 'backfilled' },
    );
    await Promise.all([alerts.settled(), severe.settled(), updates.settled()]);
    expect([alerts.seqs(), severe.seqs(), updates.seqs()]).toEqual([
      [1, 2],
      [2, 3],
      [3, 4, 5],
    ]);
  });

  it('LV9: nothing of an unsubscribed channel is sent after the ack, and unsubscribing twice is no fault', async () => {
    const server = await boot();
    const client = await connect(server);
    client.send({ type: 'subscribe', channels: ALL, id: 's' });
    await client.next('ack');
    client.send({ type: 'unsubscribe', channels: ['alerts', 'severe_alerts', 'unheard_of'], id: 'u' });
    expect((await client.next('ack')).channels).toEqual(['updates']);
    client.send({ type: 'unsubscribe', channels: ['alerts'], id: 'v' });
    await client.next('ack');
    server.world.commit({ eventId: 'A' }, { eventId: 'A', kind: 'revised' });
    await client.next('update');
    expect(client.seqs()).toEqual([2]);
  });

  it('LV10, LV22: pong and heartbeat tell the position of this connection', async () => {
    const server = await boot();
    const client = await connect(server);
    client.send({ type: 'ping', id: 'early' });
    expect(await client.next('pong')).toMatchObject({ id: 'early', cursor: null });
    client.send({ type: 'subscribe', channels: ALL });
    await client.settled();
    server.world.commit({ eventId: 'A' });
    await client.next('alert');
    client.send({ type: 'ping' });
    const pong = await client.next('pong');
    expect(pong).toMatchObject({ cursor: cursor(1) });
    expect(pong).not.toHaveProperty('id');
  });

  it('LV11: exactly one ack per id, sent before anything the message brings', async () => {
    const server = await boot();
    server.world.commit(...Array.from({ length: 30 }, (_, n) => ({ eventId: `E${n}` })));
    const client = await connect(server);
    client.send({ type: 'subscribe', channels: ['alerts'], since: cursor(10), id: 'resume' });
    await client.until((message): message is ServerMessage => message.type === 'alert' && message.seq === 30, 'alert 30');
    expect(types(client).slice(0, 3)).toEqual(['heartbeat', 'ack', 'alert']);
    expect(client.ofType('ack')).toEqual([{ type: 'ack', id: 'resume', channels: ['alerts'], from_cursor: cursor(10), recovered: true }]);
  });
});

describe('filters', () => {
  it('LV12: an entry passes when the version before or after it matches', async () => {
    const server = await boot();
    const client = await connect(server);
    client.send({ type: 'subscribe', channels: ALL, filter: { ugc: ['IAC153'] }, id: 's' });
    await client.next('ack');
    server.world.commit({ eventId: 'A', ugc: ['IAC153', 'IAC001'] }, { eventId: 'B', ugc: ['NEC055'] });
    server.world.commit({ eventId: 'A', kind: 'revised', ugc: ['IAC001'] });
    server.world.commit({ eventId: 'A', kind: 'revised', ugc: ['IAC001'] }, { eventId: 'B', kind: 'revised', ugc: ['IAC153'] });
    await client.settled();
    expect(client.seqs()).toEqual([1, 3, 5]);
  });

  it('LV12: leaving the filter is told also by a replay that never saw the version before', async () => {
    const world = createMemoryWorld();
    world.commit({ eventId: 'A', severity: 'Severe' });
    world.commit({ eventId: 'A', kind: 'revised', severity: 'Minor', diff: { severity: { from: 'Severe', to: 'Minor' } } });
    world.commit({ eventId: 'B', severity: 'Minor' });
    world.commit({
      eventId: 'C',
      kind: 'revised',
      ugc: ['IAC001'],
      diff: { area: { added: [], removed: [{ ugc: 'IAC153', reason: 'cancelled' }] } },
    });
    const server = await boot({ world });
    const [severe, area] = await Promise.all([connect(server), connect(server)]);
    severe.send({ type: 'subscribe', channels: ALL, since: cursor(0), filter: { severity: ['severe'], ugc: ['IAC153'] } });
    area.send({ type: 'subscribe', channels: ALL, since: cursor(3), filter: { ugc: ['IAC153'] } });
    await Promise.all([severe.next('update'), area.next('update')]);
    expect([severe.seqs(), area.seqs()]).toEqual([[1, 2, 4], [4]]);
  });

  it('LV12: one filter per connection: the last one holds, absent keeps it, null clears it', async () => {
    const server = await boot();
    const client = await connect(server);
    const subscribe = async (rest: object) => {
      client.send({ type: 'subscribe', channels: ['alerts'], id: 'x', ...rest });
      await client.next('ack');
    };
    await subscribe({ filter: { severity: ['Extreme'] } });
    server.world.commit({ eventId: 'A', severity: 'Minor' });
    await subscribe({});
    server.world.commit({ eventId: 'B', severity: 'Minor' });
    await subscribe({ filter: { severity: ['Minor'] } });
    server.world.commit({ eventId: 'C', severity: 'Minor' }, { eventId: 'D', severity: 'Extreme' });
    await client.next('alert');
    await subscribe({ filter: null });
    server.world.commit({ eventId: 'E', severity: 'Extreme' });
    await client.next('alert');
    expect(client.seqs()).toEqual([3, 5]);
  });
});

describe('messages', () => {
  it('LV17, LV18: a first issue is an alert, every other kind an update, with all channels of the entry', async () => {
    const server = await boot();
    const client = await connect(server);
    client.send({ type: 'subscribe', channels: ['alerts', 'updates'], id: 's' });
    await client.next('ack');
    server.world.commit({ eventId: 'A' }, { eventId: 'A', kind: 'corrected' });
    const alert = await client.next('alert');
    const update = (await client.next('update')) as UpdateMessageOut;
    expect(alert).toMatchObject({
      seq: 1,
      cursor: cursor(1),
      at: '2026-11-21T09:00:01.000Z',
      kind: 'issued',
      channels: ['alerts', 'severe_alerts'],
    });
    expect(alert.alert).toMatchObject({ event_id: 'A', areaDesc: 'IAC153', version: 1 });
    expect(update).toMatchObject({ seq: 2, cursor: cursor(2), kind: 'corrected', channels: ['updates'] });
    expect(update.update).toMatchObject({
      kind: 'corrected',
      event_id: 'A',
      version: 2,
      state: 'in_force',
      state_reason: 'issued',
      is_active: true,
      summary: 'corrected A',
    });
    expect(update.update.alert.event_id).toBe('A');
  });

  it('LV19: each entry is sent once, however many channels match', async () => {
    const server = await boot();
    const client = await connect(server);
    client.send({ type: 'subscribe', channels: ALL });
    client.send({ type: 'subscribe', channels: ALL, id: 'again' });
    await client.next('ack');
    for (let n = 0; n < 40; n += 1)
      server.world.commit({ eventId: `E${n % 7}`, kind: n % 3 ? 'escalated' : 'issued' }, { eventId: `F${n}` });
    await client.settled();
    expect(client.seqs()).toEqual(Array.from({ length: 80 }, (_, n) => n + 1));
  });

  it('LV21: tests and drafts are never sent, live or by replay, and the position moves past them', async () => {
    const server = await boot();
    server.world.commit({ eventId: 'T', countable: false }, { eventId: 'A' });
    const client = await connect(server);
    client.send({ type: 'subscribe', channels: ALL, since: cursor(0) });
    await client.next('alert');
    server.world.commit({ eventId: 'T', kind: 'revised', countable: false });
    await client.settled();
    client.send({ type: 'ping', id: 'p' });
    expect((await client.next('pong')).cursor).toBe(cursor(3));
    expect(client.seqs()).toEqual([2]);
  });
});
