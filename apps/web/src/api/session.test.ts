import { describe, expect, test } from 'vitest';
import { ApiError, unreachable } from './errors.ts';
import { CONNECTION_NOTICE, createSession, ENDED_NOTICE, type SessionStorage } from './session.ts';

const ADA = { id: 'usr_1', username: 'ada', email: 'ada@example.test', role: 'admin' };
const refusal = (status: number, code: string) => new ApiError({ status, code, message: 'no' });

function world(given: { token?: string; answers?: (() => unknown)[]; forbidden?: boolean } = {}) {
  const kept = new Map<string, string>(given.token ? [['auth_token', given.token]] : []);
  const answers = given.answers ?? [];
  const waits: { ms: number; run: () => void }[] = [];
  let tellStorage: (key: string | null) => void = () => {};
  const ended: (string | null)[] = [];
  const storage: SessionStorage = {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
  const session = createSession({
    storage: () => {
      if (given.forbidden) throw new Error('forbidden');
      return storage;
    },
    fetchUser: async () => {
      const answer = answers.shift();
      if (!answer) throw new Error('asked once too often');
      return answer();
    },
    endOnServer: async () => void ended.push(session.token()),
    later: (ms, run) => {
      const entry = { ms, run };
      waits.push(entry);
      return () => void waits.splice(waits.indexOf(entry), 1);
    },
    random: () => 0.5,
    onStorage: (listener) => (tellStorage = listener),
  });
  const states: string[] = [];
  session.subscribe(() => states.push(session.state().status));
  return { session, kept, waits, states, ended, other: (key: string | null) => tellStorage(key) };
}
const fail = (error: Error) => () => {
  throw error;
};

describe('at start', () => {
  test('AUTH-10: a kept token is asked about, and an answer with a user name signs in', async () => {
    const { session, kept } = world({ token: 't1', answers: [() => ADA] });
    expect(session.state()).toEqual({ status: 'loading' });
    session.start();
    expect(await session.settled()).toEqual({ status: 'signed-in', user: ADA });
    expect(JSON.parse(kept.get('auth_user') ?? '')).toEqual(ADA);
  });

  test('AUTH-10: an answer without a user name signs nobody in and keeps nothing', async () => {
    const { session, kept } = world({ token: 't1', answers: [() => ({ id: 'usr_1' })] });
    session.start();
    expect(await session.settled()).toEqual({ status: 'anonymous', notice: null });
    expect([...kept.keys()]).toEqual([]);
  });

  test('AUTH-10: without a token nobody is asked', async () => {
    const { session } = world();
    session.start();
    expect(await session.settled()).toEqual({ status: 'anonymous', notice: null });
  });

  test('AUTH-11: a 401 clears the token', async () => {
    const { session, kept } = world({ token: 't1', answers: [fail(refusal(401, 'auth.invalid_token'))] });
    session.start();
    expect(await session.settled()).toEqual({ status: 'anonymous', notice: ENDED_NOTICE });
    expect([session.token(), kept.size]).toEqual([null, 0]);
  });

  test.each([
    ['no answer', unreachable(null)],
    ['a server error', refusal(503, 'server.database_unavailable')],
    ['a 403', refusal(403, 'access.session_required')],
  ])('AUTH-11: %s keeps the token, says so, and is asked again until it is known', async (_what, error) => {
    const { session, kept, waits } = world({ token: 't1', answers: [fail(error), fail(error), () => ADA] });
    session.start();
    expect(await session.settled()).toEqual({ status: 'anonymous', notice: CONNECTION_NOTICE });
    expect([session.token(), kept.get('auth_token')]).toEqual(['t1', 't1']);
    waits.shift()?.run();
    await new Promise(setImmediate);
    expect(waits.map(({ ms }) => ms)).toEqual([3000]);
    waits.shift()?.run();
    await new Promise(setImmediate);
    expect(session.state()).toEqual({ status: 'signed-in', user: ADA });
  });
});

describe('signing in and out', () => {
  test('AUTH-09: token and user are kept, and both are gone after signing out', async () => {
    const { session, kept, ended } = world();
    session.start();
    expect(session.accept({ access_token: 't2', user: ADA })).toEqual(ADA);
    expect([...kept.keys()].sort()).toEqual(['auth_token', 'auth_user']);
    await session.signOut();
    expect([kept.size, session.token(), session.endedBy()]).toEqual([0, null, 'member']);
    expect(ended).toEqual(['t2']);
  });

  test.each([[null], [{}], [{ access_token: 't' }], [{ user: ADA }], [{ access_token: '', user: ADA }], [{ access_token: 't', user: {} }]])(
    'AUTH-06: %j is no sign-in',
    (answer) => {
      const { session, kept } = world();
      expect(() => session.accept(answer)).toThrow('Invalid login response');
      expect(kept.size).toBe(0);
    },
  );

  test('a browser that forbids storage signs in for as long as the page lasts', async () => {
    const { session } = world({ forbidden: true });
    session.start();
    session.accept({ access_token: 't3', user: ADA });
    expect([session.token(), session.state().status]).toEqual(['t3', 'signed-in']);
  });
});

describe('a session that ends', () => {
  const signedIn = async () => {
    const all = world({ token: 't1', answers: [() => ADA] });
    all.session.start();
    await all.session.settled();
    all.states.length = 0;
    return all;
  };

  test('a 401 ends it once, however many calls hear it', async () => {
    const { session, states, kept } = await signedIn();
    for (let n = 0; n < 5; n += 1) session.refused('t1', refusal(401, 'auth.session_ended'));
    expect(states).toEqual(['anonymous']);
    expect(session.state()).toEqual({ status: 'anonymous', notice: ENDED_NOTICE });
    expect([kept.size, session.endedBy()]).toEqual([0, 'server']);
  });

  test('a late 401 of the session before does not end this one', async () => {
    const { session } = await signedIn();
    session.accept({ access_token: 't2', user: ADA });
    session.refused('t1', refusal(401, 'auth.session_ended'));
    expect(session.state().status).toBe('signed-in');
  });

  test('ended in another tab, it is over here too; signed in there, it is asked about here', async () => {
    const { session, kept, other } = await signedIn();
    kept.delete('auth_token');
    other('auth_token');
    expect(session.state()).toEqual({ status: 'anonymous', notice: 'You signed out in another tab.' });
    expect(session.endedBy()).toBe('elsewhere');
  });
});
