import { createContext, useContext } from 'react';
import type { AlertSync } from './alert-sync.ts';

export const AlertSyncContext = createContext<AlertSync | null>(null);

export function useAlertSync(): AlertSync {
  const sync = useContext(AlertSyncContext);
  if (!sync) throw new Error('AlertSyncContext is missing');
  return sync;
}
