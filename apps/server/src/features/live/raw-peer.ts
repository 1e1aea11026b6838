/** A peer that speaks the socket's bytes itself, for tests of what a proper library would never send, or never read. */
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';

const handshakeText = (port: number, headers: readonly string[], path: string): string =>
  [
    `GET ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
    ...headers,
    '',
    '',
  ].join('\r\n');

/** Opens, reads the answer to the handshake, and goes away. */
export async function rawHandshake(port: number, headers: readonly string[] = [], path = '/ws/alerts'): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(handshakeText(port, headers, path));
  const answer = await new Promise<string>((done, fail) => {
    let text = '';
    socket.on('error', fail);
    socket.on('data', (data) => {
      text += data.toString('latin1');
      const [head = '', body] = text.split('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (body !== undefined && body.length >= length) done(text);
    });
    socket.on('close', () => done(text));
  });
  socket.destroy();
  await new Promise<void>((done) => (socket.closed ? done() : socket.once('close', () => done())));
  return answer;
}

/** First byte as given (final bit and opcode), masked as clients must. */
export function frameBytes(first: number, payload: Buffer): Buffer {
  const mask = randomBytes(4);
  const { length } = payload;
  const head = length < 126 ? Buffer.from([first, 0x80 | length]) : Buffer.from([first, 0xfe, length >> 8, length & 0xff]);
  return Buffer.concat([head, mask, payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0))]);
}

export class RawPeer {
  readonly socket: Socket;
  ended = false;
  #text = '';
  #wake: () => void = () => {};

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (data) => {
      this.#text += data.toString('latin1');
      this.#wake();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      this.ended = true;
      this.#wake();
    });
  }

  static async open(port: number): Promise<RawPeer> {
    const peer = new RawPeer(connect(port, '127.0.0.1'));
    peer.socket.write(handshakeText(port, [], '/ws/alerts'));
    await peer.received('"heartbeat"');
    return peer;
  }

  sendText(message: object): void {
    this.sendFrame(0x81, Buffer.from(JSON.stringify(message)));
  }

  sendFrame(first: number, payload: Buffer): void {
    if (!this.socket.destroyed) this.socket.write(frameBytes(first, payload));
  }

  async received(text: string): Promise<void> {
    await this.#until(() => this.#text.includes(text));
  }

  async gone(): Promise<void> {
    await this.#until(() => this.ended);
  }

  async #until(holds: () => boolean): Promise<void> {
    const deadline = Date.now() + 10_000;
    while (!holds()) {
      if (Date.now() > deadline || this.ended) throw new Error(`not seen; ended: ${this.ended}; got ${this.#text.slice(-300)}`);
      await new Promise<void>((done) => {
        const timer = setTimeout(done, 200);
        this.#wake = () => {
          clearTimeout(timer);
          done();
        };
      });
    }
  }
}
