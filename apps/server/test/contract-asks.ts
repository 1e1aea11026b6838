import type { RouteSpec } from '@nwms/contract';

/** How one route is asked so that it answers as documented. What is not said is empty. */
export interface Ask {
  /** Values of the path. */
  params?: Record<string, string>;
  query?: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** Whose session; the administrator's unless said. Open and public routes are asked without one. */
  token?: string;
  /** Statuses that are good; the one of the contract (or 200) unless said. */
  statuses?: readonly number[];
}

/** What asking takes: an event that is in force, and ways to make what a route needs. Everything made is made for one request. */
export interface AskWorld {
  eventId: string;
  adminToken: string;
  /** A request of the administrator below /api/v1; fails when it is refused. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read what they assert
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<{ json: any; headers: Headers }>;
}

const SQUARE = {
  type: 'Polygon',
  coordinates: [
    [
      [-100, 35],
      [-90, 35],
      [-90, 45],
      [-100, 45],
      [-100, 35],
    ],
  ],
};
const PASSWORD = 'a quite unusual sentence';
const REPORT = {
  app_version: '1.0',
  errors: [{ kind: 'boundary', message: 'it broke', page: '/alerts', at: '2026-11-21T10:00:00Z', count: 1 }],
};

let made = 0;
/** An account with a password that an administrator chose. */
async function account(world: AskWorld): Promise<{ id: string; username: string }> {
  made += 1;
  const username = `asker-${made}`;
  const user = await world.send('POST', '/auth/admin/users', { username, email: `${username}@example.org`, password: PASSWORD });
  return { id: user.json.id, username };
}
/** Somebody who signed in without a password. */
async function member(world: AskWorld): Promise<{ token: string; sessionId: string }> {
  const idToken = await world.send('POST', '/auth/local/token', fresh());
  const login = await world.send('POST', '/auth/google', { token: idToken.json.token });
  const token: string = login.json.access_token;
  const { sid } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sid: string };
  return { token, sessionId: sid };
}
const ofEvent = ({ eventId }: AskWorld): Ask => ({ params: { id: encodeURIComponent(eventId) } });
const ofAccount = async (world: AskWorld): Promise<Ask> => ({ params: { id: (await account(world)).id } });
const asMember = async (world: AskWorld): Promise<Ask> => ({ token: (await member(world)).token });
const ofKey = async (world: AskWorld): Promise<Ask> => {
  const { token } = await member(world);
  const issued = await world.send('POST', '/api-keys', { description: 'asked' }, { authorization: `Bearer ${token}` });
  return { token, params: { id: issued.json.id } };
};
const fresh = (): { name: string; email: string } => {
  made += 1;
  return { name: 'Ada', email: `ada-${made}@example.org` };
};

/** By operation. Routes that only read, without parts in their path and without required members, may be missing here. */
export const ASKS: Record<string, (world: AskWorld) => Ask | Promise<Ask>> = {
  getAlert: ofEvent,
  alertHistory: ofEvent,
  alertsNear: () => ({ query: 'lat=41.6&lon=-93.6' }),
  alertsWithin: () => ({ query: 'bbox=-110,30,-80,45' }),
  alertsWithinShape: () => ({ body: { geometry: SQUARE, limit: 5 } }),
  alertChanges: () => ({ query: 'limit=5' }),
  // A tile without alerts is 204.
  alertTile: () => ({ params: { z: '4', x: '3', y: '6' }, statuses: [200, 204] }),
  // Nothing writes yet, and says so.
  getAiHealth: () => ({ statuses: [503] }),
  getAiHealthByAlias: () => ({ statuses: [503] }),
  playbackTimeline: () => ({ body: { range: '24h', view: 'frames', frames: 4 } }),

  searchPlaces: () => ({ query: 'q=spring&areas=true' }),
  // Without the gazetteer positions have no names.
  reversePlace: () => ({ query: 'lat=35.78&lon=-78.64', statuses: [200, 503] }),

  createLocalToken: () => ({ body: fresh() }),
  async signInWithGoogle(world) {
    return { body: { token: (await world.send('POST', '/auth/local/token', fresh())).json.token } };
  },
  async signInWithPassword(world) {
    return { body: { username: (await account(world)).username, password: PASSWORD } };
  },
  updateMe: async (world) => ({ ...(await asMember(world)), body: { full_name: 'Ada' } }),
  async changePassword(world) {
    const { username } = await account(world);
    const login = await world.send('POST', '/auth/login', { username, password: PASSWORD });
    return { token: login.json.access_token, body: { current_password: PASSWORD, new_password: 'another fine sentence' } };
  },
  deleteMe: asMember,
  signOut: asMember,
  async endSession(world) {
    const { token, sessionId } = await member(world);
    return { token, params: { id: sessionId } };
  },

  createUser() {
    const { email } = fresh();
    return { body: { username: email.split('@')[0], email, password: PASSWORD } };
  },
  getUser: ofAccount,
  updateUser: async (world) => ({ ...(await ofAccount(world)), headers: { 'if-match': '*' }, body: { notes: 'asked' } }),
  deleteUser: ofAccount,
  unlockUser: ofAccount,
  endUserSessions: ofAccount,
  async saveSettings(world) {
    const { headers } = await world.send('GET', '/auth/admin/settings');
    return { headers: { 'if-match': headers.get('etag') ?? '' }, body: { system: { lockout_duration_minutes: 31 } } };
  },
  async testSettings(world) {
    const { headers } = await world.send('GET', '/auth/admin/settings');
    // A name that IANA keeps and nobody serves: the route answers that nothing was delivered.
    const body = { notifications: { webhook_url: 'https://no-such-host.example.com/' } };
    await world.send('PUT', '/auth/admin/settings', body, { 'if-match': headers.get('etag') ?? '' });
    return { body: { channel: 'webhook' } };
  },
  createKey: async (world) => ({ ...(await asMember(world)), body: { description: 'asked' } }),
  getKey: ofKey,
  updateKey: async (world) => ({ ...(await ofKey(world)), body: { description: 'asked again' } }),
  refreshKey: async (world) => ({ ...(await ofKey(world)), body: {} }),
  deleteKey: ofKey,
  getKeyUsage: ofKey,

  reportClientErrors: () => ({ body: REPORT }),
  async listClientErrors(world) {
    await world.send('POST', '/client-errors', REPORT);
    return {};
  },
};

/** Whether a route cannot be asked before somebody says how. */
export function needsAsk(spec: RouteSpec): boolean {
  const required = (spec.query as { required?: readonly string[] } | undefined)?.required ?? [];
  return spec.method !== 'GET' || spec.path.includes('{') || required.length > 0;
}
