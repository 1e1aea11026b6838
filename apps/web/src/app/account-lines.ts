import type { auth, clientErrors } from '@nwms/contract';
import { line } from '../api/line.ts';

export const ME = line<typeof auth.getMe>('GET', '/auth/me');
export const SIGN_OUT = line<typeof auth.signOut>('POST', '/auth/logout');
export const REPORT = line<typeof clientErrors.reportClientErrors>('POST', '/client-errors');
