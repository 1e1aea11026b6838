import { beforeAll, describe, expect, it } from 'vitest';

import type { RawFeature } from '../feature.ts';
import { loadAtlas } from '../places/atlas.ts';
import { createStormFeed } from './feed.ts';

const HOUR_MS = 3_600_000;
const END = Date.UTC(2026, 0, 3);
/** Longer than any system lives, so that every chain that begins inside is whole at its begin. */
const SPAN_MS = 6.5 * 24 * HOUR_MS;

interface Told {
  action: string;
  event: string;
  ugcs: string[];
  sent: number;
  ends: number | null;
  bulletin: string;
  feature: RawFeature;
}

/** A model of Directive 10-1703: what each action may do to each zone of an event. */
describe.each(process.env['NWMS_CHAOS'] ? [1, 7, 42, 99] : [42])('VTEC chains of seed %i', (seed) => {
  let events: Map<string, Told[]>;
  beforeAll(() => {
    const feed = createStormFeed({ seed, startedAt: END, atlas: loadAtlas() });
    const told = feed.issuedBetween(END - SPAN_MS, END).flatMap(read);
    events = Map.groupBy(told, ({ event }) => event);
  });

  it('let every event begin with NEW and keep to what each action may do to a zone', () => {
    const faults: string[] = [];
    let whole = 0;
    for (const [event, messages] of events) {
      if (messages[0]?.action !== 'NEW') continue;
      whole += 1;
      const state = new Map<string, 'live' | 'over'>();
      for (const message of messages)
        for (const fault of step(state, message)) faults.push(`${event} ${message.action} ${message.feature.properties.id}: ${fault}`);
    }
    expect(faults.slice(0, 5)).toEqual([]);
    expect(whole).toBeGreaterThan(1000);
  });

  it('begin with something else only where the beginning lies before the window', () => {
    const headless = [...events].filter(([, messages]) => messages[0]?.action !== 'NEW');
    expect(headless.length).toBeGreaterThan(0);
    // 131 hours: more than the longest life of a system.
    expect(headless.filter(([, messages]) => (messages[0]?.sent ?? 0) > END - SPAN_MS + 131 * HOUR_MS).map(([event]) => event)).toEqual([]);
  });

  it('never use a number twice at once: an event has one product with NEW', () => {
    const doubled = [...events].filter(
      ([, messages]) => new Set(messages.filter(({ action }) => action === 'NEW').map(({ sent }) => sent)).size > 1,
    );
    expect(doubled.map(([event]) => event)).toEqual([]);
  });

  it('upgrade a watch only in the bulletin that also issues the warning over the same zones', () => {
    const all = [...events.values()].flat();
    const upgrades = all.filter(({ action }) => action === 'UPG');
    expect(upgrades.length).toBeGreaterThan(10);
    for (const upgrade of upgrades) {
      const issued = all.filter(({ action, bulletin }) => action === 'NEW' && bulletin === upgrade.bulletin);
      expect(issued.flatMap(({ ugcs }) => ugcs)).toEqual(upgrade.ugcs);
    }
  });

  it('cancel a part of an event in the bulletin that continues the rest', () => {
    const parts = [...events.values()].flat().filter(({ action }) => action === 'CAN');
    const partial = parts.filter((cancel) =>
      events.get(cancel.event)?.some((other) => other.bulletin === cancel.bulletin && other.action === 'CON'),
    );
    expect(partial.length).toBeGreaterThan(10);
  });

  it('move storm polygons along: every update is smaller than the one before', () => {
    const sizes = [...events.values()].map((messages) =>
      messages.filter(({ feature }) => feature.properties.parameters['eventMotionDescription'] && feature.geometry).map(extent),
    );
    const steps = sizes.flatMap((list) => list.slice(1).map((size, index) => size - (list[index] ?? 0)));
    expect(steps.length).toBeGreaterThan(100);
    // Corners are rounded to hundredths of a degree.
    expect(Math.max(...steps)).toBeLessThanOrEqual(0.05);
  });
});

function read(feature: RawFeature): Told[] {
  const { properties } = feature;
  return (properties.parameters['VTEC'] ?? []).flatMap((vtec) => {
    const [, vtecClass, action = '', office, phenomenon, significance, number] =
      /^\/(\w)\.(\w{3})\.(\w{4})\.(\w\w)\.(\w)\.(\d{4})\./.exec(vtec) ?? [];
    if (vtecClass !== 'O') return [];
    const event = [office, phenomenon, significance, number].join('.');
    const ends = properties.ends === null ? null : Date.parse(properties.ends);
    return [
      {
        action,
        event,
        ends,
        ugcs: properties.geocode.UGC,
        sent: Date.parse(properties.sent),
        bulletin: properties.id.replace(/\.\d{3}\.\d+$/, ''),
        feature,
      },
    ];
  });
}

/** Applies a message to the zones of its event; returns what the rules forbid. */
function step(state: Map<string, 'live' | 'over'>, message: Told): string[] {
  const faults: string[] = [];
  for (const ugc of message.ugcs) {
    const now = state.get(ugc);
    const adds = ['NEW', 'EXA', 'EXB'].includes(message.action);
    if (adds && now !== undefined) faults.push(`${ugc} was ${now} already`);
    if (!adds && now !== 'live') faults.push(`${ugc} is ${now ?? 'not part of it'}`);
    state.set(ugc, ['CAN', 'UPG', 'EXP'].includes(message.action) ? 'over' : 'live');
  }
  if (message.ends !== null && message.ends < message.sent) faults.push('sent after its end');
  return faults;
}

/** Diagonal of the outline's box in degrees: storms leave, so it shrinks. */
function extent({ feature }: Told): number {
  const ring = feature.geometry?.type === 'Polygon' ? (feature.geometry.coordinates[0] ?? []) : [];
  const [xs, ys] = [ring.map(([x]) => x), ring.map(([, y]) => y)];
  return Math.hypot(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys));
}
