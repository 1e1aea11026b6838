import type { UserRow } from './types.ts';

export interface UserColumns {
  id: string;
  username: string;
  username_key: string;
  email: string;
  email_key: string;
  full_name: string | null;
  organization: string | null;
  search_text: string;
  role: string;
  is_active: number;
  special_access: number;
  limit_minute: number;
  limit_day: number;
  limit_month: number;
  notes: string | null;
  provider: string;
  password_hash: string | null;
  email_verified: number;
  must_change_password: number;
  last_login_at: number | null;
  created_at: number;
  updated_at: number;
  version: number;
}

export interface SessionColumns {
  id: string;
  user_id: string;
  provider: string;
  device: string;
  country_code: string | null;
  created_at: number;
  last_seen_at: number;
  expires_at: number;
}

// A type, not an interface: only types have the index signature that the table map asks for.
export type AuthTables = {
  users: UserColumns;
  user_identities: { issuer: string; subject: string; user_id: string; created_at: number };
  sessions: SessionColumns;
  admin_claim: { id: number; user_id: string; claimed_at: number };
  used_tokens: { hash: string; expires_at: number };
  sign_in_failures: { account: string; address: string; failures: number; last_at: number; locked_until: number | null };
  secrets: { name: string; generation: number; value: string; created_at: number };
};

export function userOf(row: UserColumns): UserRow {
  return {
    id: row.id,
    username: row.username,
    email: row.email,
    fullName: row.full_name,
    organization: row.organization,
    // Whatever stands there, only this word makes an administrator.
    role: row.role === 'admin' ? 'admin' : 'user',
    isActive: row.is_active === 1,
    specialAccess: row.special_access === 1,
    limits: { perMinute: Number(row.limit_minute), perDay: Number(row.limit_day), perMonth: Number(row.limit_month) },
    notes: row.notes,
    provider: row.provider as UserRow['provider'],
    passwordHash: row.password_hash,
    emailVerified: row.email_verified === 1,
    mustChangePassword: row.must_change_password === 1,
    lastLoginAt: row.last_login_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    version: row.version,
  };
}
