import { testEngines, type TestEngine } from '@nwms/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MIGRATIONS } from '../../../migrations/index.ts';
import { type Breaker, breaker, FAULT_KINDS, type FaultKind } from '../../platform/db/breaker-fixture.ts';
import { openDatabase } from '../../platform/db/open.ts';
import type { Database } from '../../platform/db/types.ts';
import type { UserRow } from '../auth/index.ts';
import { openAdminWorld, type AdminWorld, type Answer } from './admin-world-fixture.ts';

const engines = (await testEngines()).filter((engine) => engine.skip === null);

/** Every statement under NWMS_CHAOS=1; else every third, another one each day, so that the everyday suite stays quick. */
const STRIDE = process.env['NWMS_CHAOS'] === '1' ? 1 : 3;
const FIRST = 1 + (Math.floor(Date.now() / 86_400_000) % STRIDE);

describe.each(engines)('a broken database under the administration on $name (B5, B6)', (engine) => {
  let database: Database;
  let dispose: () => Promise<void>;
  let fault: Breaker;
  let world: AdminWorld;
  let admin: UserRow;
  let serial = 0;
  beforeAll(async () => {
    const place = await engine.place();
    dispose = place.dispose;
    fault = breaker(engine.name as TestEngine['name']);
    database = await openDatabase(place.config, { migrations: MIGRATIONS, around: fault.around });
    world = await openAdminWorld(database);
    admin = await world.addAdmin('root');
  }, 30_000);
  afterAll(async () => {
    await world.close();
    await database.close();
    await dispose();
  });

  /** As a client does: again after 5xx, with the same key. Every answer in between must be one of "try again". */
  const insist = async (send: () => Promise<Answer>): Promise<Answer> => {
    let answer = await send();
    for (let tries = 1; tries < 4 && answer.status >= 500; tries += 1) {
      expect(answer).toMatchObject({ status: 503, json: { error: 'server.database_unavailable' } });
      answer = await send();
    }
    return answer;
  };
  const entries = async (action: string, target: string): Promise<number> =>
    (await world.call(admin, 'GET', `/audit?action=${action}&target=${target}&limit=200`)).json.entries.length;

  /**
   * Breaks statement 1, 2, 3 ... of a request until none is left to break. `flow` makes what it needs, calls `broken` with the request,
   * and checks what that left; answers how many statements were broken.
   */
  const breakEach = async (kind: FaultKind, flow: (broken: typeof insist) => Promise<void>): Promise<number> => {
    for (let n = FIRST; ; n += STRIDE) {
      let wasReached = false;
      await flow(async (send) => {
        fault.arm(n, kind);
        const answer = await insist(send);
        wasReached = fault.count() >= n;
        fault.disarm();
        return answer;
      });
      if (!wasReached) return n - STRIDE;
      expect(n).toBeLessThan(60);
    }
  };
  const newUser = async () => {
    serial += 1;
    const name = `user-${serial}`;
    return (await world.call(admin, 'POST', '/users', { username: name, email: `${name}@example.org`, google_only: true })).json as {
      id: string;
    };
  };

  it.each(FAULT_KINDS)(
    'creating: whichever statement is %s, one account, one entry, one answer',
    async (kind) => {
      const statements = await breakEach(kind, async (broken) => {
        serial += 1;
        const name = `user-${serial}`;
        const body = { username: name, email: `${name}@example.org`, password: 'correct horse' };
        const answer = await broken(() => world.call(admin, 'POST', '/users', body, { 'idempotency-key': `key-for-${name}` }));
        expect(answer, JSON.stringify(answer.json)).toMatchObject({ status: 201, json: { username: name, version: 1 } });
        const found = await world.call(admin, 'GET', `/users?q=${name}@example.org`);
        expect(found.json).toMatchObject({ total: 1, users: [{ id: answer.json.id }] });
        expect(await entries('user.created', name)).toBe(1);
      });
      expect(statements).toBeGreaterThan(2);
    },
    60_000,
  );

  it.each(FAULT_KINDS)(
    'changing: whichever statement is %s, as many entries as versions',
    async (kind) => {
      const statements = await breakEach(kind, async (broken) => {
        const { id } = await newUser();
        const answer = await broken(() => world.call(admin, 'PUT', `/users/${id}`, { is_active: false, notes: 'off' }));
        expect(answer).toMatchObject({ status: 200, json: { is_active: false, notes: 'off', version: 2 } });
        const changes = (await world.call(admin, 'GET', `/audit?action=user.updated&target=${id}`)).json.entries as {
          changes: unknown[];
        }[];
        expect(changes.filter((entry) => entry.changes.length > 0).length).toBe(1);
      });
      expect(statements).toBeGreaterThan(2);
    },
    60_000,
  );

  it.each(FAULT_KINDS)(
    'deleting: whichever statement is %s, gone whole, with one entry',
    async (kind) => {
      const statements = await breakEach(kind, async (broken) => {
        const { id } = await newUser();
        const answer = await broken(() => world.call(admin, 'DELETE', `/users/${id}`));
        // After a cut behind the commit the retry finds nothing left to delete.
        expect([204, 404]).toContain(answer.status);
        expect(await world.auth.users.find(id)).toBeNull();
        expect(await entries('user.deleted', id)).toBe(1);
      });
      expect(statements).toBeGreaterThan(2);
    },
    60_000,
  );

  it.each(FAULT_KINDS)(
    'saving settings: whichever statement is %s, never half, and what is in force is what is stored',
    async (kind) => {
      const statements = await breakEach(kind, async (broken) => {
        const before = (await world.call(admin, 'GET', '/settings')).json;
        const saved = (await world.call(admin, 'GET', '/audit?action=settings.saved&limit=200')).json.entries.length;
        const hours = (before.system.jwt_expiration_hours % 24) + 1;
        const answer = await broken(() =>
          world.call(admin, 'PUT', '/settings', { system: { jwt_expiration_hours: hours } }, { 'if-match': `"v${before.version}"` }),
        );
        // After a cut behind the commit the retry is told that the version moved on.
        expect([200, 412]).toContain(answer.status);
        const after = (await world.call(admin, 'GET', '/settings')).json;
        expect(after).toMatchObject({ version: before.version + 1, system: { jwt_expiration_hours: hours } });
        expect(world.settings.current().system.jwt_expiration_hours).toBe(hours);
        const savedAfter = (await world.call(admin, 'GET', '/audit?action=settings.saved&limit=200')).json.entries.length;
        expect(savedAfter).toBe(saved + 1);
      });
      expect(statements).toBeGreaterThan(2);
    },
    60_000,
  );
});
