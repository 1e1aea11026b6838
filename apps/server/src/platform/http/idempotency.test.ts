import { admin } from '@nwms/contract';
import { fakeClock, testEngines } from '@nwms/testkit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AppError } from '../app-error.ts';
import { MIGRATIONS } from '../../../migrations/index.ts';
import { createIdempotencyStore } from '../db/idempotency-store.ts';
import { openDatabase } from '../db/open.ts';
import type { Database } from '../db/types.ts';
import { createIdempotency, type IdempotentCall, type KeepAnswer } from './idempotency.ts';
import type { Principal } from './principal.ts';

type Made = { n: number; secret: string | null };

const ann: Principal = {
  type: 'session',
  address: 'a',
  sessionId: 's',
  account: {
    id: 'usr_ann',
    username: 'ann',
    email: '',
    role: 'admin',
    specialAccess: false,
    limits: { perMinute: 100, perDay: 10_000, perMonth: 100_000 },
  },
};

describe.each((await testEngines()).filter((engine) => engine.skip === null))('Idempotency-Key on $name (B6)', (engine) => {
  let db: Database;
  let dispose: () => Promise<void>;
  const clock = fakeClock(Date.UTC(2026, 10, 21));
  let made = 0;
  beforeAll(async () => {
    const place = await engine.place();
    dispose = place.dispose;
    db = await openDatabase(place.config, { migrations: MIGRATIONS });
    await db.app.schema.createTable('things').addColumn('n', 'integer').execute();
  });
  afterAll(async () => {
    await db.close();
    await dispose();
  });

  const open = () => createIdempotency({ store: createIdempotencyStore(db.app), clock });
  const call = (key: string | undefined, body: unknown = { x: 1 }, principal: Principal = ann) => {
    const headers: Record<string, string> = {};
    const reply = { headers: (more: Record<string, string>) => Object.assign(headers, more) } as unknown as FastifyReply;
    const request = { headers: key === undefined ? {} : { 'idempotency-key': key }, params: {} } as unknown as FastifyRequest;
    const input: IdempotentCall = { spec: admin.createUser, principal, request, reply, body };
    return { input, headers };
  };
  /** Makes a thing, as a slice would: row and answer in one transaction. */
  const effect = async (keep: KeepAnswer<Made>): Promise<Made> => {
    made += 1;
    const answer = { n: made, secret: 'nws_plain' };
    await db.app.transaction().execute(async (transaction) => {
      await transaction.withTables<{ things: { n: number } }>().insertInto('things').values({ n: answer.n }).execute();
      await keep(transaction, { status: 201, headers: { Location: `/things/${answer.n}` }, body: { ...answer, secret: null } });
    });
    return answer;
  };
  const rows = async () => (await db.app.withTables<{ things: { n: number } }>().selectFrom('things').selectAll().execute()).length;

  it('the second time answers the first answer without secrets, and makes nothing', async () => {
    const idempotency = open();
    const before = await rows();
    const first = await idempotency.run(call('key-00000001').input, effect);
    const again = call('key-00000001');
    expect(await idempotency.run(again.input, effect)).toEqual({ ...first, secret: null });
    expect(again.headers).toMatchObject({ Location: `/things/${first.n}`, 'Idempotency-Replayed': 'true' });
    expect(await rows()).toBe(before + 1);
    const kept = await db.app
      .withTables<{ idempotency: { scope: string; body_hash: string; answer: string } }>()
      .selectFrom('idempotency')
      .selectAll()
      .execute();
    expect(JSON.stringify(kept)).not.toContain('nws_');
    expect(JSON.stringify(kept)).not.toContain('key-0000');
  });

  it('another body, another caller and another day are told apart', async () => {
    const idempotency = open();
    const before = await rows();
    await idempotency.run(call('key-00000002').input, effect);
    await expect(idempotency.run(call('key-00000002', { x: 2 }).input, effect)).rejects.toMatchObject({ code: 'idempotency.mismatch' });
    await idempotency.run(call('key-00000002', { x: 2 }, { type: 'anonymous', address: 'b' }).input, effect);
    clock.jump(24 * 3_600_000 + 1);
    await idempotency.run(call('key-00000002', { x: 2 }).input, effect);
    expect(await rows()).toBe(before + 3);
    await idempotency.expire();
    expect((await db.app.withTables<{ idempotency: { scope: string } }>().selectFrom('idempotency').selectAll().execute()).length).toBe(1);
  });

  it('twenty at once in one process, and in two, make one thing', async () => {
    for (const processes of [[open()], [open(), open()]]) {
      const before = await rows();
      const key = `key-at-once-${processes.length}`;
      const answers = await Promise.allSettled(
        Array.from({ length: 20 }, (_, n) => (processes[n % processes.length] as ReturnType<typeof open>).run(call(key).input, effect)),
      );
      expect(await rows()).toBe(before + 1);
      const refusals = answers.flatMap((answer) => (answer.status === 'rejected' ? [(answer.reason as AppError).code] : []));
      expect(refusals.filter((code) => code !== 'idempotency.in_progress')).toEqual([]);
      expect(new Set(answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value.n] : []))).size).toBe(1);
    }
  });

  it('a failed effect is not kept: the next try runs', async () => {
    const idempotency = open();
    const failing = async (): Promise<Made> => Promise.reject(new Error('full'));
    await expect(idempotency.run(call('key-00000003').input, failing)).rejects.toThrow('full');
    expect(await idempotency.run(call('key-00000003').input, effect)).toMatchObject({ secret: 'nws_plain' });
  });

  it('an answer lost after the commit is found by the retry', async () => {
    const idempotency = open();
    const before = await rows();
    const cut = async (keep: KeepAnswer<Made>): Promise<Made> => {
      await effect(keep);
      throw new Error('connection cut after the commit');
    };
    await expect(idempotency.run(call('key-00000004').input, cut)).rejects.toThrow('cut');
    const retry = call('key-00000004');
    await idempotency.run(retry.input, effect);
    expect(retry.headers).toMatchObject({ 'Idempotency-Replayed': 'true' });
    expect(await rows()).toBe(before + 1);
  });

  it('refuses keys that are not 8 to 128 visible characters, and works without one', async () => {
    const idempotency = open();
    for (const key of ['short', 'with blank inside', 'x'.repeat(129), ''])
      await expect(idempotency.run(call(key).input, effect)).rejects.toMatchObject({ code: 'request.invalid' });
    const before = await rows();
    await idempotency.run(call(undefined).input, effect);
    await idempotency.run(call(undefined).input, effect);
    expect(await rows()).toBe(before + 2);
  });
});
