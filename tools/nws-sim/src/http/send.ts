import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

import type { Fault } from '../faults/plan.ts';
import type { Reply } from './reply.ts';

interface Wire {
  now: number;
  correlationId: string;
  fault: Fault | null;
}

/** Validators, compression and headers as upstream sends them; wire faults break the bytes on the way out. */
export function send(request: IncomingMessage, response: ServerResponse, reply: Reply, wire: Wire): void {
  const { fault } = wire;
  const bytes = Buffer.from(reply.body);
  const headers: Record<string, string> = { ...reply.headers, ...commonHeaders(wire) };
  if (reply.status === 200) headers['etag'] = `"${createHash('sha1').update(bytes).digest('hex').slice(0, 16)}"`;
  if (fault?.kind === 'clock') shiftClock(headers, fault.offsetSeconds * 1000);
  if (reply.status === 200 && isNotModified(request, headers)) {
    delete headers['content-type'];
    response.writeHead(304, headers).end();
    return;
  }
  const zipped = fault?.kind === 'cut-gzip' || /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  // Level 1: a national answer is packed in a few milliseconds, and the loop may belong to the program under test.
  const whole = zipped ? gzipSync(bytes, { level: 1 }) : bytes;
  if (zipped) headers['content-encoding'] = 'gzip';
  const body = fault?.kind === 'cut-gzip' ? whole.subarray(0, Math.floor(whole.length / 2)) : whole;
  headers['content-length'] = String(body.length);
  response.writeHead(reply.status, headers);
  if (request.method === 'HEAD') response.end();
  else if (fault?.kind === 'reset')
    response.write(body.subarray(0, Math.max(1, Math.floor(body.length / 2))), () => request.socket.resetAndDestroy());
  else response.end(body);
}

function commonHeaders(wire: Wire): Record<string, string> {
  return {
    date: new Date(wire.now).toUTCString(),
    'access-control-allow-origin': '*',
    'cache-control': 'public, max-age=30, s-maxage=30',
    vary: 'Accept,Feature-Flags,Accept-Language,Accept-Encoding',
    server: 'nwms-nws-sim',
    'x-correlation-id': wire.correlationId,
    'x-request-id': wire.correlationId,
  };
}

function shiftClock(headers: Record<string, string>, byMs: number): void {
  for (const name of ['date', 'last-modified']) {
    const value = headers[name];
    if (value) headers[name] = new Date(Date.parse(value) + byMs).toUTCString();
  }
}

/** RFC 9110 13.1: If-None-Match decides alone; If-Modified-Since only counts as an HTTP date (an ISO date is ignored, as upstream does). */
function isNotModified(request: IncomingMessage, headers: Record<string, string>): boolean {
  const tags = request.headers['if-none-match'];
  if (tags !== undefined) return tags.split(',').some((tag) => tag.trim().replace(/^W\//, '') === headers['etag'] || tag.trim() === '*');
  const since = request.headers['if-modified-since'];
  const modified = headers['last-modified'];
  if (since === undefined || modified === undefined || !since.endsWith('GMT')) return false;
  return Date.parse(modified) <= Date.parse(since);
}
