/** Builders for tests: a whole message from the few members a test is about. Not exported by the package. */
import { createMemoryIndex } from './memory-index.ts';
import { applyMessage, type ApplyContext } from './apply-message.ts';
import type { EntryDraft } from './entry.ts';
import type { MemoryIndex } from './event-index.ts';
import { orderForApply } from './in-force.ts';
import type { AlertMessage, Vtec } from './message.ts';
import { parseVtec } from './vtec.ts';
import { zoneTypeOf } from './ugc.ts';

export const NO_TAGS: AlertMessage['tags'] = {
  emergency: null,
  tornadoDetection: null,
  tornadoDamageThreat: null,
  thunderstormDamageThreat: null,
  flashFloodDetection: null,
  flashFloodDamageThreat: null,
  snowSquallDetection: null,
  snowSquallImpact: null,
  waterspoutDetection: null,
  windThreat: null,
  maxWindGustKmh: null,
  hailThreat: null,
  maxHailSizeMm: null,
  motion: null,
};

/** 2026-06-01T12:00:00Z: a plain day far from year ends. */
export const NOON = Date.UTC(2026, 5, 1, 12);
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

export type Parts = Partial<Omit<AlertMessage, 'vtec' | 'zones' | 'references'>> & {
  vtec?: string | string[];
  zones?: string[];
  refs?: string[];
  expiredRefs?: string[];
};

let serial = 0;

export function vtecText(action: string, key: string, from: number | null, until: number | null): string {
  const time = (at: number | null) =>
    at === null ? '000000T0000Z' : `${new Date(at).toISOString().slice(2, 16).replaceAll('-', '').replaceAll(':', '')}Z`;
  return `/O.${action}.${key}.${time(from)}-${time(until)}/`;
}

export function message(parts: Parts): AlertMessage {
  const { vtec: strings = [], zones = ['IAC153'], refs = [], expiredRefs = [], ...rest } = parts;
  const vtec = [strings].flat().map((text) => parseVtec(text) as Vtec);
  const id = parts.id ?? `urn:test:${++serial}`;
  const sent = parts.sent ?? NOON;
  const reference = (kind: 'reference' | 'expired_reference') => (id: string) => ({ id, sender: null, sent: null, kind });
  return {
    id,
    upstreamId: id,
    contentHash: id,
    source: 'nws',
    status: 'Actual',
    isTest: false,
    testSuspected: false,
    messageType: 'Alert',
    event: 'Severe Thunderstorm Warning',
    eventCode: null,
    sameEventCode: null,
    category: 'Met',
    severity: 'Severe',
    urgency: 'Immediate',
    certainty: 'Observed',
    response: 'Shelter',
    headline: 'headline',
    description: 'description',
    instruction: null,
    areaDesc: 'Polk, IA',
    sender: null,
    senderName: 'NWS Des Moines IA',
    office: vtec[0]?.office ?? 'KDMX',
    language: 'en-US',
    sent,
    effective: sent,
    onset: null,
    expires: sent + HOUR,
    ends: null,
    eventEndingTime: null,
    sentOffsetMinutes: 0,
    zones: zones.map((code) => ({ code, type: zoneTypeOf(null, code), partial: false })),
    same: [],
    vtec,
    references: [...refs.map(reference('reference')), ...expiredRefs.map(reference('expired_reference'))],
    replacedBy: null,
    tags: NO_TAGS,
    wea: null,
    polygon: null,
    sourceUrl: null,
    bulletin: null,
    receivedAt: sent,
    ...rest,
  };
}

export interface Bench {
  index: MemoryIndex;
  entries: EntryDraft[];
  /** Applies a batch in machine order; returns the entries it made. */
  apply(messages: AlertMessage[], context?: Partial<ApplyContext>): EntryDraft[];
}

/** A working set that is applied to and remembers every entry. `now` defaults to the newest `sent` of the batch. */
export function bench(): Bench {
  const index = createMemoryIndex();
  const entries: EntryDraft[] = [];
  return {
    index,
    entries,
    apply(messages, context = {}) {
      const now = context.now ?? Math.max(...messages.map((m) => m.sent));
      const made: EntryDraft[] = [];
      for (const m of orderForApply(messages)) {
        const applied = applyMessage(index, m, { listed: true, pollStartedAt: now, ...context, now });
        index.putMessage(m);
        for (const event of applied.events) index.put(event);
        made.push(...applied.entries);
      }
      entries.push(...made);
      return made;
    },
  };
}
