import { lazyPart } from '../../ui/lazy-part.tsx';
import { FailedQuietly, FailedWindow } from '../../ui/part-failed.tsx';

// Of both screens with alerts. The list changes without the announcer of arrivals too.
export const Arrivals = lazyPart({ load: async () => (await import('./arrivals.tsx')).Arrivals, Failed: FailedQuietly });
export const AlertDetails = lazyPart({
  load: async () => (await import('./details/alert-details.tsx')).AlertDetails,
  Failed: FailedWindow,
});
