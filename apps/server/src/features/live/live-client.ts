/** A raw client of the live feed for tests: keeps every message in order and waits for what a test expects, never for time. */
import type { ServerMessage } from '@nwms/contract';
import { WebSocket, type ClientOptions } from 'ws';

type MessageOf<T extends ServerMessage['type']> = Extract<ServerMessage, { type: T }>;

export interface Closed {
  code: number;
  reason: string;
}

/** How long a test waits before it calls a message missing. */
const DEADLINE_MS = 10_000;

export class LiveClient {
  readonly ws: WebSocket;
  readonly messages: ServerMessage[] = [];
  readonly texts: string[] = [];
  readonly closed: Promise<Closed>;
  #read = 0;
  #wake: () => void = () => {};

  private constructor(ws: WebSocket) {
    this.ws = ws;
    ws.on('message', (data) => {
      this.texts.push(String(data));
      this.messages.push(JSON.parse(String(data)) as ServerMessage);
      this.#wake();
    });
    this.closed = new Promise((done) => {
      ws.on('close', (code, reason) => {
        done({ code, reason: String(reason) });
        this.#wake();
      });
    });
    ws.on('error', () => {});
  }

  static async open(url: string, options: ClientOptions = {}, protocols: string[] = []): Promise<LiveClient> {
    const ws = new WebSocket(url, protocols, options);
    const client = new LiveClient(ws);
    await new Promise<void>((done, fail) => {
      ws.once('open', done);
      ws.once('unexpected-response', (_request, response) => fail(new Error(`HTTP ${response.statusCode}`)));
      ws.once('error', fail);
    });
    return client;
  }

  send(message: object | string): void {
    this.ws.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** The next message not yet taken, of this type (others before it are passed over). */
  async next<T extends ServerMessage['type']>(type: T): Promise<MessageOf<T>> {
    return this.until((message): message is MessageOf<T> => message.type === type, type);
  }

  async until<T extends ServerMessage>(wanted: (message: ServerMessage) => message is T, name: string): Promise<T> {
    const deadline = Date.now() + DEADLINE_MS;
    for (;;) {
      while (this.#read < this.messages.length) {
        const message = this.messages[this.#read] as ServerMessage;
        this.#read += 1;
        if (wanted(message)) return message;
      }
      if (Date.now() > deadline || this.ws.readyState === WebSocket.CLOSED)
        throw new Error(`no ${name} message; got ${this.messages.map((message) => message.type).join(', ')}`);
      await new Promise<void>((done) => {
        const timer = setTimeout(done, Math.max(1, deadline - Date.now()));
        this.#wake = () => {
          clearTimeout(timer);
          done();
        };
      });
    }
  }

  /** Everything the server sent before it answered a ping sent now. */
  async settled(): Promise<ServerMessage[]> {
    const id = `settle-${this.messages.length}`;
    this.send({ type: 'ping', id });
    await this.until((message): message is MessageOf<'pong'> => message.type === 'pong' && message.id === id, 'pong');
    return this.messages;
  }

  /** Drops what was taken, so that a long test does not keep it all. */
  forget(): void {
    this.messages.splice(0, this.#read);
    this.texts.length = 0;
    this.#read = 0;
  }

  /** Log numbers of alert and update messages, in order of arrival. */
  seqs(): number[] {
    return this.messages.flatMap((message) => (message.type === 'alert' || message.type === 'update' ? [message.seq] : []));
  }

  ofType<T extends ServerMessage['type']>(type: T): MessageOf<T>[] {
    return this.messages.filter((message): message is MessageOf<T> => message.type === type);
  }
}
