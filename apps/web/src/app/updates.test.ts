import { expect, test } from 'vitest';
import { UPDATE_EVENT, watchUpdates } from './updates.ts';

class Worker extends EventTarget {
  state = 'installing';
  told: unknown[] = [];
  postMessage(message: unknown) {
    this.told.push(message);
  }
  become(state: string) {
    this.state = state;
    this.dispatchEvent(new Event('statechange'));
  }
}
class Registration extends EventTarget {
  installing: Worker | null = null;
  waiting: Worker | null = null;
  updates = 0;
  async update() {
    this.updates += 1;
    throw new Error('offline');
  }
  find(worker: Worker) {
    this.installing = worker;
    this.dispatchEvent(new Event('updatefound'));
  }
}

function world({ controller = {}, refuses = false }: { controller?: object | null; refuses?: boolean } = {}) {
  const registration = new Registration();
  const registered: unknown[] = [];
  const raised: string[] = [];
  const checks: { ms: number; run: () => void }[] = [];
  let reloads = 0;
  const container = Object.assign(new EventTarget(), {
    controller,
    async register(...given: unknown[]) {
      registered.push(given);
      if (refuses) throw new Error('forbidden');
      return registration;
    },
  });
  const offers: (() => void)[] = [];
  const start = () =>
    watchUpdates({
      container: container as unknown as ServiceWorkerContainer,
      raise: (event) => raised.push(event),
      offer: (apply) => offers.push(apply),
      reload: () => (reloads += 1),
      every: (ms, run) => void checks.push({ ms, run }),
    });
  return { start, registration, registered, raised, offers, checks, container, reloads: () => reloads };
}

test('BOOT-01: the worker is /sw.js for everything, and is looked for anew every 60 s', async () => {
  const { start, registered, checks, registration } = world();
  await start();
  expect(registered).toEqual([['/sw.js', { scope: '/' }]]);
  expect(checks.map(({ ms }) => ms)).toEqual([60_000]);
  checks[0]?.run();
  expect(registration.updates).toBe(1);
});

test('BOOT-02: a new version that is installed is told once, as an event and to the page', async () => {
  const { start, registration, raised, offers } = world();
  await start();
  const next = new Worker();
  registration.find(next);
  expect([raised, offers]).toEqual([[], []]);
  next.become('installed');
  next.become('activated');
  expect([raised, offers.length]).toEqual([[UPDATE_EVENT], 1]);
});

test('one that waits since before is told at once; the very first version is news to nobody', async () => {
  const before = world();
  before.registration.waiting = Object.assign(new Worker(), { state: 'installed' });
  await before.start();
  expect(before.raised).toEqual([UPDATE_EVENT]);
  const first = world({ controller: null });
  await first.start();
  const worker = new Worker();
  first.registration.find(worker);
  worker.become('installed');
  expect([first.raised, first.offers]).toEqual([[], []]);
});

test('the page is loaded anew when the new version has taken over, not before; after another tab did it, at once', async () => {
  const { start, registration, container, reloads, offers } = world();
  await start();
  const next = new Worker();
  registration.find(next);
  next.become('installed');
  container.dispatchEvent(new Event('controllerchange'));
  expect(reloads()).toBe(0);
  offers[0]?.();
  expect([next.told, reloads()]).toEqual([[{ type: 'take-over' }], 0]);
  container.dispatchEvent(new Event('controllerchange'));
  expect(reloads()).toBe(1);
  next.become('activated');
  offers[0]?.();
  expect(reloads()).toBe(2);
});

test('a browser that has no workers, or forbids this one, is no fault', async () => {
  const unheard = () => expect.unreachable();
  await watchUpdates({ container: undefined, raise: unheard, offer: unheard, reload: unheard, every: unheard });
  const refused = world({ refuses: true });
  await refused.start();
  expect([refused.raised, refused.offers, refused.checks]).toEqual([[], [], []]);
});
