import { readPolygon } from './read-polygon.ts';
import { parseTimestamp } from '../time/timestamp.ts';
import type { AlertMessage, Vtec } from './message.ts';
import { idOfUrl, parseReferences } from './parse-references.ts';
import { type Parameter, parseTags } from './parse-tags.ts';
import { parseZones } from './parse-zones.ts';
import { asRecord, asText, asTexts, asWord, type JsonRecord, member } from './read-json.ts';
import { isTestOnly, saysTest } from './test-wording.ts';
import { CAP_STATUSES, CERTAINTIES, type Instant, MESSAGE_TYPES, SEVERITIES, type Source, URGENCIES } from './vocabulary.ts';
import { parseVtec } from './vtec.ts';

export interface ParseContext {
  source: Source;
  receivedAt: Instant;
  contentHash: string;
}

export type ParseResult = { ok: true; message: AlertMessage } | { ok: false; reason: ParseFailure; detail: string; id: string | null };

/** Why a feature cannot be an alert: only when identifier, event, time or place is missing (A6). */
export type ParseFailure = 'not_an_object' | 'properties_missing' | 'id_missing' | 'event_missing' | 'sent_missing' | 'area_missing';

/** Longest identifier: with `~` and 8 hex it still fits the 256 characters of a path parameter. */
const MAX_ID_LENGTH = 240;
/** NWS texts stay below some 30,000 characters; the bounds only stop damage. */
const MAX_TEXT_LENGTH = 100_000;
const MAX_LINE_LENGTH = 4000;

/**
 * Reads one api.weather.gov GeoJSON feature. Total: any JSON value gives a message or a named reason. What is unreadable but not
 * essential becomes null, so that a damaged detail never hides an alert.
 */
export function parseFeature(feature: unknown, context: ParseContext): ParseResult {
  const record = asRecord(feature);
  if (!record) return fail('not_an_object', typeof feature, null);
  const properties = asRecord(member(record, 'properties'));
  if (!properties) return fail('properties_missing', 'properties', idOfUrl(member(record, 'id')));
  const rawId = member(properties, 'id') ?? member(properties, 'identifier');
  const upstreamId = typeof rawId === 'string' && rawId.length > MAX_ID_LENGTH ? null : (idOfUrl(rawId) ?? idOfUrl(member(record, 'id')));
  if (upstreamId === null) return fail('id_missing', 'properties.id', null);
  const event = asText(member(properties, 'event'), 160);
  if (event === null) return fail('event_missing', 'properties.event', upstreamId);
  const sent = parseTimestamp(member(properties, 'sent'));
  if (!sent) return fail('sent_missing', 'properties.sent', upstreamId);
  const { zones, same } = parseZones(properties);
  const polygon = readPolygon(member(record, 'geometry'));
  const areaDesc = asText(member(properties, 'areaDesc'), MAX_TEXT_LENGTH) ?? '';
  if (zones.length === 0 && polygon === null && areaDesc === '') return fail('area_missing', 'geocode, geometry, areaDesc', upstreamId);
  const texts = readTexts(properties);
  const parameters = asRecord(member(properties, 'parameters'));
  const vtec = readVtec(parameters);
  const parameter: Parameter = (name) => asTexts(member(parameters, name), 1, MAX_LINE_LENGTH)[0] ?? null;
  const status = asWord(member(properties, 'status'), CAP_STATUSES);
  return {
    ok: true,
    message: {
      id: upstreamId,
      upstreamId,
      contentHash: context.contentHash,
      source: context.source,
      // An unreadable status is shown as Actual (hiding a warning is worse) but never pushed.
      status: status ?? 'Actual',
      isTest: (vtec.length > 0 && vtec.every((v) => v.class !== 'O')) || isTestOnly(upstreamId, event, [texts.headline, texts.description]),
      testSuspected: status === null || (status === 'Actual' && saysTest(parameter('NWSheadline') ?? texts.headline, texts.description)),
      messageType: asWord(member(properties, 'messageType'), MESSAGE_TYPES),
      event,
      ...readCodes(properties),
      ...readLevels(properties),
      ...texts,
      areaDesc,
      sender: asText(member(properties, 'sender'), 200),
      senderName: asText(member(properties, 'senderName'), 200) ?? '',
      office: vtec[0]?.office ?? officeOfWmo(parameter('WMOidentifier')),
      language: asText(member(properties, 'language'), 35) ?? 'en-US',
      sent: sent.at,
      sentOffsetMinutes: sent.offsetMinutes,
      ...readTimes(properties, parameter),
      zones,
      same,
      vtec,
      references: parseReferences(member(properties, 'references'), asTexts(member(parameters, 'expiredReferences'), 10, MAX_TEXT_LENGTH)),
      replacedBy: idOfUrl(member(properties, 'replacedBy')),
      tags: parseTags(event, parameter),
      wea: readWea(parameter),
      polygon,
      sourceUrl: weatherGovUrl([member(record, 'id'), member(record, '@id'), member(properties, '@id')]),
      bulletin: /\.([0-9a-f]{40})\.\d{1,4}\.\d{1,4}$/.exec(upstreamId)?.[1] ?? null,
      receivedAt: context.source === 'import' ? sent.at : context.receivedAt,
    },
  };
}

function fail(reason: ParseFailure, detail: string, id: string | null): ParseResult {
  return { ok: false, reason, detail, id };
}

function readTexts(properties: JsonRecord) {
  return {
    headline: asText(member(properties, 'headline'), MAX_LINE_LENGTH),
    description: asText(member(properties, 'description'), MAX_TEXT_LENGTH),
    instruction: asText(member(properties, 'instruction'), MAX_TEXT_LENGTH),
  };
}

function readCodes(properties: JsonRecord) {
  const codes = asRecord(member(properties, 'eventCode'));
  return {
    eventCode: asTexts(member(codes, 'NationalWeatherService'), 1, 20)[0] ?? null,
    sameEventCode: asTexts(member(codes, 'SAME'), 1, 20)[0] ?? null,
    category: asText(member(properties, 'category'), 40) ?? 'Met',
    response: asText(member(properties, 'response'), 40),
  };
}

function readLevels(properties: JsonRecord) {
  return {
    severity: asWord(member(properties, 'severity'), SEVERITIES) ?? 'Unknown',
    urgency: asWord(member(properties, 'urgency'), URGENCIES),
    certainty: asWord(member(properties, 'certainty'), CERTAINTIES),
  };
}

function readTimes(properties: JsonRecord, parameter: Parameter) {
  const time = (name: string) => parseTimestamp(member(properties, name))?.at ?? null;
  return {
    effective: time('effective'),
    onset: time('onset'),
    expires: time('expires'),
    ends: time('ends'),
    eventEndingTime: parseTimestamp(parameter('eventEndingTime'))?.at ?? null,
  };
}

function readVtec(parameters: JsonRecord | null): Vtec[] {
  const found = asTexts(member(parameters, 'VTEC'), 20, 80).map(parseVtec);
  return found.filter((v) => v !== null);
}

function readWea(parameter: Parameter): AlertMessage['wea'] {
  const handling = parameter('WEAHandling');
  const text = parameter('CMAMlongtext') ?? parameter('CMAMtext');
  return handling === null && text === null ? null : { handling, text };
}

/** `WGUS76 KSEW 152153` names the issuing office in its middle. */
function officeOfWmo(wmo: string | null): string | null {
  const office = wmo?.split(/\s+/)[1] ?? '';
  return /^[A-Z]{4}$/.test(office) ? office : null;
}

/** First https URL whose host is weather.gov or below (W11); a userinfo part, a port or a backslash disqualifies. */
export function weatherGovUrl(candidates: readonly unknown[]): string | null {
  for (const candidate of candidates) {
    const text = asText(candidate, 500);
    const host = text === null ? null : /^https:\/\/([a-z0-9.-]{1,100})(?:[/?#][^\s\\"'<>]*)?$/.exec(text)?.[1];
    if (text !== null && host && (host === 'weather.gov' || host.endsWith('.weather.gov'))) return text;
  }
  return null;
}
