import { createHash } from 'node:crypto';

import { applyMessage, type AlertMessage, createMemoryIndex, evaluateZone, isTerminal, orderForApply, parseFeature } from '@nwms/domain';
import { beforeAll, describe, expect, it } from 'vitest';

import type { RawFeature } from '../feature.ts';
import { loadAtlas } from '../places/atlas.ts';
import { createStormFeed } from './feed.ts';

const HOUR_MS = 3_600_000;
const END = Date.UTC(2026, 8, 9, 12);
const SPAN_MS = 20 * HOUR_MS;

/**
 * Two independent readings of the same messages: the product's state machine, and here the last VTEC action of every zone. Where
 * they disagree one of them is wrong.
 */
describe('the state machine and the simulated truth', () => {
  let sent: RawFeature[];
  let messages: AlertMessage[];
  const index = createMemoryIndex();

  beforeAll(() => {
    const feed = createStormFeed({ seed: 21, startedAt: END, atlas: loadAtlas() });
    sent = feed.issuedBetween(END - SPAN_MS, END);
    const parsed = sent.map((feature) =>
      parseFeature(feature, {
        source: 'simulator',
        receivedAt: Date.parse(feature.properties.sent),
        contentHash: createHash('sha256').update(JSON.stringify(feature)).digest('hex'),
      }),
    );
    messages = parsed.flatMap((result) => (result.ok ? [result.message] : []));
    for (const message of orderForApply(messages)) {
      const { events } = applyMessage(index, message, { now: message.sent, listed: true, pollStartedAt: message.sent });
      index.putMessage(message);
      for (const event of events) index.put(event);
    }
  });

  it('reads every simulated message', () => {
    expect(messages).toHaveLength(sent.length);
    expect(messages.length).toBeGreaterThan(2000);
    expect(messages.filter((message) => message.zones.length === 0 && message.same.length === 0)).toEqual([]);
    expect(
      messages.filter((message) => message.zones.some(({ type }) => type === 'unknown') && message.office !== null).map(({ id }) => id),
    ).toEqual([]);
  });

  it('agrees, zone by zone, on what is in force', () => {
    const truth = new Map<string, { ugc: string; messageId: string; holds: boolean }>();
    for (const message of messages.toSorted((a, b) => a.sent - b.sent)) {
      const [vtec] = message.vtec;
      // Alaska's made-up numbers are grouped by place on purpose; tests do not count.
      if (!vtec || vtec.class !== 'O' || vtec.etn >= 3000) continue;
      for (const { code } of message.zones) {
        const key = [vtec.office, vtec.phenomenon, vtec.significance, vtec.etn, code].join('.');
        const end = vtec.endsAt ?? Infinity;
        truth.set(key, { ugc: code, messageId: message.id, holds: !['CAN', 'UPG'].includes(vtec.action) && end > END });
      }
    }
    const held = ['in_force', 'upcoming', 'expiring', 'unconfirmed'];
    const differing = [...truth].flatMap(([key, { ugc, messageId, holds }]) => {
      const event = index.byMessage(messageId);
      const state = event ? evaluateZone(event, ugc, END).state : 'missing';
      return held.includes(state) === holds ? [] : [`${key}: machine says ${state}, truth ${holds ? 'holds' : 'over'}`];
    });
    expect(truth.size).toBeGreaterThan(3000);
    expect(differing).toEqual([]);
  });

  it('agrees on which messages end something', () => {
    const ending = messages.filter(isTerminal).map(({ id }) => id);
    const truth = messages.filter(({ vtec }) => vtec.some(({ action }) => action === 'CAN' || action === 'UPG')).map(({ id }) => id);
    expect(ending.toSorted()).toEqual(truth.toSorted());
  });
});
