import type { Instant } from '@nwms/domain';
import { AppError } from '../../../platform/app-error.ts';
import type { AlertArchive, ArchiveBounds } from '../types.ts';

/** Events of one question that may lie in memory together. */
export const AT_ONCE = 1_000;
/** Of more than that, so many are read at a time. */
export const PIECE = 400;

export type Found = Awaited<ReturnType<AlertArchive['find']>>;

/** The events a question is about: newest states, or what was known at an instant. */
export interface EventSource {
  /** All of them; rejects with query.window_too_large past the limit. */
  whole(limit: number): Promise<Found>;
  /** Their names; rejects in the same way. */
  ids(limit: number): Promise<string[]>;
  named(ids: readonly string[]): Promise<Found>;
}

export const newestStates = (archive: AlertArchive, bounds: ArchiveBounds): EventSource => ({
  whole: (limit) => archive.find({ ...bounds, limit }),
  ids: (limit) => archive.ids({ ...bounds, limit }),
  named: (ids) => archive.events(ids),
});

export const statesKnownAt = (archive: AlertArchive, at: Instant, bounds: ArchiveBounds): EventSource => ({
  whole: (limit) => archive.asOf(at, { ...bounds, limit }),
  ids: (limit) => archive.idsAt(at, { ...bounds, limit }),
  named: (ids) => archive.events(ids, at),
});

/** One piece where they are few, which is one question to the database; else by their names, so that only a piece of them is there at a time. */
export async function* inPieces(source: EventSource, limit: number): AsyncGenerator<Found> {
  const all = await unlessTooMany(source.whole(Math.min(limit, AT_ONCE)), limit > AT_ONCE);
  if (all) return yield all;
  const ids = await source.ids(limit);
  for (let start = 0; start < ids.length; start += PIECE) yield await source.named(ids.slice(start, start + PIECE));
}

/** Null = more than the limit, where that may be. */
export async function unlessTooMany<T>(asked: Promise<T>, mayBe: boolean): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (mayBe && error instanceof AppError && error.code === 'query.window_too_large') return null;
    throw error;
  }
}
