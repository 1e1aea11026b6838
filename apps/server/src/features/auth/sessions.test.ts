import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AuthWorld, authWorld, freshDatabase, usableEngines } from './auth-fixture.ts';
import type { Ended } from './types.ts';

/** F3: no request succeeds later than this after the change was answered. */
const EFFECT_WITHIN_MS = 1_000;

describe.each(usableEngines)('sessions on $name', (engine) => {
  let here: AuthWorld;
  /** Another process on the same database where the engine allows one. */
  let there: AuthWorld;
  let dispose: () => Promise<void>;
  let n = 0;
  const person = () => here.signIn(`person${(n += 1)}@example.org`);
  const me = (world: AuthWorld, token: string) => world.call('GET', '/auth/me', { token });

  beforeAll(async () => {
    const fresh = await freshDatabase(engine);
    here = await authWorld({ database: fresh.database });
    there = engine.name === 'postgres' ? await authWorld({ database: await fresh.second() }) : here;
    dispose = fresh.dispose;
    await here.signIn('admin@example.org');
  });
  afterAll(async () => {
    await here.close();
    if (there !== here) await there.close();
    await dispose();
  });

  it('API-03, AUTH-10: the account at the top level, with all its members', async () => {
    const { access_token: token } = await person();
    const { body, headers } = await me(here, token);
    expect(headers['cache-control']).toBe('private, no-store');
    for (const member of [
      'id username email full_name organization role is_active api_rate_limit_per_minute api_daily_limit api_monthly_limit',
      'notes last_login total_api_requests current_day_requests current_month_requests special_access',
    ].flatMap((names) => names.split(' ')))
      expect(body, member).toHaveProperty(member);
  });

  it('AUTH-09: signing out ends the session on the server, at once; a second time is no fault', async () => {
    const { access_token: token } = await person();
    const answers = await Promise.all([1, 2].map(() => here.call('POST', '/auth/logout', { token })));
    expect(answers.map(({ status }) => status).sort()).toSatisfy(
      (list: number[]) => list[0] === 204 && (list[1] === 204 || list[1] === 401),
    );
    expect((await me(here, token)).body.error).toBe('auth.session_ended');
  });

  it('lists where one is signed in, newest first, and ends one of them', async () => {
    const first = await here.signIn('many@example.org');
    const second = await here.signIn('many@example.org');
    const { sessions } = (await here.call('GET', '/auth/sessions', { token: second.access_token })).body;
    expect(sessions).toHaveLength(2);
    expect(sessions.map((session: { current: boolean }) => session.current).filter(Boolean)).toHaveLength(1);
    const other = sessions.find((session: { current: boolean }) => !session.current);
    expect((await here.call('DELETE', `/auth/sessions/${other.id}`, { token: second.access_token })).status).toBe(204);
    expect((await me(here, first.access_token)).status).toBe(401);
    expect((await me(here, second.access_token)).status).toBe(200);
    expect((await here.call('DELETE', `/auth/sessions/${other.id}`, { token: second.access_token })).body.error).toBe('session.not_found');
  });

  const changes: [string, (id: string) => Promise<unknown>, string][] = [
    ['switched off', (id) => here.auth.users.change(id, () => ({ isActive: false })), 'auth.session_ended'],
    ['removed', (id) => here.auth.users.remove(id), 'auth.session_ended'],
    ['signed out everywhere', (id) => here.auth.endSessionsOf(id), 'auth.session_ended'],
  ];
  // Two seconds each of a clock that cannot be hurried: all three at once.
  it.concurrent.each(changes)(
    'F3: an account that was %s: under 50 requests a second the last success is within a second',
    async (_name, change, code) => {
      const { access_token: token, user } = await person();
      for (const world of [here, there]) expect((await me(world, token)).status).toBe(200);
      const answered: { atMs: number; status: number; error: string | undefined; mayBeOld: boolean }[] = [];
      const asks: Promise<unknown>[] = [];
      let changedMs = Number.POSITIVE_INFINITY;
      for (let i = 0; i < 100; i += 1) {
        const world = i % 2 === 0 ? here : there;
        const atMs = performance.now();
        asks.push(
          me(world, token).then(({ status, body }) => answered.push({ atMs, status, error: body.error, mayBeOld: world !== here })),
        );
        if (i === 20) {
          await change(user.id);
          changedMs = performance.now();
        }
        // oxlint-disable-next-line no-await-in-loop -- this is the rate
        await new Promise((next) => setTimeout(next, 20));
      }
      await Promise.all(asks);
      const successes = answered.filter(({ status, atMs }) => status === 200 && atMs > changedMs);
      expect(successes.filter(({ mayBeOld }) => !mayBeOld)).toEqual([]);
      expect(successes.filter(({ atMs }) => atMs - changedMs > EFFECT_WITHIN_MS)).toEqual([]);
      expect(answered.at(-1)).toMatchObject({ status: 401, error: code });
    },
  );

  it('ROLE-01: a new role holds from the next request on; the session stays', async () => {
    const { access_token: token, user } = await person();
    expect((await me(here, token)).body.role).toBe('user');
    await here.auth.users.change(user.id, () => ({ role: 'admin' }));
    expect((await me(here, token)).body.role).toBe('admin');
    expect((await here.auth.identify(token, '')).account.role).toBe('admin');
    await here.auth.users.change(user.id, () => ({ role: 'user' }));
    expect((await here.auth.identify(token, '')).account.role).toBe('user');
  });

  it('a shorter jwt_expiration_hours ends older sessions at their start and that many hours', async () => {
    const { access_token: token, user } = await person();
    const db = here.database.app.withTables<{ sessions: { user_id: string; created_at: number } }>();
    await db
      .updateTable('sessions')
      .set({ created_at: Date.now() - 2 * 3_600_000 })
      .where('user_id', '=', user.id)
      .execute();
    expect((await me(there, token)).status).toBe(200);
    there.policy.jwtExpirationHours = 1;
    expect((await me(there, token)).body.error).toBe('auth.token_expired');
    there.policy.jwtExpirationHours = 24;
  });

  it('LV31: watched sessions that ended anywhere are told within a second', async () => {
    const { access_token: token, user } = await person();
    const principal = await there.auth.identify(token, '');
    const sessionId = principal.type === 'session' ? principal.sessionId : '';
    const heard = new Promise<Ended>((told) => there.auth.onEnded((ended) => ended.userId === user.id && told(ended)));
    there.auth.watch(() => new Map([[sessionId, user.id]]));
    await there.auth.start();
    await sql`delete from sessions`.execute(here.database.app).catch(() => sql`delete from app.sessions`.execute(here.database.app));
    const endedMs = performance.now();
    expect(await heard).toEqual({ userId: user.id, sessionIds: [sessionId], removed: false });
    // A busy machine adds to the look every 0.7 s.
    expect(performance.now() - endedMs).toBeLessThan(2_000);
  });

  it('what other slices keep of an account goes with it, or nothing goes', async () => {
    const { user } = await person();
    const gone: string[] = [];
    let fault: Error | null = new Error('cannot');
    here.auth.onUserRemoved(async (id) => {
      if (fault) throw fault;
      gone.push(id);
    });
    await expect(here.auth.users.remove(user.id)).rejects.toThrow('cannot');
    expect(await here.auth.users.find(user.id)).not.toBeNull();
    fault = null;
    await here.auth.users.remove(user.id);
    expect(gone).toEqual([user.id]);
    expect(await here.auth.users.find(user.id)).toBeNull();
  });
});

describe('the local provider', () => {
  it('does not exist with Google or for others than this machine', async () => {
    for (const config of [{ googleClientId: 'x' }, { localProvider: false, isPublic: true }]) {
      const { database, dispose } = await freshDatabase();
      const world = await authWorld({ database, config });
      const answer = await world.call('POST', '/auth/local/token', { body: { name: 'A', email: 'a@example.org' } });
      expect([answer.status, answer.body.error]).toEqual([404, 'route.not_found']);
      await world.close();
      await dispose();
    }
  });
});

describe('a database that is away', () => {
  it('answers 503 to a good token, never 401 or 403', async () => {
    let isAway = false;
    const { database, dispose } = await freshDatabase(undefined, async (_statement, run) => {
      if (isAway) throw Object.assign(new Error('Connection terminated'), { code: 'ECONNREFUSED' });
      return run();
    });
    const world = await authWorld({ database });
    const { access_token: token } = await world.signIn('a@example.org');
    expect((await me(world, token)).status).toBe(200);
    isAway = true;
    // What was read half a second ago is no longer believed.
    await expect.poll(async () => (await me(world, token)).status, { timeout: 3_000 }).toBe(503);
    const answer = await me(world, token);
    expect([answer.status, answer.body.error]).toEqual([503, 'server.database_unavailable']);
    const signIn = await world.call('POST', '/auth/login', { body: { username: 'bob', password: 'x' } });
    expect([signIn.status, signIn.body.error]).toEqual([503, 'server.database_unavailable']);
    isAway = false;
    expect((await me(world, token)).status).toBe(200);
    await world.close();
    await dispose();
  });
  const me = (world: AuthWorld, token: string) => world.call('GET', '/auth/me', { token });
});
