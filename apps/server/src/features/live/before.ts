import type { Diff } from '@nwms/domain';
import type { LiveAlert } from '@nwms/contract';
import type { LogEntry } from '../alerts/types.ts';
import type { SharedFilter } from './audience.ts';

/** Entries of one event remembered to tell what stood before; the oldest are forgotten. */
const EVENTS_REMEMBERED = 5_000;

/** Filter members whose answer cannot be taken back from a diff alone: old shapes and old SAME codes are not in it. */
const SHAPE_MEMBERS = ['bbox', 'polygon', 'lat', 'lon', 'radius_km'];

/** The entry that stood before, for entries seen in order. Exact from memory; see `passes` for entries without. */
export class PreviousEntries {
  readonly #last = new Map<string, LogEntry>();
  readonly #before = new WeakMap<LogEntry, LogEntry>();

  /** Entries in ascending order, each once. */
  note(entry: LogEntry): void {
    const last = this.#last.get(entry.eventId);
    if (last && last.seq < entry.seq) this.#before.set(entry, last);
    this.#last.delete(entry.eventId);
    this.#last.set(entry.eventId, entry);
    if (this.#last.size > EVENTS_REMEMBERED) {
      const oldest = this.#last.keys().next().value;
      if (oldest !== undefined) this.#last.delete(oldest);
    }
  }

  of(entry: LogEntry): LogEntry | undefined {
    return this.#before.get(entry);
  }
}

/** Parses each entry's alert once, however many filters look at it. */
export class ParsedAlerts {
  readonly #parsed = new WeakMap<LogEntry, LiveAlert>();

  of(entry: LogEntry): LiveAlert {
    let alert = this.#parsed.get(entry);
    if (!alert) {
      alert = JSON.parse(entry.alertJson) as LiveAlert;
      this.#parsed.set(entry, alert);
    }
    return alert;
  }
}

/**
 * LV12: an entry passes when the version before or after it matches, so that leaving a filter is told, too. Without the entry before
 * in memory (a replay of older history) the version before is rebuilt from the diff; where the diff does not hold what the filter asks
 * (an old shape), the entry passes: one message too many is harmless, a missed ending is not.
 */
export function passes(entry: LogEntry, filter: SharedFilter, parsed: ParsedAlerts, previous: PreviousEntries): boolean {
  const after = parsed.of(entry);
  if (filter.matches(after)) return true;
  if (entry.kind === 'issued') return false;
  const before = previous.of(entry);
  if (before) return filter.matches(parsed.of(before));
  if (!entry.diff) return false;
  const asks = (names: readonly string[]) => names.some((name) => filter.input[name] !== undefined);
  if (entry.diff.geometry && asks(SHAPE_MEMBERS)) return true;
  if (entry.diff.area && asks([...SHAPE_MEMBERS, 'same'])) return true;
  if (entry.diff.event && asks(['event_code', 'family'])) return true;
  return filter.matches(undo(after, entry.diff));
}

/** The alert as it was before `diff`, as far as filters look at it. */
export function undo(alert: LiveAlert, diff: Diff): LiveAlert {
  const before: Record<string, unknown> = { ...alert };
  for (const name of ['state', 'severity', 'urgency', 'certainty', 'hazard_rank', 'event'] as const) {
    const change = diff[name];
    if (change) before[name] = change.from;
  }
  if (diff.area) {
    const added = new Set(diff.area.added);
    before['ugc'] = [...alert.ugc.filter((code) => !added.has(code)), ...diff.area.removed.map((zone) => zone.ugc)];
  }
  if (diff.tags) {
    const tags: Record<string, unknown> = { ...alert.impact_tags };
    for (const [name, change] of Object.entries(diff.tags)) tags[name] = change.from;
    before['impact_tags'] = tags;
  }
  return before as LiveAlert;
}
