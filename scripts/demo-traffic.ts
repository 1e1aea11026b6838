/**
 * `npm run demo:traffic`: asks a server on this machine as many different callers would, so that the analytics screens have something to show. Every request goes
 * over the real API. Bounded in time and rate, and loopback only.
 */
import { parseArgs } from 'node:util';
import { seededRandom } from '@nwms/domain';
import { AGENTS, ADDRESSES, QUESTIONS } from './demo-callers.ts';

const MAX_PER_SECOND = 50;
const MAX_SECONDS = 3_600;
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:8080' },
    seconds: { type: 'string', default: '60' },
    rate: { type: 'string', default: '12' },
    seed: { type: 'string', default: '1' },
  },
});
const target = new URL(values.url);
if (!LOOPBACK.has(target.hostname)) throw new Error(`demo traffic is for a server on this machine only, not ${target.hostname}`);
const seconds = Math.min(MAX_SECONDS, Number(values.seconds));
const perSecond = Math.min(MAX_PER_SECOND, Number(values.rate));
if (!(seconds > 0 && perSecond > 0)) throw new Error('--seconds and --rate must be numbers above zero');

const random = seededRandom(Number(values.seed));
/** Few of a list are asked for often, most now and then: the n-th one with weight 1 ÷ n. */
function pick<T>(list: readonly T[]): T {
  const total = list.reduce((sum, _one, n) => sum + 1 / (n + 1), 0);
  let left = random() * total;
  for (const [n, one] of list.entries()) {
    left -= 1 / (n + 1);
    if (left <= 0) return one;
  }
  return list[0] as T;
}

interface Caller {
  address: string;
  agent: string;
  etags: Map<string, string>;
  credential: Record<string, string>;
}

const statuses = new Map<string, number>();
async function ask(caller: Caller, path: string): Promise<void> {
  const known = caller.etags.get(path);
  const headers = {
    'user-agent': caller.agent,
    'x-forwarded-for': caller.address,
    ...caller.credential,
    ...(known === undefined ? {} : { 'if-none-match': known }),
  };
  try {
    const answer = await fetch(`${target.origin}/api/v1${path}`, { headers });
    await answer.arrayBuffer();
    const etag = answer.headers.get('etag');
    if (etag !== null && caller.agent.startsWith('Mozilla')) caller.etags.set(path, etag);
    statuses.set(String(answer.status), (statuses.get(String(answer.status)) ?? 0) + 1);
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    statuses.set(cause, (statuses.get(cause) ?? 0) + 1);
  }
}

/** Two accounts through the local identity provider, one of them with an API key; none where the server has no such provider. */
async function members(): Promise<Record<string, string>[]> {
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${target.origin}/api/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return answer.ok ? ((await answer.json()) as Record<string, string>) : null;
  };
  const credentials: Record<string, string>[] = [];
  for (const name of ['Demo Dana', 'Demo Eli']) {
    const given = await post('/auth/local/token', { name, email: `${name.replace(' ', '.').toLowerCase()}@example.org` });
    const login = given && (await post('/auth/google', { token: given['token'] }));
    if (!login) continue;
    const session = { authorization: `Bearer ${login['access_token']}` };
    credentials.push(session);
    const key = await post('/api-keys', { description: 'Demo traffic', expires_in_days: 1 }, session);
    if (key?.['api_key']) credentials.push({ 'x-api-key': key['api_key'] });
  }
  return credentials;
}

// In turn, so that every kind of agent comes; which of them asks how often is chance.
const anonymous = ADDRESSES.map((address, n): Caller => ({
  address,
  agent: AGENTS[(n + 5) % AGENTS.length] ?? '',
  etags: new Map(),
  credential: {},
}));
const known = (await members()).map((credential, n): Caller => ({
  address: ADDRESSES[n] ?? '127.0.0.1',
  agent: 'x-api-key' in credential ? 'python-requests/2.32.3' : (AGENTS[0] ?? ''),
  etags: new Map(),
  credential,
}));
const callers = [...known, ...anonymous];
process.stdout.write(`${callers.length} callers, ${perSecond} requests a second for ${seconds} s against ${target.origin}\n`);
const under = new Set<Promise<void>>();
const end = performance.now() + seconds * 1_000;
while (performance.now() < end) {
  const asking = ask(pick(callers), pick(QUESTIONS));
  under.add(asking);
  void asking.finally(() => under.delete(asking));
  // Requests come in no rhythm: exponential pauses.
  await new Promise((next) => setTimeout(next, (-Math.log(1 - random()) * 1_000) / perSecond));
}
await Promise.all(under);
for (const [status, count] of [...statuses].sort()) process.stdout.write(`${status}: ${count}\n`);
