/**
 * The slice table of the server as data: which slice may import which (only through its index.ts). A new edge is one line here that a
 * reviewer sees. A slice folder that is missing from the table fails the check.
 */
export const SERVER_SLICES: Record<string, readonly string[]> = {
  alerts: ['places'],
  places: [],
  import: ['alerts', 'places'],
  ingest: ['alerts', 'places'],
  live: ['alerts'],
  health: [],
  reference: [],
  audit: [],
  settings: ['audit'],
  auth: ['audit', 'settings'],
  admin: ['audit', 'settings', 'auth'],
  'client-errors': [],
  playback: ['alerts'],
  trends: ['alerts'],
  keys: ['audit', 'settings', 'auth'],
  usage: ['audit'],
  ai: [],
};

/** Web slices never import each other; screens of several slices are composed in app/pages. */
export const WEB_SLICES: readonly string[] = [
  'alerts',
  'map',
  'live',
  'health',
  'auth',
  'admin',
  'settings',
  'audit',
  'landing',
  'ticker',
  'trends',
  'usage',
  'playback',
  'keys',
  'reference',
];
