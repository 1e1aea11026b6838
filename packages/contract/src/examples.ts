/**
 * One request per operation that shows what it is for. Written into the API document; the in-app reference makes its code examples of them
 * and a test runs those against a server. Reads without required parts may be missing here.
 */
export interface RequestExample {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  body?: unknown;
}

const DES_MOINES = { lat: 41.59, lon: -93.62, radius_km: 50, active_only: true };
const IOWA = '-96.6,40.4,-90.1,43.5';
const AROUND_IOWA = {
  type: 'Polygon',
  coordinates: [
    [
      [-96.6, 40.4],
      [-90.1, 40.4],
      [-90.1, 43.5],
      [-96.6, 43.5],
      [-96.6, 40.4],
    ],
  ],
};
const EVENT_ID = 'KDMX.TO.W.0106.2026';
const USER_ID = 'usr_7q2m4x9k1v5t8r3n6p0w';
const KEY_ID = 'key_7q2m4x9k1v5t8r3n6p0w';
const SESSION_ID = 'ses_7q2m4x9k1v5t8r3n6p0w';

export const EXAMPLES: Readonly<Record<string, RequestExample>> = {
  listAlerts: { query: { active_only: true, severity: ['Extreme', 'Severe'], detail: 'slim', limit: 5 } },
  alertStats: { query: { active_only: true } },
  alertsNear: { query: DES_MOINES },
  alertsWithin: { query: { bbox: IOWA, active_only: true, limit: 5 } },
  alertsWithinShape: { body: { geometry: AROUND_IOWA, active_only: true, limit: 5 } },
  getAlert: { params: { id: EVENT_ID } },
  alertHistory: { params: { id: EVENT_ID } },
  alertChanges: { query: { limit: 5 } },
  alertTile: { params: { z: '4', x: '3', y: '6' } },
  breakingNewsTicker: { query: { limit: 5 } },
  streamAlerts: { query: { channels: ['alerts', 'updates'] } },

  severityTrends: { query: { days_back: 30 } },
  historicalPatterns: { query: { event_type: ['Flood Warning'], days: 365 } },
  alertFatigueAnalysis: { query: { days_back: 30, limit: 10 } },
  seasonalPatterns: { query: { bucket: 'month' } },
  trendAnalysis: { query: { days_back: 30, bucket: 'day' } },
  playbackTimeline: { body: { range: '24h', view: 'frames', frames: 4 } },
  playbackTimelineByLink: { query: { range: '24h', view: 'frames', frames: 4 } },

  searchPlaces: { query: { q: 'Springfield, IL', limit: 5 } },
  reversePlace: { query: { lat: 35.78, lon: -78.64 } },

  createKey: { body: { description: 'Storm dashboard', expires_in_days: 90 } },
  getKey: { params: { id: KEY_ID } },
  updateKey: { params: { id: KEY_ID }, body: { is_active: false } },
  refreshKey: { params: { id: KEY_ID }, body: { overlap_seconds: 3600 } },
  deleteKey: { params: { id: KEY_ID } },
  getKeyUsage: { params: { id: KEY_ID }, query: { minutes: 60 } },

  updateMe: { body: { full_name: 'Ada Lovelace' } },
  changePassword: { body: { current_password: 'the one of today', new_password: 'another fine sentence' } },
  signInWithPassword: { body: { username: 'ada', password: 'another fine sentence' } },
  signInWithGoogle: { body: { token: 'the ID token of Google' } },
  createLocalToken: { body: { name: 'Ada', email: 'ada@example.org' } },
  endSession: { params: { id: SESSION_ID } },

  createUser: { body: { username: 'ada', email: 'ada@example.org', password: 'another fine sentence' } },
  getUser: { params: { id: USER_ID } },
  updateUser: { params: { id: USER_ID }, body: { notes: 'Asked for a higher limit' } },
  deleteUser: { params: { id: USER_ID } },
  unlockUser: { params: { id: USER_ID } },
  endUserSessions: { params: { id: USER_ID } },
  saveSettings: { body: { system: { lockout_duration_minutes: 30 } } },
  testSettings: { body: { channel: 'webhook' } },
  reportClientErrors: {
    body: {
      app_version: '1.0.0',
      errors: [{ kind: 'script', message: 'it broke', page: '/weather-alerts', at: '2026-11-21T18:00:00Z', count: 1 }],
    },
  },
};
