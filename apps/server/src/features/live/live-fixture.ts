import { afterEach } from 'vitest';
import { LiveClient } from './live-client.ts';
import type { Clock } from '../../platform/clock.ts';
import { startLiveServer, type LiveServer, type LiveServerOptions } from './live-server.ts';

export const ALL_CHANNELS = ['alerts', 'severe_alerts', 'updates'];
export const cursorAt = (seq: number) => `testepoc:${seq}`;

export interface LiveFixture {
  boot(options?: LiveServerOptions): Promise<LiveServer>;
  connect(server: LiveServer): Promise<LiveClient>;
}

/** Servers and clients of one test file, closed after each test. */
export function liveFixture(): LiveFixture {
  const servers: { server: LiveServer; clock: Clock | undefined }[] = [];
  const clients: LiveClient[] = [];
  afterEach(async () => {
    for (const client of clients.splice(0)) client.ws.terminate();
    await Promise.all(servers.splice(0).map(({ server, clock }) => closed(server, clock)));
  });
  return {
    async boot(options = {}) {
      const server = await startLiveServer(options);
      servers.push({ server, clock: options.clock });
      return server;
    },
    async connect(server) {
      const client = await LiveClient.open(server.url);
      clients.push(client);
      return client;
    },
  };
}

/** A clock that moves only when told must be moved for the stop, too. */
async function closed(server: LiveServer, clock: Clock | undefined): Promise<void> {
  const closing = server.close().then(() => true);
  const advance = clock && 'advance' in clock ? (clock as { advance(ms: number): Promise<void> }).advance : null;
  for (let isClosed = advance === null; !isClosed;) {
    await advance?.(1_000);
    isClosed = await Promise.race([closing, false]);
  }
  await closing;
}
