import type { alerts } from '@nwms/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorld, message, vtec, type World } from '../../../test/alerts-world.ts';
import { AppError } from '../../platform/app-error.ts';
import type { AlertArchive, ArchiveBounds } from './types.ts';

const T0 = Date.parse('2026-05-21T19:00:00Z');
const HOUR = 3_600_000;
const KEY = 'KDMX.SV.W.0106';

let world: World;
beforeEach(async () => {
  world = await createWorld({ at: T0 });
});
afterEach(() => world.close());

const storm = (options: Parameters<typeof message>[0] = {}) =>
  message({ vtec: vtec('NEW', KEY, T0, T0 + HOUR), id: 'urn:oid:first', sent: T0, ends: T0 + HOUR, ...options }, world.clock.now());

interface List {
  alerts: { id: string; event_id: string; state: string }[];
  total: number;
}

describe('history beyond the board', () => {
  it('joins what is over for more than a week, unless only active alerts are asked for', async () => {
    world.apply([storm()]);
    await world.clock.advance(8 * 24 * HOUR);
    world.apply([
      storm({ vtec: vtec('NEW', 'KDMX.SV.W.0107', world.clock.now(), null), id: 'urn:oid:new', sent: world.clock.now(), ends: null }),
    ]);
    expect(world.alerts.board.rows()).toHaveLength(1);
    const ids = async (url: string) => (await world.get<List>(url)).body.alerts.map((alert) => alert.event_id);
    expect(await ids('/alerts')).toEqual(['KDMX.SV.W.0107.2026', `${KEY}.2026`]);
    expect(await ids('/alerts?active_only=true')).toEqual(['KDMX.SV.W.0107.2026']);
    expect(await ids('/alerts?from=2026-05-21T19:30:00Z&to=2026-05-21T19:40:00Z')).toEqual([`${KEY}.2026`]);
    expect(await ids('/alerts?in_force_at=2026-05-21T21:00:00Z')).toEqual([]);
    expect((await world.get<alerts.AlertStats>('/alerts/stats')).body).toMatchObject({ total: 2, active: 1, over: 1, total_exact: true });
  });

  it('says that the total is a floor where history is too large to be read without a range and no index has its order', async () => {
    const archive = {
      countRecord: async () => 2_001,
      find: () => Promise.reject(new AppError('query.window_too_large', { public: 'too many' })),
      ids: () => Promise.reject(new AppError('query.window_too_large', { public: 'too many' })),
    } as unknown as AlertArchive;
    const large = await createWorld({ at: T0, deps: { archive } });
    large.apply([storm()]);
    expect((await large.get<List>('/alerts?order_by=area')).body).toMatchObject({
      total: 1,
      total_exact: false,
      truncated: true,
      warnings: [{ code: 'history_left_out' }],
    });
    expect((await large.get<alerts.AlertStats>('/alerts/stats')).body).toMatchObject({ total: 1, total_exact: false });
    expect((await large.get<{ error: string }>('/alerts?from=2026-01-01&to=2026-02-01')).body.error).toBe('query.window_too_large');
    expect((await large.get<List>('/alerts?active_only=true')).body).toMatchObject({ total: 1, total_exact: true, warnings: [] });
    await large.close();
  });

  it('answers about an instant of the past when more is known than one answer holds: first what was in force, and says so', async () => {
    const asked: ArchiveBounds[] = [];
    const tooMany = () => Promise.reject(new AppError('query.window_too_large', { public: 'too many' }));
    const none = { events: [], messages: [] };
    // Only what was not over holds.
    const counted: ArchiveBounds[] = [];
    const asOf = (_at: number, bounds: ArchiveBounds) => (asked.push(bounds), bounds.activeOnly ? Promise.resolve(none) : tooMany());
    // What changed between counting and reading is told by the reading.
    const countAt = (_at: number, bounds: ArchiveBounds) => (
      counted.push(bounds),
      Promise.resolve(bounds.from === undefined ? 2_001 : 10_000)
    );
    const large = await createWorld({ at: T0, deps: { archive: { asOf, idsAt: tooMany, countAt } as unknown as AlertArchive } });
    const at = new Date(T0 - HOUR).toISOString();
    expect((await large.get<List>(`/alerts?at=${at}`)).body).toMatchObject({
      total_exact: false,
      warnings: [{ code: 'history_left_out' }],
    });
    // Nothing is read of what is too much by its number.
    expect(counted.map(({ from }) => from)).toEqual([undefined, T0 - 25 * HOUR]);
    expect(asked.map(({ from, activeOnly }) => [from, activeOnly])).toEqual([
      [T0 - 25 * HOUR, undefined],
      [undefined, true],
    ]);
    const from = new Date(T0 - 2 * HOUR).toISOString();
    expect((await large.get<{ error: string }>(`/alerts?at=${at}&from=${from}`)).body.error).toBe('query.window_too_large');
    // Whoever asks for what was in force wants nothing that was over: nothing is left out, and nothing is read twice.
    for (const active of ['active_only=true', 'lifecycle=in_force,expiring,unconfirmed'])
      expect((await large.get<List>(`/alerts?at=${at}&${active}`)).body).toMatchObject({ total_exact: true, warnings: [] });
    await large.close();
  });

  it('warns when polls do not cover the time asked about (A3)', async () => {
    const blind = await createWorld({ at: T0, deps: { covered: async () => false } });
    blind.apply([storm()]);
    const at = new Date(T0 - HOUR).toISOString();
    const { body } = await blind.get<List>(`/alerts?at=${at}`);
    expect(body).toMatchObject({
      alerts: [],
      freshness: { status: 'unknown', reason: 'coverage_gap' },
      warnings: [{ code: 'coverage_gap' }],
    });
    await blind.close();
  });
});
