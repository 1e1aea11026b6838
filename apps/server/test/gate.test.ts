import { Problem } from '@nwms/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../src/platform/clock.ts';
import type { Load } from '../src/platform/http/shedding.ts';
import { boot, type Booted } from './boot.ts';
import { type Answer, type Callers, callersOf } from './callers.ts';
import { conforms } from './conforms.ts';

/** Other tests on the same processors are no overload of this server. */
const NEVER_BUSY: Load = { asked: () => {}, lagMs: () => 0, inFlight: () => 0, change: () => {}, stop: () => {} };

/** The product as it is delivered: nothing is raised here. */
let product: Booted;
let callers: Callers;
let admin: string;
let offsetMs = 0;
let made = 0;

beforeAll(async () => {
  product = await boot(
    { FEED: 'simulator', LIMITS_FACTOR: '1' },
    { clock: { ...systemClock, now: () => Date.now() + offsetMs }, load: NEVER_BUSY },
  );
  callers = callersOf(product.url);
  admin = await callers.signIn('admin@example.org');
  const from = performance.now();
  while ((await alerts()).status !== 200 && performance.now() - from < 60_000) await new Promise((next) => setTimeout(next, 500));
}, 90_000);
afterAll(() => product.stop());

/** A step of less than a minute, which the server's clock follows: what follows has a minute of its own. */
function nextMinute(): void {
  const now = Date.now() + offsetMs;
  offsetMs += 60_000 - (now % 60_000) + 5;
}
const alerts = (headers: Record<string, string> = {}, query = 'limit=1') => callers.call('GET', `/alerts?${query}`, { headers });
const byStatus = (answers: readonly { status: number }[]) =>
  Object.fromEntries([...Map.groupBy(answers, (answer) => answer.status)].map(([status, group]) => [status, group.length]));
const many = (n: number, ask: () => Promise<Answer>) => Promise.all(Array.from({ length: n }, ask));
async function newKey(limits: object = {}): Promise<{ key: Record<string, string>; session: string; id: string }> {
  const session = await callers.signIn(`gate-${(made += 1)}@example.org`);
  const { json } = await callers.call('POST', '/api-keys', { token: session, body: { description: 'gate', ...limits } });
  return { key: { 'x-api-key': json.api_key }, session, id: json.id };
}

/** RFC 9651 as far as these headers need it: a list of strings with integer parameters. Throws on anything else. */
function structured(field: string | null): { name: string; parameters: Record<string, number> }[] {
  if (field === null) throw new Error('the header is missing');
  return field.split(', ').map((member) => {
    const [, name, rest = ''] = /^"([\x20-\x21\x23-\x5b\x5d-\x7e]*)"((?:;[a-z*][a-z0-9_\-.*]*=-?\d{1,15})*)$/.exec(member) ?? [];
    if (name === undefined) throw new Error(`not a structured field: ${field}`);
    const parameters = rest
      .split(';')
      .filter(Boolean)
      .map((one) => one.split('=') as [string, string]);
    return { name, parameters: Object.fromEntries(parameters.map(([key, value]) => [key, Number(value)])) };
  });
}

describe('the gate', () => {
  it('R-10: an address without a credential has 60 a minute, on whichever way it is answered, and 304 is free', async () => {
    nextMinute();
    const first = await alerts();
    expect(structured(first.headers.get('ratelimit-policy'))).toEqual([{ name: 'minute', parameters: { q: 60, w: 60 } }]);
    expect(structured(first.headers.get('ratelimit'))[0]?.parameters['r']).toBe(59);
    // Storms go on: what was meant to be unchanged may have changed.
    const again = await alerts({ 'if-none-match': first.headers.get('etag') ?? '' });
    expect([304, 200]).toContain(again.status);
    // With an Origin the framework answers, without one the ready bytes: one allowance.
    const answers = await many(100, () => alerts(made++ % 2 ? { origin: 'https://other.example' } : {}));
    const passed = answers.filter((answer) => answer.status === 200).length;
    expect(passed).toBe(again.status === 304 ? 59 : 58);
    const last = await alerts();
    expect([last.status, last.json.error, last.json.scope, last.json.limit]).toEqual([429, 'quota.minute_exceeded', 'address', 60]);
    nextMinute();
    expect((await alerts()).status).toBe(200);
  });

  it('R-10: the setting for anonymous callers counts at once, and trusted addresses have ten times as much', async () => {
    await callers.save(admin, { limits: { anonymous_rate_limit_per_minute: 10 } });
    nextMinute();
    expect(byStatus(await many(20, () => alerts()))).toEqual({ 200: 10, 429: 10 });
    await callers.save(admin, { security: { trusted_ips: ['127.0.0.1', '::1'] } });
    expect(byStatus(await many(100, () => alerts()))).toEqual({ 200: 90, 429: 10 });
    await callers.save(admin, { security: { trusted_ips: [] }, limits: { anonymous_rate_limit_per_minute: 60 } });
  });

  it('F11: an address cannot be made up', async () => {
    nextMinute();
    let passed = 0;
    for (let n = 0; n < 1_000; n += 50) {
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, m) =>
          alerts({ 'x-forwarded-for': `198.51.${(n + m) >> 8}.${(n + m) & 255}`, forwarded: `for=192.0.2.${m}` }),
        ),
      );
      passed += answers.filter((answer) => answer.status === 200).length;
    }
    expect(passed).toBe(60);
    // 1,000 of them are no flood yet; the next 200 are.
    expect(byStatus(await many(250, () => alerts()))).toEqual({ 429: 250 });
    expect((await alerts()).json).toMatchObject({
      error: 'quota.flood',
      type: 'https://iana.org/assignments/http-problem-types#abnormal-usage-detected',
    });
  });

  it('F7 F8: of 300 calls at once with a key exactly its 60 pass; headers and refusals read as documented', async () => {
    nextMinute();
    const { key } = await newKey();
    const answers = await many(300, () => alerts(key));
    expect(byStatus(answers)).toEqual({ 200: 60, 429: 240 });
    const left = answers.filter((answer) => answer.status === 200).map((answer) => structured(answer.headers.get('ratelimit'))[0]);
    expect(new Set(left.map((one) => one?.name))).toEqual(new Set(['minute']));
    for (const { headers, status, json } of answers) {
      expect(structured(headers.get('ratelimit-policy'))).toEqual([
        { name: 'minute', parameters: { q: 60, w: 60 } },
        { name: 'day', parameters: { q: 10_000, w: 86_400 } },
        { name: 'month', parameters: { q: 100_000, w: expect.any(Number) } },
      ]);
      const [shown] = structured(headers.get('ratelimit'));
      expect(shown?.parameters['t']).toBeLessThanOrEqual(60);
      if (status !== 429) continue;
      conforms(Problem, json);
      const wait = Number(headers.get('retry-after'));
      expect([json.error, json.window, json.scope, json.limit, json.retry_after_seconds]).toEqual([
        'quota.minute_exceeded',
        'minute',
        'key',
        60,
        wait,
      ]);
      expect(json['violated-policies']).toEqual(['minute']);
      expect(json.type).toBe('https://iana.org/assignments/http-problem-types#quota-exceeded');
      expect(Date.now() + offsetMs + wait * 1_000).toBeGreaterThanOrEqual(Date.parse(json.resets_at));
      expect(headers.get('access-control-expose-headers') ?? 'RateLimit').toContain('RateLimit');
    }
  });

  it('F8: a day that is used up says when the next begins, a little later for each', async () => {
    nextMinute();
    const { key, session, id } = await newKey({ daily_limit: 3 });
    expect(byStatus(await many(5, () => alerts(key)))).toEqual({ 200: 3, 429: 2 });
    const refused = await many(20, () => alerts(key));
    const waits = refused.map((answer) => Number(answer.headers.get('retry-after')));
    const midnight = Date.parse(refused[0]?.json.resets_at);
    expect(midnight % 86_400_000).toBe(0);
    for (const wait of waits) {
      expect(Date.now() + offsetMs + wait * 1_000).toBeGreaterThanOrEqual(midnight);
      expect(Date.now() + offsetMs + wait * 1_000).toBeLessThan(midnight + 63_000);
    }
    expect(new Set(waits).size).toBeGreaterThan(1);
    const usage = (await callers.call('GET', `/api-keys/${id}/usage`, { token: session })).json;
    expect(usage.refused_today).toBe(22);
    expect(usage.per_minute).toHaveLength(60);
  });

  it('R-04: several keys share the allowance of their account, and a script does not blind its owner’s screens', async () => {
    nextMinute();
    const { key, session } = await newKey();
    const other = {
      'x-api-key': (await callers.call('POST', '/api-keys', { token: session, body: { description: 'second' } })).json.api_key,
    };
    const answers = await Promise.all([many(80, () => alerts(key)), many(80, () => alerts(other))]);
    expect(answers.flat().filter((answer) => answer.status === 200)).toHaveLength(100);
    expect((await alerts(key)).json.scope).toMatch(/key|account/);
    const screens = await many(50, () => alerts({ authorization: `Bearer ${session}` }));
    expect(byStatus(screens)).toEqual({ 200: 50 });
    expect(structured(screens[0]?.headers.get('ratelimit-policy') ?? null)).toEqual([
      { name: 'minute', parameters: { q: 300, w: 60 } },
      { name: 'day', parameters: { q: 50_000, w: 86_400 } },
    ]);
  });

  it('calls cost what is documented, and nothing where nothing was given', async () => {
    nextMinute();
    const { key } = await newKey();
    const left = async () => (await callers.call('GET', '/limits', { headers: key })).json.windows[0].remaining;
    const cost = async (path: string, headers: Record<string, string> = {}, body?: unknown) => {
      const before = await left();
      const { status, headers: answered } = await callers.call(body ? 'POST' : 'GET', path, {
        headers: { ...key, ...headers },
        ...(body ? { body } : {}),
      });
      return [status, before - (await left()), answered.get('nwms-cost')];
    };
    expect(await cost('/alerts?limit=1')).toEqual([200, 1, null]);
    expect(await cost('/alerts?limit=1&from=2026-11-20&to=2026-11-21')).toEqual([200, 2, '2']);
    expect(await cost('/alerts/no-such-alert')).toEqual([404, 1, null]);
    expect(await cost('/alerts?nonsense=1')).toEqual([400, 1, null]);
    expect(await cost('/auth/me')).toEqual([403, 0, null]);
    expect(await cost('/alerts/types')).toEqual([200, 0, null]);
    const before = await left();
    const tile = await fetch(`${product.url}/api/v1/alerts/tiles/4/3/6.mvt`, { headers: key });
    await tile.arrayBuffer();
    expect([tile.ok, before - (await left()), structured(tile.headers.get('ratelimit-policy'))]).toEqual([
      true,
      0,
      [{ name: 'minute', parameters: { q: 600, w: 60 } }],
    ]);
    let unchanged: unknown = null;
    for (let n = 0; n < 10 && (unchanged as unknown[] | null)?.[0] !== 304; n += 1) {
      const { headers } = await alerts(key, 'active_only=true');
      unchanged = await cost('/alerts?active_only=true', { 'if-none-match': headers.get('etag') ?? '' });
    }
    expect(unchanged).toEqual([304, 0, '0']);
  });

  it('30 credentials that are none lock their address out of trying for the minute, before any look-up', async () => {
    nextMinute();
    const { key } = await newKey();
    const codes: string[] = [];
    for (let n = 0; n < 33; n += 1) codes.push((await alerts({ 'x-api-key': `nws_${n}` })).json.error);
    expect(codes).toEqual([...Array<string>(30).fill('key.invalid'), ...Array<string>(3).fill('auth.too_many_attempts')]);
    expect((await alerts(key)).json.error).toBe('auth.too_many_attempts');
    // Who sends none is no guesser.
    expect((await alerts()).status).toBe(200);
    nextMinute();
    expect((await alerts(key)).status).toBe(200);
  });
});
