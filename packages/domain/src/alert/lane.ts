import { isCountable } from './channels.ts';
import type { EventState } from './event.ts';
import type { EventIndex } from './event-index.ts';
import type { AlertMessage } from './message.ts';

/** Tests, simulations and replays never mix with real alerts, whatever their numbers. */
export function sameLane(index: EventIndex, event: EventState, message: AlertMessage): boolean {
  if (event.countable !== isCountable(message)) return false;
  const current = index.message(event.currentId);
  return !current || laneOf(current) === laneOf(message);
}

function laneOf(message: AlertMessage): string {
  return message.source === 'import' ? 'nws' : message.source;
}
