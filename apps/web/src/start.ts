/**
 * The entry of the start page, whose document came painted (app/first-paint.tsx). The living page takes it over in steps that each leave the
 * browser free again: on a phone all of them at once would hold up a finger for half a second.
 */
async function live(place: HTMLElement): Promise<void> {
  await painted();
  fetchLater(place);
  await had(() => import('react-dom/client'));
  await had(() => import('./app/strips.tsx'));
  const { createApp, hydrate } = await had(() => import('./app/living.tsx'));
  const app = createApp(window);
  await turn();
  await app.router.load();
  await turn();
  // With the first time that is said, the browser learns of all zones there are.
  const { labels } = app.services;
  const zone = labels.viewerZone;
  await turn();
  labels.moment(0, zone, 0);
  await turn();
  hydrate(place, app);
}

/** Has the files of all steps fetched side by side, now that what is seen has had the line to itself. The build names them. */
function fetchLater(place: HTMLElement): void {
  for (const href of place.dataset['later']?.split(' ') ?? [])
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', crossOrigin: 'anonymous', href }));
}

/** First wait before a file is asked for again, doubled each time, and the longest; in ms. */
const AGAIN_MS = 2_000;
const LONGEST_AGAIN_MS = 60_000;

/** What `load` imports, however often it has to be asked for. What is painted meanwhile claims nothing. */
async function had<T>(load: () => Promise<T>): Promise<T> {
  for (let waitMs = AGAIN_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_AGAIN_MS)) {
    try {
      const module = await load();
      await turn();
      return module;
    } catch {
      await turn(waitMs);
    }
  }
}

const turn = (afterMs = 0): Promise<void> => new Promise((done) => void setTimeout(done, afterMs));

/** Longest wait for a frame, in ms: a page in the background paints none. */
const LONGEST_MS = 1_000;

/** After the first frame. */
const painted = (): Promise<void> =>
  new Promise((done) => {
    requestAnimationFrame(() => void setTimeout(done));
    setTimeout(done, LONGEST_MS);
  });

const place = document.getElementById('root');
if (!place) throw new Error('The page has no #root');
void live(place);
