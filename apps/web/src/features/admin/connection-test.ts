import type { AdminStatus, Health } from '@nwms/contract';
import { ApiError } from '../../api/errors.ts';

/** What 'Test Connection' found out (ADMN-07, ADMN-08). */
export type ConnectionReport =
  | { ok: true; facts: readonly { label: string; value: string }[] }
  | { ok: false; title: string; detail: string | null };

export interface ConnectionCalls {
  /** Plain GET of `/health` at the root, without a credential. Rejects when there is no answer. */
  health(): Promise<{ ok: boolean; status: number; body: () => Promise<Pick<Health, 'status'>> }>;
  status(): Promise<AdminStatus>;
}

/** First whether the server answers at all, then whether it knows us as an administrator. Never rejects. */
export async function testConnection(calls: ConnectionCalls): Promise<ConnectionReport> {
  try {
    const health = await calls.health();
    if (!health.ok) return failed(`Health check failed: ${health.status}`);
    const { status } = await health.body();
    const admin = await calls.status();
    return {
      ok: true,
      facts: [
        { label: 'Health', value: status },
        { label: 'Status', value: admin.status },
        { label: 'Message', value: admin.message },
        { label: 'Admin', value: admin.current_admin },
        { label: 'Users', value: admin.total_users_in_db.toLocaleString('en-US') },
      ],
    };
  } catch (error) {
    return failureOf(error);
  }
}

const failed = (detail: string | null): ConnectionReport => ({ ok: false, title: 'Connection test failed', detail });

function failureOf(error: unknown): ConnectionReport {
  const status = error instanceof ApiError ? error.status : 0;
  if (status === 401) return { ok: false, title: 'Authentication failed! Please log in again.', detail: null };
  if (status === 403) return { ok: false, title: 'Access denied! Admin privileges required.', detail: null };
  return failed(status > 0 ? `Status ${status}` : 'Network error');
}
