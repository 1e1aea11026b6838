import type { LiveAlert } from '@nwms/contract';
import { AppError } from '../../platform/app-error.ts';
import type { Places } from '../places/types.ts';
import type { Board } from './board/board.ts';
import { type AlertFilter, compileFilter, type CompiledFilter } from './query/filter.ts';
import { subjectOf } from './query/log-subject.ts';

type Matcher = (alert: LiveAlert) => boolean;

/** What the live feed asks of the board: the alerts of now, and the meaning of filters. */
export interface LiveFace {
  /** Wire JSON of every active countable alert that matches, worst first, and the log number they are current to. */
  snapshot(filter: Matcher | null): { seq: number; alerts: readonly string[] };
  /** `input`: members of the list's filters. The matcher judges an alert as it stands in a log entry. */
  compileFilter(input: Readonly<Record<string, unknown>>): { ok: true; matches: Matcher } | { ok: false; detail: string };
}

export function createLiveFace({ board, places }: { board: Board; places: Places }): LiveFace {
  /** The board's rows are judged as they are, without a detour over the wire form. */
  const compiledOf = new WeakMap<Matcher, CompiledFilter>();
  return {
    snapshot(filter) {
      const rows = board.rows().filter((row) => row.countable && row.alert.is_active);
      const compiled = filter && compiledOf.get(filter);
      const matching = compiled
        ? rows.filter((row) => compiled.matches(row))
        : rows.filter((row) => !filter || filter(JSON.parse(row.live()) as LiveAlert));
      return { seq: board.position().seq, alerts: matching.map((row) => row.live()) };
    },
    compileFilter(input) {
      try {
        const compiled = compileFilter(input as AlertFilter, places);
        const matches: Matcher = (alert) => compiled.matches(subjectOf(alert, board));
        compiledOf.set(matches, compiled);
        return { ok: true, matches };
      } catch (error) {
        if (error instanceof AppError) return { ok: false, detail: error.detail };
        throw error;
      }
    },
  };
}
