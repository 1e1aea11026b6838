import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** What happens to bytes on their way: through, held, or the connection cut. */
export type ProxyMode = { kind: 'pass' } | { kind: 'hang' } | { kind: 'cut' } | { kind: 'delay'; delayMs: number };

export interface FaultProxy {
  port: number;
  /** From now on, for open connections and new ones. Held bytes go on when it passes again. */
  set(mode: ProxyMode): void;
  connections(): number;
  close(): Promise<void>;
}

interface Pair {
  /** Bytes that wait, in order: what to write and where. */
  held: { to: Socket; bytes: Buffer }[];
  client: Socket;
  server: Socket;
}

/** A TCP proxy on loopback that can hang, cut or delay a service without that service knowing. */
export async function startFaultProxy(target: { host: string; port: number }): Promise<FaultProxy> {
  let mode: ProxyMode = { kind: 'pass' };
  const pairs = new Set<Pair>();

  const forward = (pair: Pair, to: Socket, bytes: Buffer) => {
    if (mode.kind === 'hang' || pair.held.length > 0) pair.held.push({ to, bytes });
    else if (mode.kind === 'delay') setTimeout(() => to.write(bytes), mode.delayMs);
    else to.write(bytes);
  };

  const listener = createServer((client) => {
    if (mode.kind === 'cut') return void client.resetAndDestroy();
    const server = connect(target);
    const pair: Pair = { held: [], client, server };
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      client.destroy();
      server.destroy();
    };
    client.on('data', (bytes: Buffer) => forward(pair, server, bytes));
    server.on('data', (bytes: Buffer) => forward(pair, client, bytes));
    for (const socket of [client, server]) socket.on('error', end).on('close', end);
  });
  await new Promise<void>((listening) => listener.listen(0, '127.0.0.1', listening));

  return {
    port: (listener.address() as AddressInfo).port,
    connections: () => pairs.size,
    set(next) {
      mode = next;
      for (const pair of pairs) {
        if (next.kind === 'cut') {
          pair.client.resetAndDestroy();
          pair.server.resetAndDestroy();
        } else if (next.kind !== 'hang') {
          for (const { to, bytes } of pair.held.splice(0)) to.write(bytes);
        }
      }
    },
    async close() {
      for (const { client, server } of pairs) {
        client.destroy();
        server.destroy();
      }
      await new Promise((closed) => listener.close(closed));
    },
  };
}
