/**
 * Thousands of clients of one server in a process of its own. They come from 127.0.1.1, 127.0.1.2 ... so that the cap per address stays on, and
 * speak the socket's bytes themselves, so that what is measured is the server and not ten thousand client objects.
 */
import { createHash, randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import type { LiveOrder, LiveReport } from './live-orders.ts';

interface Client {
  socket: Socket;
  rest: Buffer;
  open: boolean;
  /** Alert messages still to come. */
  missing: number;
  doneAt: bigint;
}

let clients: Client[] = [];
let waiting = 0;
let started = 0n;
let dropped = 0;
let leaving = false;
const tell = (report: LiveReport) => process.send?.(report);
const ALERT = Buffer.from('{"type":"alert"');

/** A masked text frame, as clients must send. */
function frame(text: string): Buffer {
  const payload = Buffer.from(text);
  const mask = randomBytes(4);
  const head =
    payload.length < 126
      ? Buffer.from([0x81, 0x80 | payload.length])
      : Buffer.from([0x81, 0xfe, payload.length >> 8, payload.length & 255]);
  return Buffer.concat([head, mask, payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0))]);
}

/** Takes whole frames off the front; an incomplete one stays. Alerts are told by how their text begins. */
function take(client: Client, data: Buffer): void {
  const bytes = client.rest.length > 0 ? Buffer.concat([client.rest, data]) : data;
  let at = 0;
  while (at + 2 <= bytes.length) {
    const short = (bytes[at + 1] as number) & 0x7f;
    const head = short < 126 ? 2 : short === 126 ? 4 : 10;
    if (at + head > bytes.length) break;
    const length = short < 126 ? short : short === 126 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2));
    if (at + head + length > bytes.length) break;
    if (bytes[at] === 0x81 && bytes.compare(ALERT, 0, ALERT.length, at + head, at + head + ALERT.length) === 0) received(client);
    at += head + length;
  }
  client.rest = at === bytes.length ? Buffer.alloc(0) : bytes.subarray(at);
}

function received(client: Client): void {
  client.missing -= 1;
  if (client.missing !== 0) return;
  client.doneAt = process.hrtime.bigint();
  waiting -= 1;
  if (waiting === 0) tell({ did: 'received', at: clients.map((one) => String(one.doneAt)), started: String(started), dropped });
}

function openOne(port: number, address: string): Promise<Client> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: address });
  const client: Client = { socket, rest: Buffer.alloc(0), open: false, missing: 0, doneAt: 0n };
  const key = createHash('sha1').update(randomBytes(16)).digest().subarray(0, 16).toString('base64');
  socket.write(
    `GET /ws/alerts HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
  );
  return new Promise((done, fail) => {
    socket.on('error', fail);
    socket.on('close', () => {
      if (!leaving) dropped += 1;
      fail(new Error('closed before it was open'));
    });
    socket.on('data', (data: Buffer) => {
      if (client.open) return take(client, data);
      client.rest = Buffer.concat([client.rest, data]);
      const end = client.rest.indexOf('\r\n\r\n');
      if (end < 0) return;
      if (!client.rest.subarray(0, 12).equals(Buffer.from('HTTP/1.1 101'))) return fail(new Error(client.rest.toString('latin1', 0, 200)));
      client.open = true;
      const rest = client.rest.subarray(end + 4);
      client.rest = Buffer.alloc(0);
      if (rest.length > 0) take(client, rest);
      done(client);
    });
  });
}

async function connectAll(port: number, count: number, perAddress: number, skipAddresses: number): Promise<void> {
  const from = performance.now();
  dropped = 0;
  clients = [];
  // A hundred at a time: a listen queue holds 511.
  for (let start = 0; start < count; start += 100) {
    const batch = Array.from({ length: Math.min(100, count - start) }, (_, index) => {
      const number = skipAddresses + Math.floor((start + index) / perAddress);
      return openOne(port, `127.0.${1 + Math.floor(number / 250)}.${1 + (number % 250)}`);
    });
    clients.push(...(await Promise.all(batch)));
  }
  tell({ did: 'connect', seconds: (performance.now() - from) / 1_000, dropped });
}

function expectAll(count: number): void {
  waiting = clients.length;
  for (const client of clients) client.missing = count;
}

process.on('message', (order: LiveOrder) => {
  if (order.do === 'connect') {
    void connectAll(order.port, order.count, order.perAddress, order.skipAddresses ?? 0).catch((error: unknown) => {
      console.error(error);
      process.exit(1);
    });
  } else if (order.do === 'expect') {
    expectAll(order.count);
    tell({ did: 'ready' });
  } else if (order.do === 'subscribe') {
    const text = JSON.stringify({ type: 'subscribe', channels: ['alerts'], ...(order.since ? { since: order.since } : {}) });
    if (order.expect > 0) expectAll(order.expect);
    started = process.hrtime.bigint();
    for (const client of clients) client.socket.write(frame(text));
    if (order.expect === 0) tell({ did: 'ready' });
  } else if (order.do === 'hang') {
    for (const client of clients) client.socket.pause();
    tell({ did: 'ready' });
  } else if (order.do === 'leave') {
    leaving = true;
    for (const client of clients) client.socket.destroy();
    clients = [];
    setTimeout(() => {
      leaving = false;
      tell({ did: 'leave' });
    }, 1_000);
  }
});
