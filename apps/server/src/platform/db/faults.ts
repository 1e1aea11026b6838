import { AppError } from '../app-error.ts';

/** SQLite primary result codes (low byte): the disk is full. */
const SQLITE_FULL = 13;
/** BUSY, LOCKED, NOMEM, READONLY, IOERR, CANTOPEN: the file cannot be used now. */
const SQLITE_UNAVAILABLE = new Set([5, 6, 7, 8, 10, 14]);
/** PostgreSQL: disk_full. */
const PG_DISK_FULL = '53100';
/** SQLSTATE classes: connection, resources, operator intervention, system error; 25006 read-only (a standby). */
const PG_UNAVAILABLE = /^(08|53|57|58)|^25006$/;
const SOCKET_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTUNREACH', 'EAI_AGAIN']);
const PG_CLIENT_FAULTS =
  /^(Query read timeout|Connection terminated|timeout e(xceeded|xpired)|timeout exceeded when trying to connect|Client (has encountered|was closed))/;

/** PostgreSQL unique_violation; SQLite extended codes of a unique column and of a primary key. */
const UNIQUE_CODES = new Set<unknown>(['23505', 2067, 1555]);

/** Two rows wanted the same unique value. */
export function isUniqueViolation(error: unknown): boolean {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown };
  return UNIQUE_CODES.has(code) || UNIQUE_CODES.has(errcode);
}

/** What a database error means for callers: an `AppError` where waiting or freeing space helps, else the error itself (a defect). */
export function databaseFault(error: unknown): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error;
  if (isDiskFull(error)) {
    return new AppError('server.disk_full', { public: 'The server has no room to write.', internal: error.message, cause: error });
  }
  if (!isUnavailable(error)) return error;
  return new AppError('server.database_unavailable', {
    public: 'The database cannot be used at the moment.',
    internal: error.message,
    retryAfterSeconds: 1,
    cause: error,
  });
}

function isDiskFull(error: Error): boolean {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  return code === 'ENOSPC' || code === PG_DISK_FULL || (typeof errcode === 'number' && (errcode & 0xff) === SQLITE_FULL);
}

function isUnavailable(error: Error): boolean {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  if (typeof errcode === 'number') return SQLITE_UNAVAILABLE.has(errcode & 0xff);
  if (typeof code === 'string' && (SOCKET_CODES.has(code) || PG_UNAVAILABLE.test(code))) return true;
  return PG_CLIENT_FAULTS.test(error.message);
}
