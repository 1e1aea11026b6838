import type { AlertMessage } from './message.ts';
import type { Channel, Kind } from './vocabulary.ts';

/**
 * True when a message counts as an alert (A5): Actual, or Exercise from our own simulator or a replay; never a test-only message.
 */
export function isCountable(message: Pick<AlertMessage, 'status' | 'source' | 'isTest'>): boolean {
  if (message.isTest) return false;
  return message.status === 'Actual' || (message.status === 'Exercise' && (message.source === 'simulator' || message.source === 'replay'));
}

/** Channels of an entry (LV8): `alerts` = issued; `severe_alerts` = issued or escalated, Severe or Extreme; `updates` = all but issued. */
export function channelsOf(kind: Kind, message: Pick<AlertMessage, 'severity' | 'status' | 'source' | 'isTest'>): Channel[] {
  if (!isCountable(message)) return [];
  const severe = message.severity === 'Severe' || message.severity === 'Extreme';
  if (kind === 'issued') return severe ? ['alerts', 'severe_alerts'] : ['alerts'];
  return kind === 'escalated' && severe ? ['severe_alerts', 'updates'] : ['updates'];
}
