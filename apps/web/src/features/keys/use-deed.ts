import { useState } from 'react';
import { ApiError, detailOf } from '../../api/errors.ts';

/** Runs one change and keeps its refusal in sight. `prefix` is the sentence of KEY-13 without its end. */
export function useDeed(prefix: string) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const run = async (change: () => Promise<void>) => {
    setBusy(true);
    setError(null);
    try {
      await change();
    } catch (cause) {
      setError(failureOf(prefix, cause));
    } finally {
      setBusy(false);
    }
  };
  return { busy, error, run };
}

/** KEY-13: "Failed to create API key: why". */
export function failureOf(prefix: string, cause: unknown): string {
  const isOld = cause instanceof ApiError && cause.code === 'precondition.failed';
  return `${prefix}: ${isOld ? 'it was changed meanwhile. See in the list how it is now, then try again.' : detailOf(cause, 'something went wrong in this page')}`;
}
