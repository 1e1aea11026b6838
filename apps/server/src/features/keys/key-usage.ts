import type { KeyUsage } from '@nwms/contract';
import { accountAllowance, keyAllowance, keySubject } from './allowances.ts';
import type { KeyCaseDeps, Member } from './deps.ts';
import { presentWindow } from './present.ts';
import type { KeyRow } from './types.ts';

const MINUTE_MS = 60_000;
const DEFAULT_MINUTES = 60;
/** Endpoints listed; nobody reads more. */
const MAX_ENDPOINTS = 100;

/** How much of its allowance a key used, minute by minute, and for what. */
export async function keyUsage(
  deps: Pick<KeyCaseDeps, 'clock' | 'quotas' | 'uses'>,
  member: Member,
  key: KeyRow,
  minutes: number = DEFAULT_MINUTES,
): Promise<KeyUsage> {
  const last = Math.floor(deps.clock.now() / MINUTE_MS);
  const first = last - minutes + 1;
  const rows = (await deps.uses.minutesOf(key.id, first)).filter((row) => row.minute <= last);
  const byMinute = Map.groupBy(rows, (row) => row.minute);
  const byEndpoint = Map.groupBy(rows, (row) => row.endpoint);
  const allowances = [keyAllowance(key.id, key.limits), accountAllowance(member.account.id, member.account.limits)];
  const [states, used] = await Promise.all([deps.quotas.statesOf(allowances), deps.quotas.usedBy([keySubject(key.id)])]);
  return {
    windows: states.map(presentWindow),
    per_minute: Array.from({ length: minutes }, (_, index) => {
      const found = byMinute.get(first + index) ?? [];
      return {
        at: new Date((first + index) * MINUTE_MS).toISOString(),
        allowed: sum(found.map((row) => row.allowed)),
        refused: sum(found.map((row) => row.refused)),
      };
    }),
    by_endpoint: [...byEndpoint]
      .map(([endpoint, found]) => ({ endpoint, requests: sum(found.map((row) => row.allowed + row.refused)) }))
      .sort((a, b) => b.requests - a.requests || (a.endpoint < b.endpoint ? -1 : 1))
      .slice(0, MAX_ENDPOINTS),
    refused_today: used.get(keySubject(key.id))?.refusedToday ?? 0,
  };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, n) => total + n, 0);
