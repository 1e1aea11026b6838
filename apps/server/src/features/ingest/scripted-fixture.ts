/** A feed whose every message is written by the test. Imported by tests only. */
import { type Atlas, createStormFeed, type Feed, loadAtlas, type RawFeature } from '@nwms/nws-sim';
import { formatTimestamp } from '@nwms/domain';

const MINUTE = 60_000;

export interface ScriptedMessage {
  feature: RawFeature;
  /** In the active list from here (inclusive) to there (exclusive). */
  listedFrom: number;
  listedUntil: number;
}

export interface ScriptedFeed extends Feed {
  messages: ScriptedMessage[];
  /** What the active list says about its age; default: the asking time. */
  updatedAt: ((now: number) => number) | null;
}

export function createScriptedFeed(messages: ScriptedMessage[] = []): ScriptedFeed {
  const zones = createStormFeed({ seed: 1, startedAt: 0, targetActive: 100, atlas: sharedAtlas() });
  const feed: ScriptedFeed = {
    ...zones,
    messages,
    updatedAt: null,
    activeAt: (now) => ({
      updated: feed.updatedAt?.(now) ?? now,
      features: feed.messages.filter(({ listedFrom, listedUntil }) => listedFrom <= now && now < listedUntil).map(({ feature }) => feature),
    }),
    issuedBetween: (from, to) =>
      feed.messages
        .map(({ feature }) => feature)
        .filter(({ properties }) => Date.parse(properties.sent) > from && Date.parse(properties.sent) <= to)
        .sort((a, b) => Date.parse(a.properties.sent) - Date.parse(b.properties.sent)),
    byId: (id) => feed.messages.find(({ feature }) => feature.properties.id === id)?.feature,
  };
  return feed;
}

let atlas: Atlas | undefined;

/** Loading it takes longer than most tests. */
export function sharedAtlas(): Atlas {
  return (atlas ??= loadAtlas());
}

let template: RawFeature | undefined;

/** One severe thunderstorm warning of its own event; `n` names it. Listed from `sent` to `ends` unless said otherwise. */
export function scriptedMessage(
  n: number,
  times: { sent: number; ends: number },
  change: Partial<RawFeature['properties']> = {},
): ScriptedMessage {
  template ??= anyWarning();
  const vtecTime = (at: number) => `${formatTimestamp(at).slice(2, 16).replaceAll('-', '').replace(':', '')}Z`;
  const [sent, ends] = [formatTimestamp(times.sent), formatTimestamp(times.ends)];
  const vtec = `/O.NEW.KDMX.SV.W.${String(n).padStart(4, '0')}.${vtecTime(times.sent)}-${vtecTime(times.ends)}/`;
  const feature: RawFeature = {
    ...template,
    id: `https://api.weather.gov/alerts/urn:test:${n}`,
    properties: {
      ...template.properties,
      '@id': `https://api.weather.gov/alerts/urn:test:${n}`,
      id: `urn:test:${n}`,
      sent,
      effective: sent,
      onset: sent,
      expires: ends,
      ends,
      references: [],
      messageType: 'Alert',
      parameters: { VTEC: [vtec], eventEndingTime: [ends] },
      ...change,
    },
  };
  return { feature, listedFrom: times.sent, listedUntil: times.ends };
}

/** `count` warnings of three hours, one a minute, ending at different times. */
export function scriptedMessages(count: number, from: number, firstNumber = 1): ScriptedMessage[] {
  return Array.from({ length: count }, (_, at) =>
    scriptedMessage(firstNumber + at, { sent: from + at * MINUTE, ends: from + (180 + at) * MINUTE }),
  );
}

function anyWarning(): RawFeature {
  const at = Date.UTC(2026, 4, 14, 22);
  const found = createStormFeed({ seed: 1, startedAt: at, atlas: sharedAtlas() })
    .activeAt(at)
    .features.find(({ properties }) => properties.event === 'Severe Thunderstorm Warning');
  if (!found) throw new Error('the simulated evening holds no severe thunderstorm warning');
  return found;
}
