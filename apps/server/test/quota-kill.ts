import { type ChildServer, poll, startChild } from './child-server.ts';
import { callersOf } from './callers.ts';

export interface Ledger {
  kills: number;
  /** Calls answered 200, by the clients' own count; calls whose answer was cut off by a kill count as passed on top. */
  passed: number;
  cut: number;
  /** Units the last process holds as used of the day. */
  counted: number;
  limit: number;
  /** Empty when every promise was kept. */
  faults: string[];
}

const IN_FLIGHT = 20;

/**
 * B3: calls with one key without pause while the server is killed again and again. The clients' own log is held against the counters: never more
 * passes than the day allows, and what all kills together cost of it stays under a percent.
 */
export async function killWhileCounting(
  dataDir: string,
  { kills, limit, liveMs }: { kills: number; limit: number; liveMs: number },
): Promise<Ledger> {
  const ledger: Ledger = { kills, passed: 0, cut: 0, counted: 0, limit, faults: [] };
  let secret = '';
  let session = '';
  for (let life = 0; life <= kills; life += 1) {
    const server = await startChild(dataDir);
    try {
      if (life === 0) ({ secret, session } = await prepare(server, limit));
      const isLast = life === kills;
      // The last life uses up what is left.
      let isKilled = false;
      const calling = Promise.all(Array.from({ length: IN_FLIGHT }, () => callUntil(server, secret, ledger, () => isKilled)));
      if (!isLast) {
        await new Promise((lived) => setTimeout(lived, liveMs));
        // In the middle of calls: what they took may be answered or not.
        server.kill('SIGKILL');
        isKilled = true;
      }
      await calling;
      if (isLast) ledger.counted = await countedBy(server, session);
    } finally {
      server.kill('SIGKILL');
      await server.exited;
    }
    if (life % 10 === 9) console.log(`${life + 1} kills, ${ledger.passed} passed, ${ledger.cut} cut off`);
  }
  const { passed, cut, counted } = ledger;
  if (passed > limit) ledger.faults.push(`${passed} passed of ${limit}`);
  if (passed + cut < 0.99 * limit) ledger.faults.push(`only ${passed} and ${cut} cut off of ${limit}: more than a percent lost`);
  if (counted > limit) ledger.faults.push(`${counted} counted of ${limit}`);
  return ledger;
}

async function prepare(server: ChildServer, limit: number): Promise<{ secret: string; session: string }> {
  const callers = callersOf(server.url);
  const session = await callers.signIn('owner@example.org');
  const { json: me } = await callers.call('GET', '/auth/me', { token: session });
  const raised = { api_rate_limit_per_minute: 10_000, api_daily_limit: limit, api_monthly_limit: 10 * limit };
  await callers.call('PUT', `/auth/admin/users/${me.id}`, { token: session, body: raised });
  const body = { description: 'ledger', rate_limit_per_minute: 10_000, daily_limit: limit, monthly_limit: 10 * limit };
  const issued = await callers.call('POST', '/api-keys', { token: session, body });
  if (issued.status !== 201) throw new Error(JSON.stringify(issued.json));
  await poll(
    () => callers.call('GET', '/alerts?limit=1', { token: session }),
    (answer) => answer.status === 200,
    60_000,
  );
  return { secret: issued.json.api_key, session };
}

/** Until it is over, or the day is used up. */
async function callUntil(server: ChildServer, secret: string, ledger: Ledger, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const answer = await fetch(`${server.url}/api/v1/alerts/types-of-nothing`, { headers: { 'x-api-key': secret } }).catch(() => null);
    await answer?.body?.cancel().catch(() => {});
    if (answer === null) ledger.cut += 1;
    else if (answer.status === 404) ledger.passed += 1;
    else if (answer.status === 429) {
      if (tightestOf(answer) === 'day') return;
      // A minute that is used up says nothing of the day.
      await new Promise((next) => setTimeout(next, 1_000));
    } else if (answer.status < 500) ledger.faults.push(`an answer ${answer.status}`);
  }
}

const tightestOf = (answer: Response): string | null => /^"(\w+)"/.exec(answer.headers.get('ratelimit') ?? '')?.[1] ?? null;

async function countedBy(server: ChildServer, session: string): Promise<number> {
  const { json } = await callersOf(server.url).call('GET', '/auth/me/usage', { token: session });
  return json.current_usage.today;
}
