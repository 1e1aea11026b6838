/** The live feed on a real HTTP server at a free loopback port, for tests and benchmarks. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type Clock, systemClock } from '../../platform/clock.ts';
import { silentLog } from '../../platform/log.ts';
import { createLive, type Live, type LiveDeps } from './index.ts';
import { createMemoryWorld, type MemoryWorld } from './memory-world.ts';

export interface LiveServer {
  world: MemoryWorld;
  live: Live;
  server: Server;
  port: number;
  /** Of the WebSocket endpoint. */
  url: string;
  /** What this process holds back for each connected peer, bytes. */
  bufferedBytes(): number[];
  close(): Promise<void>;
}

export interface LiveServerOptions extends Partial<Omit<LiveDeps, 'config' | 'clock'>> {
  clock?: Clock;
  world?: MemoryWorld;
  config?: Partial<LiveDeps['config']>;
  port?: number;
}

export async function startLiveServer(options: LiveServerOptions = {}): Promise<LiveServer> {
  const { world = createMemoryWorld(), clock = systemClock, config, port: wantedPort = 0, ...rest } = options;
  const live = createLive({
    clock,
    log: silentLog,
    alertLog: world.log,
    board: world.board,
    freshness: () => world.freshness,
    ...rest,
    config: { origins: () => [], loopbackOnly: true, ...config },
  });
  const server = createServer((_request, response) => response.writeHead(404).end());
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const detach = live.attach(server);
  await new Promise<void>((done) => server.listen(wantedPort, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    world,
    live,
    server,
    port,
    url: `ws://127.0.0.1:${port}/ws/alerts`,
    bufferedBytes: () => [0, ...[...sockets].map((socket) => socket.writableLength)],
    async close() {
      detach();
      await live.stop();
      server.closeAllConnections();
      await new Promise<void>((done) => server.close(() => done()));
    },
  };
}
