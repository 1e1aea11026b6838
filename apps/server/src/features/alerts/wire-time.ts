import type { Instant } from '@nwms/domain';

/** Weather times on the wire: UTC to the second, e.g. 2026-11-21T09:00:00Z. */
export const wireTime = (at: Instant): string => `${new Date(at).toISOString().slice(0, 19)}Z`;
export const wireTimeOrNull = (at: Instant | null): string | null => (at === null ? null : wireTime(at));
/** Our own clock's times: UTC to the millisecond. */
export const ownTime = (at: Instant): string => new Date(at).toISOString();
