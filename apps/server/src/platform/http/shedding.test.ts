import { ALL_ROUTES, PRIORITIES, priorityOf, type RouteSpec } from '@nwms/contract';
import Fastify from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../clock.ts';
import { silentLog } from '../log.ts';
import { installErrorHandler } from './error-handler.ts';
import { createLoad, installShedding, isShed, type Load, shedCount } from './shedding.ts';

const route = (operation: string): RouteSpec => ALL_ROUTES.find((spec) => spec.operation === operation) as RouteSpec;
const calm = { lagMs: 0, inFlight: 0 };

describe('D1: what is turned away first', () => {
  it('AI before analytics before history before tiles before the rest; alerts last, health never', () => {
    for (let lagMs = 0; lagMs < 2_000; lagMs += 10) {
      const shed = PRIORITIES.map((priority) => isShed(priority, { ...calm, lagMs }));
      // Whoever is refused, everybody before them is, too.
      expect(shed.lastIndexOf(true) + 1, `${lagMs} ms`).toBe(shed.filter(Boolean).length);
      expect(shed.at(-1)).toBe(false);
    }
    expect(PRIORITIES.filter((priority) => isShed(priority, { ...calm, lagMs: 300 }))).toEqual([
      'ai',
      'analytics',
      'history',
      'tiles',
      'rest',
    ]);
    expect(PRIORITIES.filter((priority) => isShed(priority, { ...calm, inFlight: 1e9 }))).not.toContain('health');
    expect(PRIORITIES.some((priority) => isShed(priority, calm))).toBe(false);
  });

  it.each([
    ['getHealth', 1, 'health'],
    ['listAlerts', 1, 'alerts'],
    ['listAlerts', 2, 'history'],
    ['breakingNewsTicker', 1, 'alerts'],
    ['streamAlerts', 1, 'alerts'],
    ['alertTile', 1, 'tiles'],
    ['playbackTimeline', 2, 'history'],
    ['severityTrends', 2, 'history'],
    ['createKey', 1, 'rest'],
  ])('%s of %d units is %s', (operation, units, priority) => expect(priorityOf(route(operation), units)).toBe(priority));
});

describe('shedding', () => {
  const app = Fastify();
  afterEach(() => app.close());

  it('answers 503 at once with a time to come back, and counts what is being answered', async () => {
    let lagMs = 0;
    let inFlight = 0;
    const load: Load = {
      asked: () => {},
      lagMs: () => lagMs,
      inFlight: () => inFlight,
      change: (by) => void (inFlight += by),
      stop: () => {},
    };
    installErrorHandler(app, { clock: systemClock, log: silentLog });
    app.decorateRequest('metered', null);
    installShedding(app, { load, random: () => 0.99 });
    let seen = 0;
    for (const operation of ['listAlerts', 'createKey', 'getHealth'])
      app.get(`/${operation}`, { config: { spec: route(operation) } }, async () => {
        seen = inFlight;
        return 'fine';
      });
    const ask = async (path: string) => {
      const { statusCode, headers, payload } = await app.inject(path);
      return [statusCode, headers['retry-after'], statusCode === 503 ? JSON.parse(payload).error : payload];
    };
    expect(await ask('/createKey')).toEqual([200, undefined, 'fine']);
    expect([seen, inFlight]).toEqual([1, 0]);
    lagMs = 250;
    expect(await ask('/createKey')).toEqual([503, '5', 'server.overloaded']);
    expect(await ask('/listAlerts')).toEqual([200, undefined, 'fine']);
    expect(await ask('/listAlerts?at=2026-11-20')).toEqual([503, '5', 'server.overloaded']);
    lagMs = 5_000;
    expect(await ask('/listAlerts')).toEqual([503, '5', 'server.overloaded']);
    expect(await ask('/getHealth')).toEqual([200, undefined, 'fine']);
    expect(inFlight).toBe(0);
  });

  it('what is turned away stays so until the load is well below its level', () => {
    const at = (lagMs: number, before: number) => shedCount({ ...calm, lagMs }, before);
    expect([at(89, 0), at(91, 0), at(91, 2), at(64, 2), at(62, 2), at(30, 2)]).toEqual([1, 2, 2, 2, 1, 0]);
  });

  const stand = (ms: number) => {
    const until = performance.now() + ms;
    while (performance.now() < until);
  };
  const turn = () => new Promise((next) => setTimeout(next, 50));
  /** A loop that is held up again and again while so many requests arrive each time. */
  const held = async (load: Load, asked: number) => {
    for (let n = 0; n < 22; n += 1) {
      for (let at = 0; at < asked; at += 1) load.asked();
      stand(60);
      await turn();
    }
  };

  it('a loop that requests keep busy shows, one that is busy with itself does not', async () => {
    const [begun, alone, waited] = [createLoad(1), createLoad(1), createLoad(1)];
    alone.asked();
    for (let n = 0; n < 40; n += 1) waited.change(1);
    waited.asked();
    await held(begun, 40);
    expect(begun.lagMs()).toBeGreaterThan(30);
    expect(alone.lagMs()).toBe(0);
    expect(waited.lagMs()).toBeGreaterThan(30);
    for (const load of [begun, alone, waited]) load.stop();
  });

  it('what a start costs is no load: nothing shows before a second was measured', async () => {
    const load = createLoad(1);
    stand(300);
    for (let n = 0; n < 100; n += 1) load.asked();
    await turn();
    expect(load.lagMs()).toBe(0);
    load.stop();
  });
});
