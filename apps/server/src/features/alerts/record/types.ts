import type { AlertMessage, EventFact, EventState, Instant, Position } from '@nwms/domain';
import type { PartsFill } from './store-parts-fill.ts';
import type { PartStore } from './store-parts.ts';

/** Which events a statistic is about. Names in any letter case. */
export interface FactFilter {
  sources: readonly string[];
  events?: readonly string[] | undefined;
  /** Codes as `factCodes` writes them; any of them. */
  codes?: readonly string[] | undefined;
}

/** One group of begins: local day number (days since 1970 in the zone of the event), and what else was asked for. */
export interface DayCount {
  day: number;
  severity: number;
  hour: number | null;
  event: string | null;
  /** States of the events, joined by blanks. */
  states: string | null;
  count: number;
}

/** Distinct events reduced to what statistics ask. Numbers follow the log by at most a minute. */
export interface EventFacts {
  /** Brings the facts up to the log; true when they are. `budgetMs` bounds one call. */
  catchUp(budgetMs: number): Promise<boolean>;
  /** Facts whose life [first known or in force, over) meets [from, to), in pages; order is not defined. */
  meeting(from: Instant, to: Instant, filter: FactFilter): AsyncIterable<EventFact[]>;
  /** Begins per local day in [fromDay, toDay], grouped further by what is named. */
  counts(
    fromDay: number,
    toDay: number,
    filter: FactFilter,
    by: { hour?: boolean; event?: boolean; states?: boolean },
  ): Promise<DayCount[]>;
  /** First instant the record knows of; null while it is empty. */
  since(): Promise<Instant | null>;
}

/** One state of an event and the time for which it was what was known and active. */
export interface Reign {
  event: EventState;
  seq: number;
  version: number;
  messageId: string;
  knownFrom: Instant;
  /** Null = still what is known. */
  knownUntil: Instant | null;
}

export interface Reigns {
  reigns: Reign[];
  messages: AlertMessage[];
}

/** What was known over a range of time. */
export interface EventReigns {
  /**
   * then: every state that was known and not over at some instant of [from, to); final: the newest state of every event in force in it.
   * Rejects with query.window_too_large past `limit`.
   */
  between(from: Instant, to: Instant, limit: number, known: 'then' | 'final'): Promise<Reigns>;
  /** The same revisions by their numbers alone, which costs a hundredth. Rejects with query.window_too_large past `limit`. */
  spans(from: Instant, to: Instant, limit: number): Promise<ReignSpan[]>;
  /** The states of these revisions, in no particular order; one that retention took is missing. */
  of(spans: readonly ReignSpan[]): Promise<Reigns>;
}

/** A revision and the time for which it was what was known. */
export interface ReignSpan {
  eventId: string;
  seq: number;
  knownFrom: Instant;
  /** Null = still what is known. */
  knownUntil: Instant | null;
}

/** County, marine area, state or office by its code. */
export interface AreaInfo {
  label: string;
  kind: 'county' | 'marine' | 'state' | 'office';
  state: string | null;
  point: Position | null;
}

export interface AlertRecord {
  /** Where and what an area code of a fact is; from memory. */
  area(code: string): AreaInfo;
  facts: EventFacts;
  reigns: EventReigns;
  parts: PartStore;
  fillParts: PartsFill;
}
