/** The yardstick of P5 and P6: a plain `ws` server that sends one ready buffer to everyone, or a fixed number of them to whoever asks. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import type { LiveOrder, LiveReport } from './live-orders.ts';

const http = createServer();
const server = new WebSocketServer({ server: http });
const clients = new Set<WebSocket>();
let ready: Buffer[] = [];
const tell = (report: LiveReport) => process.send?.(report);
const messageOf = (bytes: number) => Buffer.from(JSON.stringify({ type: 'alert', description: 'x'.repeat(bytes) }));

server.on('connection', (ws) => {
  clients.add(ws);
  ws.on('close', () => clients.delete(ws));
  ws.on('message', () => {
    for (const message of ready) ws.send(message, { binary: false });
  });
});
process.on('message', (order: LiveOrder) => {
  if (order.do === 'fill') {
    ready = Array.from({ length: order.count }, () => messageOf(order.bytes));
    tell({ did: 'fill', latest: order.count });
  } else if (order.do === 'broadcast') {
    const message = messageOf(order.bytes);
    const at = process.hrtime.bigint();
    for (const ws of clients) ws.send(message, { binary: false });
    tell({ did: 'broadcast', at: String(at) });
  } else {
    tell({ did: 'look', rssBytes: process.memoryUsage().rss, reads: 0, connections: clients.size });
  }
});
http.listen(0, '127.0.0.1', () => tell({ did: 'listen', port: (http.address() as AddressInfo).port }));
