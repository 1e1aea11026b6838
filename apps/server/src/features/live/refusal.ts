import { ERRORS, type ErrorCode } from '@nwms/contract';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { problemBody } from '../../platform/http/problem.ts';
import { randomBase32 } from '../../platform/http/request-id.ts';

/** Answers a handshake that is not accepted with the API's own error body, and closes the socket. */
export function refuseUpgrade(socket: Duplex, code: ErrorCode, detail: string, at: number, retryAfterSeconds?: number): void {
  const { status } = ERRORS[code];
  const requestId = `req_${randomBase32()}`;
  const body = JSON.stringify(problemBody({ code, detail, requestId, at, retryAfterSeconds }));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Content-Type: application/problem+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Cache-Control: no-store',
    'Connection: close',
    ...(retryAfterSeconds === undefined ? [] : [`Retry-After: ${retryAfterSeconds}`]),
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  // A peer that does not read its refusal must not keep the socket.
  const drop = setTimeout(() => socket.destroy(), 1_000);
  drop.unref();
  socket.once('close', () => clearTimeout(drop));
}
