import type { AdminStatus } from '@nwms/contract';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../api/errors.ts';
import { testConnection } from './connection-test.ts';

const status: AdminStatus = { status: 'ok', message: 'Everything answers', current_admin: 'vera', total_users_in_db: 1234 };
const healthy = async () => ({ ok: true, status: 200, body: async () => ({ status: 'healthy' as const }) });
const refusal = (code: number) => async (): Promise<AdminStatus> => {
  throw new ApiError({ code: `http.${code}`, status: code, message: 'no' });
};

describe('test of the connection', () => {
  test('ADMN-07: success lists health, status, message, admin and user count', async () => {
    const report = await testConnection({ health: healthy, status: async () => status });
    expect(report).toEqual({
      ok: true,
      facts: [
        { label: 'Health', value: 'healthy' },
        { label: 'Status', value: 'ok' },
        { label: 'Message', value: 'Everything answers' },
        { label: 'Admin', value: 'vera' },
        { label: 'Users', value: '1,234' },
      ],
    });
  });

  test('ADMN-07: a health answer that is no success is told with its status, and nothing more is asked', async () => {
    let asked = false;
    const report = await testConnection({
      health: async () => ({ ok: false, status: 503, body: async () => ({ status: 'unhealthy' as const }) }),
      status: async () => {
        asked = true;
        return status;
      },
    });
    expect(report).toEqual({ ok: false, title: 'Connection test failed', detail: 'Health check failed: 503' });
    expect(asked).toBe(false);
  });

  test.each([
    [401, 'Authentication failed! Please log in again.', null],
    [403, 'Access denied! Admin privileges required.', null],
    [500, 'Connection test failed', 'Status 500'],
  ])('ADMN-08: %i', async (code, title, detail) => {
    expect(await testConnection({ health: healthy, status: refusal(code) })).toEqual({ ok: false, title, detail });
  });

  test('ADMN-08: no answer is a network error, whichever call it was', async () => {
    const unreachable = async () => {
      throw new TypeError('Failed to fetch');
    };
    const expected = { ok: false, title: 'Connection test failed', detail: 'Network error' };
    expect(await testConnection({ health: unreachable, status: async () => status })).toEqual(expected);
    expect(await testConnection({ health: healthy, status: unreachable })).toEqual(expected);
  });
});
