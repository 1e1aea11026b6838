/**
 * Callers of one server on this machine in a process of their own: many connections from many loopback addresses, HTTP/1.1 by hand, so that two
 * processors are enough for server and callers. It never asks anything but 127.0.0.1, and ends with its order or its parent.
 */
import { connect, type Socket } from 'node:net';
import type { Answered, Kind, SenderOrder } from './overload-orders.ts';

interface Pending {
  kind: number;
  sentMs: number;
}
interface Connection {
  socket: Socket;
  pending: Pending | null;
  head: string;
  /** Infinity: as long as its last chunk has not come. */
  bodyLeft: number;
  tail: string;
  status: number;
  free(): void;
}

const LAST_CHUNK = '\r\n0\r\n\r\n';
/** What opens a connection and is not counted. */
const NOBODYS = -1;
const reports: Answered[] = [];
let free: Connection[] = [];
let waiting: ((connection: Connection) => void)[] = [];
let open = 0;
/** Connections that were ever opened: each is opened again when it ends. */
let begun = 0;

/** Addresses 127.1.x.y: limits per address stay as they are in a product. */
const addressOf = (n: number) => `127.1.${1 + Math.floor(n / 250)}.${1 + (n % 250)}`;

function openConnection(port: number, n: number): void {
  const socket = connect({ host: '127.0.0.1', port, localAddress: addressOf(n) });
  socket.setNoDelay(true);
  const connection: Connection = {
    socket,
    pending: null,
    head: '',
    bodyLeft: 0,
    tail: '',
    status: 0,
    free() {
      const next = waiting.shift();
      if (next) next(connection);
      else free.push(connection);
    },
  };
  let isOpen = false;
  socket.on('connect', () => {
    open += 1;
    isOpen = true;
    // A connection that never asked anything is ended by the server after five seconds, one that did after thirty.
    connection.pending = { kind: NOBODYS, sentMs: 0 };
    socket.write('GET /api/v1/health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
  });
  socket.on('data', (data: Buffer) => take(connection, data));
  socket.on('error', () => {});
  socket.on('close', () => {
    if (!isOpen) return;
    open -= 1;
    free = free.filter((one) => one !== connection);
    const { pending } = connection;
    if (pending && pending.kind !== NOBODYS) report(pending.kind).broken += 1;
    // The server ends connections that lay idle, and some that it refused.
    openConnection(port, n);
  });
}

const report = (kind: number): Answered => reports[kind] as Answered;

/** Reads one answer after the other: a head, then as many bytes as it announces. */
function take(connection: Connection, data: Buffer): void {
  let rest = data;
  while (rest.length > 0) {
    if (connection.bodyLeft === Infinity) {
      // Nothing is asked before an answer is read, so its last chunk is at the end of what came.
      connection.tail = (connection.tail + rest.toString('latin1', Math.max(0, rest.length - LAST_CHUNK.length))).slice(-LAST_CHUNK.length);
      if (connection.tail !== LAST_CHUNK) return;
      connection.tail = '';
      connection.bodyLeft = 0;
      rest = rest.subarray(rest.length);
    } else if (connection.bodyLeft > 0) {
      const part = Math.min(connection.bodyLeft, rest.length);
      connection.bodyLeft -= part;
      rest = rest.subarray(part);
    } else {
      const text = connection.head + rest.toString('latin1');
      const end = text.indexOf('\r\n\r\n');
      if (end < 0) {
        connection.head = text;
        return;
      }
      rest = rest.subarray(end + 4 - connection.head.length);
      connection.head = '';
      begin(connection, text.slice(0, end));
    }
    if (connection.bodyLeft === 0) done(connection);
  }
}

function begin(connection: Connection, head: string): void {
  connection.status = Number(head.slice(9, 12));
  connection.bodyLeft = /\r\ntransfer-encoding: chunked/i.test(head) ? Infinity : Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
  connection.tail = '\r\n';
  if (connection.status === 503 && !/\r\nretry-after: [1-9]/i.test(head) && (connection.pending?.kind ?? NOBODYS) !== NOBODYS)
    report(connection.pending?.kind ?? 0).withoutRetryAfter += 1;
}

function done(connection: Connection): void {
  const { pending, status } = connection;
  // The server said something by itself: it is about to end the connection.
  if (!pending) return void connection.socket.destroy();
  connection.pending = null;
  if (pending.kind !== NOBODYS) {
    const answered = report(pending.kind);
    answered.statuses[status] = (answered.statuses[status] ?? 0) + 1;
    (status < 400 ? answered.acceptedMs : answered.refusedMs).push(performance.now() - pending.sentMs);
  }
  connection.free();
}

let turn = 0;
function send(kinds: readonly Kind[], kind: number, connection: Connection): void {
  const { paths, tokens } = kinds[kind] as Kind;
  turn += 1;
  const token = tokens?.[turn % tokens.length];
  const path = paths[Math.floor(Math.random() * paths.length)] ?? '';
  report(kind).sent += 1;
  connection.pending = { kind, sentMs: performance.now() };
  connection.socket.write(
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${token === undefined ? '' : `Authorization: Bearer ${token}\r\n`}User-Agent: overload/1\r\n\r\n`,
  );
}

/** A kind by chance, as often as its weight says. */
function kindOf(kinds: readonly Kind[]): number {
  let left = Math.random() * kinds.reduce((sum, { weight }) => sum + weight, 0);
  return Math.max(
    0,
    kinds.findIndex(({ weight }) => (left -= weight) < 0),
  );
}

/** The next connection that was answered; null when that takes a second: the one that was waited for may be gone. */
function released(): Promise<Connection | null> {
  return new Promise((next) => {
    const take = (connection: Connection) => {
      clearTimeout(timer);
      next(connection);
    };
    const timer = setTimeout(() => {
      waiting = waiting.filter((one) => one !== take);
      next(null);
    }, 1_000);
    waiting.push(take);
  });
}

/** So many callers, each asking again when it was answered. */
async function closed(kinds: readonly Kind[], callers: number, untilMs: number): Promise<void> {
  const caller = async () => {
    while (performance.now() < untilMs) {
      const connection = free.shift() ?? (await released());
      if (connection) send(kinds, kindOf(kinds), connection);
      await new Promise((next) => setImmediate(next));
    }
  };
  // A caller that is not answered holds its connection, so there are never more under way than connections are lent.
  const lent = free.splice(0, Math.max(0, free.length - callers));
  await Promise.all(Array.from({ length: callers }, caller));
  free.push(...lent);
}

/** So many requests a second, whatever becomes of them; what finds no free connection is not sent, and said. */
async function opened(kinds: readonly Kind[], perSecond: number, untilMs: number): Promise<void> {
  const startedMs = performance.now();
  let asked = 0;
  while (performance.now() < untilMs) {
    const due = Math.floor(((performance.now() - startedMs) / 1_000) * perSecond);
    for (; asked < due; asked += 1) {
      const kind = kindOf(kinds);
      const connection = free.shift();
      if (connection) send(kinds, kind, connection);
      else report(kind).unsent += 1;
    }
    await new Promise((next) => setTimeout(next, 2));
  }
}

async function run({ port, connections, kinds, seconds, ...how }: SenderOrder): Promise<void> {
  for (let n = begun; n < connections; n += 1) {
    begun += 1;
    openConnection(port, n);
    // A listen queue holds 511.
    if (n % 100 === 99) await new Promise((next) => setTimeout(next, 50));
  }
  const isReady = () => open >= connections;
  for (let n = 0; n < 1_000 && !isReady(); n += 1) await new Promise((next) => setTimeout(next, 20));
  reports.length = 0;
  for (const { name } of kinds)
    reports.push({ name, sent: 0, unsent: 0, broken: 0, withoutRetryAfter: 0, statuses: {}, acceptedMs: [], refusedMs: [] });
  const startedMs = performance.now();
  const untilMs = startedMs + seconds * 1_000;
  await (how.callers === undefined ? opened(kinds, how.perSecond ?? 0, untilMs) : closed(kinds, how.callers, untilMs));
  const tookSeconds = (performance.now() - startedMs) / 1_000;
  const endedMs = performance.now();
  // What is still under way is given its time.
  for (let n = 0; n < 500 && free.length < open; n += 1) await new Promise((next) => setTimeout(next, 20));
  process.send?.({ seconds: tookSeconds, unanswered: open - free.length, settledMs: performance.now() - endedMs, answered: reports });
}

process.on('message', (order: SenderOrder) => {
  waiting = [];
  void run(order);
});
process.once('disconnect', () => process.exit(0));
