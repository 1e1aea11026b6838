import { connect } from 'node:net';

export interface RawAnswer {
  status: number;
  text: string;
  /** From the first byte sent to the end of the connection or the answer. */
  tookMs: number;
}

/** Sends bytes as they are, past every client's good manners, and reads until the other side closes. Resolves with status 0 without an answer. */
export function rawHttp(url: string, parts: readonly (string | Buffer)[], withinMs = 20_000): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((done) => {
    const from = performance.now();
    const socket = connect(Number(port), hostname);
    let text = '';
    const finish = () => {
      clearTimeout(late);
      socket.destroy();
      done({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), text, tookMs: performance.now() - from });
    };
    const late = setTimeout(finish, withinMs);
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    socket.on('close', finish).on('error', () => {});
    socket.on('connect', () => {
      for (const part of parts) socket.write(part);
    });
  });
}

export const head = (method: string, path: string, headers: Record<string, string | number> = {}): string =>
  `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;
