import type { ErrorCode, FieldFault } from '@nwms/contract';
import { AppError } from '../app-error.ts';

/** A refused parameter: one field, one sentence. */
export function fieldFault(name: string, reason: FieldFault['reason'], message: string, code: ErrorCode = 'request.invalid'): AppError {
  return new AppError(code, { public: message, fields: [{ name, reason, message }] });
}
