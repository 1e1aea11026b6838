import { useServices } from '../../api/services.ts';
import { AlertSyncContext } from '../../features/alerts/alert-sync-context.ts';
import MapPage from '../../features/alerts/map/map-page.tsx';
import { makeAlertSync } from './make-alert-sync.ts';

/** The map over the same machinery as the alerts screen: one book of alerts, whichever of the two is open. */
export function WeatherMap() {
  const sync = useServices().once(makeAlertSync);
  return (
    <AlertSyncContext value={sync}>
      <MapPage />
    </AlertSyncContext>
  );
}
