import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type ChildServer, poll, startChild } from './child-server.ts';

const SOCKETS = 20;
/** An event the simulator does not make: a long-poll for it waits. */
const NEVER = 'event=Tsunami%20Warning';
const EXIT_WITHIN_MS = 10_000;

let dataDir: string;
let running: ChildServer[];
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'nwms-stop-'));
  running = [];
});
afterEach(async () => {
  for (const child of running) {
    child.kill('SIGKILL');
    await child.exited;
  }
  rmSync(dataDir, { recursive: true, force: true });
});

async function started(): Promise<ChildServer> {
  const child = await startChild(dataDir);
  running.push(child);
  await poll(
    () => child.json('/alerts/stats'),
    (stats) => stats.total > 50,
    30_000,
  );
  return child;
}

/** An open socket that heard its first message; answers its close code later. */
async function opened(url: string): Promise<{ closed: Promise<number> }> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws/alerts`, 'nwms.v1');
  const closed = new Promise<number>((code) => socket.once('close', code));
  await new Promise((first, failed) => socket.once('message', first).once('error', failed));
  return { closed };
}

/** One GET through an agent that keeps its connections. */
function get(url: string, agent: Agent): Promise<{ status: number; body: string }> {
  return new Promise((answer, failed) => {
    request(url, { agent }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => (body += text));
      response.on('end', () => answer({ status: response.statusCode ?? 0, body }));
      response.on('error', failed);
    })
      .on('error', failed)
      .end();
  });
}

/** A raw keep-alive connection on which one request was answered. It asks again when told. */
async function keptConnection(url: string, path: string): Promise<{ again(): Promise<string> }> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  let heard = '';
  socket.setEncoding('utf8').on('data', (text: string) => (heard += text));
  const ask = async (): Promise<string> => {
    heard = '';
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
    return poll(
      async () => heard || (socket.closed ? 'closed' : ''),
      (text) => text !== '',
      5_000,
      5,
    );
  };
  expect(await ask()).toMatch(/^HTTP\/1.1 200/);
  return { again: ask };
}

describe('a stop by SIGTERM (I3)', () => {
  it('readiness falls at once, what is under way is answered, sockets close with 1001, the end is clean and the log goes on', async () => {
    const child = await started();
    const before = await child.json('/alerts/changes');
    const sockets = await Promise.all(Array.from({ length: SOCKETS }, () => opened(child.url)));
    const agent = new Agent({ keepAlive: true });
    await Promise.all(Array.from({ length: 10 }, () => get(`${child.url}/api/v1/alerts?limit=5`, agent)));
    const kept = await keptConnection(child.url, '/health/ready');
    const longPoll = get(`${child.url}/api/v1/alerts/changes?since=${before.cursor}&wait=20&${NEVER}`, new Agent());
    // The long-poll is waiting once a question asked after it was answered.
    await get(`${child.url}/api/v1/alerts?limit=1`, agent);

    const stoppedAt = performance.now();
    child.kill('SIGTERM');
    const closeCodes = Promise.all(sockets.map((socket) => socket.closed));
    const draining = await poll(
      () => kept.again(),
      (answer) => !answer.startsWith('HTTP/1.1 200'),
      2_000,
      1,
    );
    const readyFellMs = performance.now() - stoppedAt;
    expect(draining).toMatch(/^(HTTP\/1.1 503|closed)/);

    const answered = await longPoll;
    expect(answered.status).toBe(200);
    expect(JSON.parse(answered.body)).toMatchObject({ changes: [], has_more: false });
    expect(await closeCodes).toEqual(Array(SOCKETS).fill(1001));
    expect(await child.exited).toEqual({ code: 0, signal: null });
    const exitedMs = performance.now() - stoppedAt;
    expect(exitedMs).toBeLessThan(EXIT_WITHIN_MS);
    console.log(`stop: readiness fell after ${readyFellMs.toFixed(0)} ms (${draining.slice(0, 12)}), exit after ${exitedMs.toFixed(0)} ms`);
    expect(readyFellMs).toBeLessThan(1_000);

    const next = await started();
    const after = await next.json(`/alerts/changes?since=${before.cursor}`);
    expect(after.error).toBeUndefined();
    const [epoch, seq] = before.cursor.split(/[:.-]/);
    const [nextEpoch, nextSeq] = after.latest_cursor.split(/[:.-]/);
    expect(nextEpoch).toBe(epoch);
    expect(Number(nextSeq)).toBeGreaterThanOrEqual(Number(seq));
  }, 90_000);

  it('a second SIGTERM ends it within a second', async () => {
    const child = await started();
    const { cursor } = await child.json('/alerts/changes');
    // Something that keeps it from ending by itself at once.
    const longPoll = get(`${child.url}/api/v1/alerts/changes?since=${cursor}&wait=20&${NEVER}`, new Agent()).catch(() => null);
    const socket = await opened(child.url);
    child.kill('SIGTERM');
    // Two signals at once count as one: the second is sent when the first was seen.
    await socket.closed;
    child.kill('SIGTERM');
    const from = performance.now();
    await child.exited;
    expect(performance.now() - from).toBeLessThan(1_000);
    await longPoll;
  }, 60_000);
});
