import { useQuery } from '@tanstack/react-query';
import { FlaskConical, WifiOff } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { useServices } from '../api/services.ts';
import { useFreshnessLevel } from '../api/use-freshness.ts';
import { healthQuery } from '../features/health/queries.ts';
import { lazyPart } from '../ui/lazy-part.tsx';
import { FailedQuietly } from '../ui/part-failed.tsx';
import { useHydrated } from '../lib/use-hydrated.ts';
import { useOnline } from '../lib/use-online.ts';

/** Few visits see one; its file is kept from the start, so that it is there when it is needed. */
const UpdateStrip = lazyPart({ load: async () => (await import('./update-strip.tsx')).UpdateStrip, Failed: FailedQuietly });

/** What must be said across the whole width of every screen. */
export function Strips() {
  const services = useServices();
  const { simulated, heard } = useFreshnessLevel();
  const hydrated = useHydrated();
  // Screens that load no alerts hear from the health whether the weather is real.
  const health = useQuery(healthQuery(services)).data;
  const isTold = hydrated && (heard || health !== undefined);
  // Until an answer says it the document does, for those whose server wrote it there: said later, it would move the page.
  const isExercise = isTold ? simulated || health?.checks.data_freshness.simulated === true : services.simulated;
  const online = useOnline();
  const { updates } = services;
  const update = useSyncExternalStore(updates.subscribe, updates.get, () => null);
  return (
    <>
      {isExercise ? (
        <p className="strip flex items-center justify-center gap-2 border-b border-line-strong bg-(--moderate-bg) px-4 py-1.5 text-center text-[13px] font-semibold text-(--moderate) max-sm:gap-1.5 max-sm:px-2 max-sm:text-xs max-sm:leading-[19px]">
          <FlaskConical size={15} aria-hidden="true" className="shrink-0" />
          Simulated weather: exercise data, not real alerts
        </p>
      ) : null}
      {online ? null : (
        <output className="strip flex items-center justify-center gap-2 border-b border-line-strong bg-warn-bg px-4 py-1.5 text-center text-[13px] font-semibold text-warn">
          <WifiOff size={15} aria-hidden="true" className="shrink-0" />
          You are offline. What is shown is the last that was received; it does not change by itself.
        </output>
      )}
      {update ? <UpdateStrip apply={update} /> : null}
    </>
  );
}
