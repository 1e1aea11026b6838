import type { LiveStatus } from '../../api/live.ts';

/** LIVE-08. A connection that is closing is on its way to none. */
export function connectionWords({ state, attempt, maxAttempts }: LiveStatus): string {
  switch (state) {
    case 'CONNECTED':
      return 'Live';
    case 'CONNECTING':
      return 'Connecting...';
    case 'RECONNECTING':
      return `Reconnecting... (${attempt}/${maxAttempts})`;
    default:
      return 'Disconnected';
  }
}

/** LIVE-13 */
export const emptyWords = (status: LiveStatus): string =>
  status.state === 'CONNECTED' ? 'Waiting for real-time alerts...' : 'Connect to start receiving alerts';

/** LIVE-12 */
export const pausedWords = (pending: number): string => `Feed is paused. ${pending.toLocaleString('en-US')} new alerts pending.`;
