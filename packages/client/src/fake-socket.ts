/** A scripted WebSocket for tests of the feed: the test plays the server. */
import type { ServerMessage } from '@nwms/contract';
import type { SocketConstructor, SocketLike } from './feed-types.ts';

type Listener = (event: never) => void;

export class FakeSocket implements SocketLike {
  readyState = 0;
  readonly sent: Record<string, unknown>[] = [];
  closedWith: number | null = null;
  readonly url: string;
  readonly protocols: string[];
  readonly #listeners = new Map<string, Listener[]>();

  constructor(url: string, protocols: string[] = []) {
    this.url = url;
    this.protocols = protocols;
  }

  addEventListener(type: string, listener: Listener): void {
    this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener]);
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }

  close(code?: number): void {
    this.closedWith = code ?? 1005;
    this.readyState = 3;
  }

  /** The server accepts. */
  open(): void {
    this.readyState = 1;
    this.#emit('open', {});
  }

  receive(message: ServerMessage | Record<string, unknown>): void {
    this.#emit('message', { data: JSON.stringify(message) });
  }

  /** The line is cut, or the server closes. */
  cut(code = 1006, reason = ''): void {
    this.readyState = 3;
    this.#emit('close', { code, reason });
  }

  #emit(type: string, event: object): void {
    for (const listener of this.#listeners.get(type) ?? []) listener(event as never);
  }
}

/** A constructor that remembers what it made, and the newest of it. */
export function fakeSockets(): { WebSocket: SocketConstructor; all: FakeSocket[]; last(): FakeSocket } {
  const all: FakeSocket[] = [];
  class Recorded extends FakeSocket {
    constructor(url: string, protocols?: string[]) {
      super(url, protocols);
      all.push(this);
    }
  }
  return { WebSocket: Recorded, all, last: () => all.at(-1) as FakeSocket };
}
