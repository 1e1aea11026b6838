import { useServices } from '../../api/services.ts';
import { AlertSyncContext } from '../../features/alerts/alert-sync-context.ts';
import AlertsPage from '../../features/alerts/alerts-page.tsx';
import { makeAlertSync } from './make-alert-sync.ts';

/** The alerts screen with the machinery that only it and the map need; the one sync goes on while other screens are open. */
export function Alerts() {
  const sync = useServices().once(makeAlertSync);
  return (
    <AlertSyncContext value={sync}>
      <AlertsPage />
    </AlertSyncContext>
  );
}
