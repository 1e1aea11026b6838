import type { Instant, ReplayedLife } from '@nwms/domain';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/types.ts';
import type { Places } from '../../places/types.ts';
import { createPause } from '../storage/pause.ts';
import type { Incoming } from '../types.ts';
import { buildFact } from './build-fact.ts';
import { createOffsetAt } from './local-time.ts';
import { createHistoryStore, type HistoricEvent, type HistoryStore, knownOf } from './store-history.ts';

export type { HistoricEvent, HistoryStore, OwnEvent, RecordedEvent } from './store-history.ts';
export { StaleHistory } from './store-history.ts';

/** What an import needs of the record. */
export interface AlertHistory extends HistoryStore {
  /** An event with what statistics will ask of it. */
  historic(life: ReplayedLife, messages: Incoming[]): HistoricEvent;
  /** Minutes east of UTC in an IANA zone at an instant. */
  offsetAt(zone: string | null, at: Instant, fallback: number): number;
}

/**
 * The door for history that was not collected. Statistics follow the log by the time of its changes; imported events changed years ago, so
 * their facts are written with them.
 */
export function createAlertHistory({
  database,
  clock,
  places,
}: {
  database: Database;
  clock: Clock;
  places: Pick<Places, 'resolve'>;
}): AlertHistory {
  const offsetAt = createOffsetAt();
  return {
    ...createHistoryStore(database, createPause(clock)),
    offsetAt,
    historic(life, messages) {
      const byId = new Map(messages.map(({ message }) => [message.id, message]));
      const known = knownOf(life).flatMap((each) => (each && each.until > each.from ? [{ knownFrom: each.from, state: each.state }] : []));
      return { life, messages, fact: buildFact(life.event, known, (id) => byId.get(id), { places, offsetAt }) };
    },
  };
}
