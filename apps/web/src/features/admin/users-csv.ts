import type { AdminUser } from '@nwms/contract';
import { csvOf } from '../../lib/csv.ts';

/** Columns of the export: names of the wire, so that a script can read it too. Instants are ISO in UTC. */
const COLUMNS = [
  'id',
  'username',
  'email',
  'full_name',
  'organization',
  'role',
  'is_active',
  'special_access',
  'api_rate_limit_per_minute',
  'api_daily_limit',
  'api_monthly_limit',
  'last_login',
  'total_api_requests',
  'current_day_requests',
  'current_month_requests',
  'key_count',
  'locked_until',
  'auth_provider',
  'email_verified',
  'created_at',
  'updated_at',
  'notes',
] as const satisfies readonly (keyof AdminUser)[];

export const usersCsv = (users: readonly AdminUser[]): string =>
  csvOf(
    COLUMNS,
    users.map((user) => COLUMNS.map((column) => user[column])),
  );
