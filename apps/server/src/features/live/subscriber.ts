import type { Channel } from '@nwms/domain';
import type { Gap } from '@nwms/contract';
import { channelsIn, maskOf, type Audience, type SharedFilter } from './audience.ts';
import { cursorText, type Cursor } from './cursor.ts';
import type { EntryRun } from './entry-run.ts';
import { encode, type Message } from './frames.ts';
import type { Hub } from './hub.ts';
import { Pace, type Transport } from './pace.ts';

export interface SubscribeRequest {
  channels: readonly Channel[];
  since: Cursor | null;
  snapshot: 'always' | 'on_gap' | null;
  /** undefined keeps the filter. */
  filter: SharedFilter | null | undefined;
  id: string | null;
}

/** Something to do once the reader has everything up to `at`: in order, between deliveries. */
interface Job {
  at: number;
  run: () => Promise<void>;
}

/** Tries of a log that cannot be read, and the wait between them: about 5 s, then the reader is sent away with a retry time. */
const READ_TRIES = 10;
const READ_WAIT_MS = 500;

/** What one connection gets: its channels, its filter, its position, and the pump that brings it to the head of the log. */
export class Subscriber {
  readonly #hub: Hub;
  readonly #transport: Transport;
  #mask = 0;
  #filter: SharedFilter | null = null;
  #audience: Audience;
  /** Everything asked for up to here is sent; null until the first subscribe was processed. */
  #position: number | null = null;
  /** True while a snapshot is owed: the position alone would promise too much then. */
  #owesSnapshot = false;
  #asked: { since: boolean; snapshotOnGap: boolean } = { since: false, snapshotOnGap: false };
  #jobs: Job[] = [];
  #unsubscribesWaiting = 0;
  #pumping = false;
  readonly #pace: Pace;

  constructor(hub: Hub, transport: Transport) {
    this.#hub = hub;
    this.#transport = transport;
    this.#pace = new Pace(hub, transport);
    this.#audience = hub.audiences.audience(0, null, transport.encoding);
  }

  get channels(): Channel[] {
    return channelsIn(this.#mask);
  }

  /** A first subscribe was received. */
  get hasSubscribed(): boolean {
    return this.#position !== null || this.#jobs.length > 0 || this.#owesSnapshot;
  }

  get filter(): SharedFilter | null {
    return this.#filter;
  }

  /** LV22: this connection's own position as a cursor. */
  cursor(): string | null {
    return this.#position === null || this.#owesSnapshot ? null : this.#cursorAt(this.#position);
  }

  send(message: Message): void {
    if (this.#transport.isOpen()) this.#transport.write(encode(this.#transport.encoding, message));
  }

  /** A request that was found valid. Its ack precedes everything it brings (LV11). */
  subscribe(request: SubscribeRequest): void {
    const first = !this.hasSubscribed;
    if (first) this.#asked = { since: request.since !== null, snapshotOnGap: request.snapshot === 'on_gap' };
    if (request.snapshot === 'always') {
      this.#owesSnapshot = true;
      this.#queue(() => this.#startWithSnapshot(request));
    } else if (request.since) {
      this.#resume(request, request.since);
    } else if (this.#jobs.length > 0) {
      this.#queue(async () => this.#startHere(request));
    } else {
      this.#startHere(request);
    }
  }

  /** Nothing of these channels is sent after the ack (LV9). */
  unsubscribe(channels: readonly Channel[], id: string | null): void {
    this.#unsubscribesWaiting += 1;
    this.#inOrder(() => {
      this.#unsubscribesWaiting -= 1;
      this.#set(this.#mask & ~maskOf(channels), this.#filter);
      this.#ack(id, this.#position ?? this.#hub.head(), null);
    });
  }

  /** Answers a ping: at once, unless an unsubscribe waits behind a snapshot; its effect is promised by the next pong (LV9). */
  pong(run: () => void): void {
    if (this.#unsubscribesWaiting > 0) this.#inOrder(run);
    else run();
  }

  /** Something about this reader alone went wrong: its filter, its encoding. */
  fail(error: unknown): void {
    this.#hub.removeLive(this);
    this.#hub.deps.log.error({ err: error, filter: this.#filter?.key }, 'a live reader could not be served');
    this.#transport.end({ code: 'live.overloaded', detail: 'This subscription cannot be served right now.', retryAfterSeconds: 5 });
  }

  /** Live delivery: writes what of the run follows the position, or starts to catch up. */
  offer(run: EntryRun): void {
    const position = this.#position;
    if (position === null || position >= run.last) return;
    if (run.first > position + 1) return this.catchUp();
    const { bytes, count, through } = run.slice(position, run.last, this.#audience);
    if (bytes) {
      const waiting = this.#transport.bufferedBytes();
      if (waiting > 0 && waiting + bytes.length > this.#hub.deps.limits.slowBytes) {
        this.#pace.stall();
        return this.catchUp();
      }
      this.#transport.write(bytes);
      this.#hub.deps.streamed?.(count);
    }
    this.#position = through;
  }

  /** Leaves live delivery and reads on from its own position. */
  catchUp(): void {
    this.#hub.removeLive(this);
    if (this.#pumping) return;
    this.#pumping = true;
    void this.#pump();
  }

  /** Forgets the reader; nothing is written any more. */
  drop(): void {
    this.#hub.removeLive(this);
    this.#jobs = [];
  }

  #set(mask: number, filter: SharedFilter | null): void {
    this.#mask = mask;
    this.#filter = filter;
    this.#audience = this.#hub.audiences.audience(mask, filter, this.#transport.encoding);
  }

  #apply({ channels, filter }: SubscribeRequest): void {
    this.#set(this.#mask | maskOf(channels), filter === undefined ? this.#filter : filter);
  }

  #ack(id: string | null, from: number, recovered: boolean | null): void {
    if (id === null) return;
    const ack = { type: 'ack', id, channels: this.channels, from_cursor: this.#cursorAt(from), recovered };
    this.send({ type: 'ack', id: null, json: JSON.stringify(ack) });
  }

  #cursorAt(seq: number): string {
    return cursorText(this.#hub.deps.alertLog.epoch(), seq);
  }

  #inOrder(run: () => void): void {
    if (this.#jobs.length > 0) this.#queue(async () => run());
    else run();
  }

  /** `at`: the reader must have what was committed by now before the job runs, so that what it had asked for before stays whole. */
  #queue(run: () => Promise<void>): void {
    this.#jobs.push({ at: this.#position === null ? 0 : this.#hub.head(), run });
    this.catchUp();
  }

  #startHere(request: SubscribeRequest): void {
    this.#apply(request);
    this.#position ??= this.#hub.head();
    this.#ack(request.id, this.#position, null);
    if (!this.#pumping) this.#hub.addLive(this);
  }

  #resume(request: SubscribeRequest, since: Cursor): void {
    this.#apply(request);
    const reason = this.#gapReason(since);
    if (!reason) return this.#goOn(request, since);
    if (this.#asked.snapshotOnGap) this.#owesSnapshot = true;
    const requested = `${since.epoch}:${since.seq}`;
    if (reason !== 'ahead') return this.#queue(() => this.#leap(reason, requested, request.id));
    // Another process gave this position out, perhaps: what it stands for may be on its way here.
    this.#queue(async () => {
      await this.#hub.deps.alertLog.catchUp().catch(() => {});
      const still = this.#gapReason(since);
      if (still) return this.#leap(still, requested, request.id);
      this.#owesSnapshot = false;
      this.#goOn(request, since);
    });
  }

  #goOn(request: SubscribeRequest, since: Cursor): void {
    this.#position = since.seq;
    this.#ack(request.id, since.seq, true);
    this.catchUp();
  }

  #gapReason(since: Cursor): Gap['reason'] | null {
    const { alertLog } = this.#hub.deps;
    if (since.epoch !== alertLog.epoch()) return 'epoch_changed';
    if (since.seq > this.#hub.head()) return 'ahead';
    return since.seq < alertLog.oldestSeq() ? 'too_old' : null;
  }

  /** LV16: what was asked for is not there. Says so, then goes on from now, with a snapshot if one was asked for. */
  async #leap(reason: Gap['reason'], requested: string, ackId: string | null): Promise<void> {
    const snapshot = this.#asked.snapshotOnGap ? await this.#snapshot(this.#filter, this.#hub.head()) : null;
    const seq = snapshot?.seq ?? this.#hub.head();
    this.#ack(ackId, seq, false);
    const gap: Gap = {
      type: 'gap',
      reason,
      requested,
      oldest_cursor: this.#cursorAt(this.#hub.deps.alertLog.oldestSeq()),
      cursor: this.#cursorAt(seq),
    };
    // With a snapshot to come the cursor counts only after its last part.
    this.send({ type: 'gap', id: snapshot ? null : gap.cursor, json: JSON.stringify(gap) });
    this.#position = seq;
    if (snapshot) await this.#pace.send(snapshot.parts);
    this.#owesSnapshot = false;
  }

  async #startWithSnapshot(request: SubscribeRequest): Promise<void> {
    const filter = request.filter === undefined ? this.#filter : request.filter;
    const snapshot = await this.#snapshot(filter, Math.max(this.#position ?? 0, this.#hub.deps.alertLog.oldestSeq()));
    if (this.#position !== null && snapshot.seq > this.#position) {
      // More was committed: what the reader had asked for before comes first, in full.
      this.#jobs.unshift({ at: snapshot.seq, run: () => this.#startWithSnapshot(request) });
      return;
    }
    this.#apply(request);
    this.#position = snapshot.seq;
    this.#ack(request.id, snapshot.seq, null);
    await this.#pace.send(snapshot.parts);
    this.#owesSnapshot = false;
  }

  /** A snapshot current to `atLeast`: one that is shared may be older, and what lies between may be gone from the log already. */
  async #snapshot(filter: SharedFilter | null, atLeast: number): Promise<{ seq: number; parts: readonly Buffer[] }> {
    for (let tries = 0; tries < READ_TRIES; tries += 1) {
      const snapshot = this.#hub.snapshots.of(filter, this.#transport.encoding, atLeast);
      if (snapshot.seq >= atLeast) return snapshot;
      await this.#pace.wait(READ_WAIT_MS / 10);
    }
    throw new Error('the board stays behind the log');
  }

  async #pump(): Promise<void> {
    this.#pumping = true;
    try {
      while (this.#transport.isOpen() && (await this.#pace.room())) {
        await this.#pace.turn();
        if (!(await this.#step())) return;
      }
    } catch (error) {
      this.fail(error);
    } finally {
      this.#pumping = false;
    }
  }

  /** One job, or one slice of the log. False: nothing left to do, the reader is live. */
  async #step(): Promise<boolean> {
    const position = this.#position;
    const job = this.#jobs[0];
    if (job && (position === null || position >= job.at)) {
      await job.run();
      // A job may put another one in front of itself.
      this.#jobs = this.#jobs.filter((other) => other !== job);
      return true;
    }
    if (position === null) return false;
    const target = job ? job.at : this.#hub.head();
    if (position >= target) {
      this.#hub.addLive(this);
      return false;
    }
    const run = await this.#read(position);
    if (run.entries.length === 0 || run.first > position + 1) {
      await this.#lost(position);
      return true;
    }
    const { bytes, count, through } = run.slice(position, target, this.#audience, this.#hub.deps.limits.pacedBytes / 2);
    if (bytes && this.#transport.isOpen()) {
      this.#transport.write(bytes);
      this.#hub.deps.streamed?.(count);
    }
    this.#position = through;
    return true;
  }

  /** What follows the position is gone from the log: told as a gap to who knows gaps, else the connection ends. */
  async #lost(position: number): Promise<void> {
    if (this.#asked.since) {
      this.#owesSnapshot = this.#asked.snapshotOnGap;
      await this.#leap('too_old', this.#cursorAt(position), null);
    } else {
      this.#transport.end({ code: 'live.slow', detail: 'Older than what is kept. Reload.', retryAfterSeconds: 1 });
    }
  }

  async #read(position: number): Promise<EntryRun> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#hub.pages.read(position);
      } catch (error) {
        if (tries >= READ_TRIES || !this.#transport.isOpen()) throw error;
        await this.#pace.wait(READ_WAIT_MS);
      }
    }
  }
}
