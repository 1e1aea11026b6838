import type { EventState, Instant } from '@nwms/domain';
import type { Clock } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import type { Places } from '../../places/types.ts';
import type { AlertBoot, AlertLog, CommittedBatch } from '../types.ts';
import type { MessageLookup } from '../alert-area.ts';
import { orderOf, sortRows } from '../query/order.ts';
import { BOARD_KEEP_MS, hasLeft, rowDueAt } from './due.ts';
import { messageIdsOf } from '../query/message-rows.ts';
import { createMessageShelf } from './message-shelf.ts';
import { createRow, type Row } from './row.ts';
import { createShapeCache, createSpatialIndex, type ShapeCache, type SpatialIndex } from './shapes.ts';

export interface BoardDeps {
  clock: Clock;
  log: Log;
  places: Places;
  alertLog: AlertLog;
  boot: AlertBoot;
}

/** Where the numbered log stood when the board read as it does. */
export interface BoardPosition {
  epoch: string;
  seq: number;
  cursor: string;
}

/**
 * Every event that is not over, or over for at most 7 days, in memory: reads never touch the database. Each method first lets the
 * clock transitions due by now happen, so an answer is right to the second.
 */
export interface Board {
  load(): Promise<void>;
  close(): void;
  loaded(): boolean;
  /** Moves with every log entry, clock transition and late shape; validators are made of it. */
  version(): number;
  /** One row per event, in `rank` order. Tests and drafts included: filters leave them out. */
  rows(): readonly Row[];
  row(eventId: string): Row | undefined;
  /** Row of the event that has this message (our id or upstream's). */
  rowOfMessage(messageId: string): Row | undefined;
  /** One row per message of the events on the board. */
  messageRows(): readonly Row[];
  /** Messages of those events whose words are not kept here: they speak for nothing any more. The archive has them. */
  messagesElsewhere(): readonly { event: EventState; messageId: string }[];
  message: MessageLookup;
  /** Messages of one product (trap 11) on the board. */
  bulletin(hash: string): string[];
  spatial(): SpatialIndex;
  /** Rows by zone or county code still in question. */
  rowsOfZone(code: string): readonly Row[];
  /** Rows of whose shape a part is not known: the spatial index cannot place them. */
  unplaced(): readonly Row[];
  /** Everything that was not over at or after this instant is here. */
  floor(): Instant;
  position(): BoardPosition;
  shapes: ShapeCache;
}

export function createBoard(deps: BoardDeps): Board {
  return new MemoryBoard(deps);
}

const RANK = orderOf('rank', 'events');

class MemoryBoard implements Board {
  readonly shapes = createShapeCache();
  readonly #deps: BoardDeps;
  readonly #shelf = createMessageShelf();
  readonly #events = new Map<string, EventState>();
  readonly #rows = new Map<string, Row>();
  readonly #dueAt = new Map<string, Instant>();
  /** Events whose row must be made again before the next answer. */
  readonly #dirty = new Set<string>();
  readonly #stops: (() => void)[] = [];
  #nextDueAt = Infinity;
  #lastNow = -Infinity;
  #version = 0;
  #seq = 0;
  #loaded = false;
  #waiting: CommittedBatch[] = [];
  #views: Views = {};

  constructor(deps: BoardDeps) {
    this.#deps = deps;
  }

  readonly message: MessageLookup = (id) => this.#shelf.get(id);

  bulletin(hash: string): string[] {
    return this.#shelf.bulletin(hash);
  }

  async load(): Promise<void> {
    // Listening starts first: a batch committed while the load runs is applied after it.
    this.#stops.push(this.#deps.alertLog.onCommitted((batch) => this.#receive(batch)));
    this.#stops.push(this.#deps.places.onLoaded((codes) => this.#relocate(codes)));
    const { events, messages, latestSeq } = await this.#deps.boot.load();
    this.#seq = latestSeq;
    this.#loaded = true;
    this.#apply(events, () => this.#shelf.add(messages));
    const late = this.#waiting.filter((batch) => (batch.entries.at(-1)?.seq ?? 0) > latestSeq);
    this.#waiting = [];
    for (const batch of late) this.#receive(batch);
  }

  close(): void {
    for (const stop of this.#stops.splice(0)) stop();
  }

  loaded(): boolean {
    return this.#loaded;
  }

  version(): number {
    this.#settle();
    return this.#version;
  }

  rows(): readonly Row[] {
    this.#settle();
    return (this.#views.ranked ??= sortRows([...this.#rows.values()], RANK));
  }

  row(eventId: string): Row | undefined {
    this.#settle();
    return this.#rows.get(eventId);
  }

  rowOfMessage(messageId: string): Row | undefined {
    this.#settle();
    for (const eventId of this.#shelf.eventsOf(messageId)) {
      const row = this.#rows.get(eventId);
      if (row) return row;
    }
    return undefined;
  }

  messageRows(): readonly Row[] {
    const at = this.#settle();
    return (this.#views.messages ??= this.#ofEveryMessage()
      .filter(({ messageId }) => this.#shelf.get(messageId) !== undefined)
      .map(({ event, messageId }) =>
        createRow({ event, messageId, message: this.message, places: this.#deps.places, at, shapes: this.shapes }),
      ));
  }

  messagesElsewhere(): readonly { event: EventState; messageId: string }[] {
    this.#settle();
    return this.#ofEveryMessage().filter(({ messageId }) => this.#shelf.get(messageId) === undefined);
  }

  #ofEveryMessage(): { event: EventState; messageId: string }[] {
    return [...this.#events.values()].flatMap((event) => messageIdsOf(event).map((messageId) => ({ event, messageId })));
  }

  spatial(): SpatialIndex {
    this.#settle();
    return (this.#views.spatial ??= createSpatialIndex([...this.#rows.values()], this.shapes));
  }

  rowsOfZone(code: string): readonly Row[] {
    this.#settle();
    this.#views.zones ??= Map.groupBy(
      [...this.#rows.values()].flatMap((row) => row.presented.zoneCodes.map((zone) => ({ zone, row }))),
      ({ zone }) => zone,
    );
    return this.#views.zones.get(code)?.map(({ row }) => row) ?? [];
  }

  unplaced(): readonly Row[] {
    this.#settle();
    return (this.#views.unplaced ??= [...this.#rows.values()].filter((row) => row.alert.geometry_missing.length > 0));
  }

  floor(): Instant {
    return this.#deps.clock.now() - BOARD_KEEP_MS;
  }

  position(): BoardPosition {
    const epoch = this.#deps.alertLog.epoch();
    return { epoch, seq: this.#seq, cursor: `${epoch}:${this.#seq}` };
  }

  #receive(batch: CommittedBatch): void {
    if (!this.#loaded) {
      this.#waiting.push(batch);
      return;
    }
    const told = new Set(batch.entries.map((entry) => entry.eventId));
    this.#seq = Math.max(this.#seq, batch.entries.at(-1)?.seq ?? 0);
    const changed = batch.events.filter((event) => told.has(event.eventId) || !this.#readsTheSame(event));
    for (const event of batch.events) this.#events.set(event.eventId, event);
    this.#apply(changed, () => this.#shelf.add(batch.messages));
    // Every entry moves the version, even one that leaves all rows as they read.
    if (batch.entries.length > 0) this.#bump();
  }

  /** Presence is noted at every poll and shows only through the evaluated state. */
  #readsTheSame(event: EventState): boolean {
    const known = this.#events.get(event.eventId);
    if (!known || !this.#rows.has(event.eventId)) return false;
    return JSON.stringify({ ...known, presence: null }) === JSON.stringify({ ...event, presence: null });
  }

  #apply(events: readonly EventState[], addMessages: () => void): void {
    addMessages();
    for (const event of events) {
      this.#events.set(event.eventId, event);
      this.#shelf.link(event);
      this.#dirty.add(event.eventId);
    }
  }

  /** A zone became known: rows that name it get its name, and perhaps their shape. */
  #relocate(codes: readonly string[]): void {
    const loaded = new Set(codes);
    for (const [eventId, event] of this.#events) {
      if (event.zones.some((zone) => loaded.has(zone.code))) this.#dirty.add(eventId);
    }
  }

  /** Brings every row to the present second. Cheap when nothing is due. */
  #settle(): Instant {
    const now = this.#deps.clock.now();
    // The wall clock was set back (I7): states may have to be taken back with it.
    if (now < this.#lastNow - 1000) for (const eventId of this.#events.keys()) this.#dirty.add(eventId);
    this.#lastNow = now;
    if (now >= this.#nextDueAt) for (const [eventId, due] of this.#dueAt) if (due <= now) this.#dirty.add(eventId);
    if (this.#dirty.size === 0) return now;
    for (const eventId of this.#dirty) this.#renew(eventId, now);
    this.#dirty.clear();
    this.#nextDueAt = Infinity;
    for (const due of this.#dueAt.values()) if (due < this.#nextDueAt) this.#nextDueAt = due;
    this.#bump();
    return now;
  }

  #renew(eventId: string, now: Instant): void {
    const event = this.#events.get(eventId);
    if (!event) return;
    if (hasLeft(event, now)) {
      this.#events.delete(eventId);
      this.#rows.delete(eventId);
      this.#dueAt.delete(eventId);
      this.#shelf.unlink(event);
      return;
    }
    try {
      this.#rows.set(eventId, createRow({ event, message: this.message, places: this.#deps.places, at: now, shapes: this.shapes }));
    } catch (error) {
      // One unpresentable event must not take the others down; its last good row stays.
      this.#deps.log.error({ eventId, err: error }, 'an event could not be presented');
    }
    this.#dueAt.set(eventId, rowDueAt(event, now));
  }

  #bump(): void {
    this.#version += 1;
    this.#views = {};
  }
}

/** Made on demand from the rows, thrown away when the version moves. */
interface Views {
  ranked?: Row[];
  messages?: Row[];
  spatial?: SpatialIndex;
  unplaced?: Row[];
  zones?: Map<string, { zone: string; row: Row }[]>;
}
