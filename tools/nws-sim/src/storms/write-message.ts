import type { Shape } from '@nwms/domain/geo/shape';

import type { RawFeature, RawProperties, RawReference } from '../feature.ts';
import { isoWithOffset, type LocalTime, vtecTime, wmoTime } from '../local-time.ts';
import { rounded } from '../places/geometry.ts';
import type { Draft } from './chain.ts';
import type { Segment } from './model.ts';
import { describe, headlineOf, nwsHeadline } from './wording.ts';

/** What turns a draft into the text of this world. */
export interface Writer {
  /** Distinguishes seeds and speeds in identifiers, e.g. "7" or "7x60". */
  tag: string;
  status: 'Exercise' | 'Actual';
  times: LocalTime;
  /** Weather instant to the caller's clock, whole minutes at speed 1, else whole seconds. */
  toWall(at: number): number;
}

/** Clearly not a real sender; RFC 2606 keeps `.invalid` unused for ever. */
export const SENDER = 'nws-sim@example.invalid';
/** Host of alert links: never the real service, so that no link of an exercise looks official. */
const ALERT_HOST = 'https://nws-sim.invalid/alerts';
const ZONE_HOST = 'https://api.weather.gov/zones';

export function identifierOf(writer: Writer, key: string, draft: Draft): string {
  if (draft.segment.civil) return `SIMCO_${writer.tag}_${key}_${draft.product}`;
  const suffix = `${String(draft.part).padStart(3, '0')}.${draft.order}`;
  return `urn:nwms:sim:${writer.tag}:${key}-${draft.product}.${suffix}`;
}

/** Writes the api.weather.gov feature of a draft. `key` names the system the draft belongs to. */
export function writeMessage(writer: Writer, key: string, draft: Draft): RawFeature {
  const { segment } = draft;
  const { hazard } = segment;
  const id = identifierOf(writer, key, draft);
  const over = segment.action === 'CAN' || segment.action === 'UPG';
  const status = segment.test ? 'Test' : writer.status;
  const properties: RawProperties = {
    '@id': `${ALERT_HOST}/${id}`,
    '@type': 'wx:Alert',
    id,
    areaDesc: segment.areas.map((area) => area.label).join('; '),
    geocode: {
      SAME: [...new Set(segment.areas.flatMap((area) => area.same))],
      UGC: segment.civil ? [] : segment.areas.map((area) => area.ugc),
    },
    affectedZones: segment.civil ? [] : segment.areas.map((area) => `${ZONE_HOST}/${area.family}/${area.ugc}`),
    references: draft.references.map((earlier) => referenceTo(writer, key, earlier)),
    ...timesOf(writer, draft),
    status,
    messageType: messageTypeOf(draft),
    category: segment.civil ? 'Safety' : 'Met',
    severity: segment.action === 'CAN' ? 'Minor' : hazard.severity,
    certainty: over ? 'Observed' : hazard.certainty,
    urgency: over ? 'Past' : hazard.urgency,
    event: hazard.event,
    sender: segment.civil ? `999999,${segment.office.name} simulated county,${SENDER}` : SENDER,
    senderName: segment.civil ? 'Simulated County Emergency Management' : `NWS ${segment.office.name}`,
    headline: headlineOf(writer, draft),
    description: describe(writer, draft),
    instruction: hazard.instruction,
    response: segment.action === 'CAN' ? 'AllClear' : segment.action === 'UPG' ? 'Monitor' : hazard.response,
    parameters: parametersOf(writer, key, draft),
    scope: 'Public',
    code: 'IPAWSv1.0',
    language: 'en-US',
    web: 'http://www.weather.gov',
    eventCode: {
      SAME: [hazard.same],
      ...(segment.civil ? {} : { NationalWeatherService: [hazard.code ?? `${hazard.phenomenon}${hazard.significance}`] }),
    },
  };
  const geometry: Shape | null = segment.polygon ? { type: 'Polygon', coordinates: [segment.polygon] } : null;
  return { id: properties['@id'], type: 'Feature', geometry, properties };
}

type Times = Pick<RawProperties, 'sent' | 'effective' | 'onset' | 'expires' | 'ends'>;

/** Upstream writes its own "has been cancelled" notices in UTC, everything else in the office's time. */
function timesOf(writer: Writer, draft: Draft): Times {
  const { segment, at } = draft;
  const iso = (instant: number): string =>
    segment.quiet ? isoWithOffset(writer.toWall(instant), 0) : writer.times.iso(writer.toWall(instant), segment.office.timeZone);
  const onset = segment.civil ? null : iso(Math.max(segment.begin, at));
  return { sent: iso(at), effective: iso(at), onset, expires: iso(segment.expires), ends: segment.end === null ? null : iso(segment.end) };
}

function messageTypeOf(draft: Draft): string {
  const { action, quiet } = draft.segment;
  if (quiet || draft.references.length === 0) return 'Alert';
  return action === 'CAN' ? 'Cancel' : 'Update';
}

function sentText(writer: Writer, draft: Draft): string {
  return timesOf(writer, draft).sent;
}

function referenceTo(writer: Writer, key: string, earlier: Draft): RawReference {
  const identifier = identifierOf(writer, key, earlier);
  return { '@id': `${ALERT_HOST}/${identifier}`, identifier, sender: SENDER, sent: sentText(writer, earlier) };
}

/** `/O.NEW.KDMX.SV.W.0106.240521T1930Z-240521T2015Z/`; zeros for a begin that has passed and for an open end. */
export function vtecOf(writer: Writer, segment: Segment, at: number): string | null {
  if (segment.action === null) return null;
  const explicit = segment.begin > at || ['NEW', 'EXA', 'EXB', 'COR'].includes(segment.action);
  // A begin is cut to its minute, an end rounded up: only speeds above 1 have parts of minutes.
  const begin = vtecTime(explicit ? Math.floor(writer.toWall(segment.begin) / 60_000) * 60_000 : null);
  const end = vtecTime(segment.end === null ? null : writer.toWall(segment.end));
  const { office, hazard } = segment;
  const number = String(segment.etn).padStart(4, '0');
  return `/${segment.vtecClass ?? 'O'}.${segment.action}.${office.icao}.${hazard.phenomenon}.${hazard.significance}.${number}.${begin}-${end}/`;
}

function parametersOf(writer: Writer, key: string, draft: Draft): Record<string, string[]> {
  const { segment, at } = draft;
  const { hazard, office } = segment;
  if (segment.civil) return { 'EAS-ORG': ['CIV'] };
  const vtec = vtecOf(writer, segment, at);
  const follows = segment.action !== null && !['NEW', 'EXA', 'EXB'].includes(segment.action);
  // Updates of storm warnings go out as Severe Weather Statements, of flash flood warnings as Flash Flood Statements.
  const awips =
    follows && ['TO', 'SV'].includes(hazard.phenomenon) && hazard.significance === 'W'
      ? 'SVS'
      : follows && hazard.awips === 'FFW'
        ? 'FFS'
        : hazard.awips;
  const expired = draft.expired.map((earlier) => `${SENDER},${identifierOf(writer, key, earlier)},${sentText(writer, earlier)}`);
  return {
    AWIPSidentifier: [`${awips}${office.id}`],
    WMOidentifier: [`${hazard.wmo}${regionDigit(office.position[0])} ${office.icao} ${wmoTime(writer.toWall(at))}`],
    ...(hazard.phenomenon === '' || segment.test ? {} : { NWSheadline: [nwsHeadline(writer, draft)] }),
    ...segment.tags,
    ...(segment.motion ? { eventMotionDescription: [motionText(segment.motion, writer.toWall(at))] } : {}),
    BLOCKCHANNEL: ['EAS', 'NWEM', 'CMAS'],
    ...(hazard.same === 'NWS' ? {} : { 'EAS-ORG': ['WXR'] }),
    ...(vtec === null ? {} : { VTEC: [vtec] }),
    ...(segment.end === null ? {} : { eventEndingTime: [writer.times.iso(writer.toWall(segment.end), office.timeZone)] }),
    ...(expired.length > 0 ? { expiredReferences: [expired.join(' ')] } : {}),
  };
}

/** The direction is where the storm comes FROM; positions are lat,lon; the odd -00:00 is upstream's. */
function motionText(motion: NonNullable<Segment['motion']>, at: number): string {
  const from = String(Math.round((motion.towardDegrees + 180) % 360)).padStart(3, '0');
  const places = motion.points.map((point) => rounded(point)).map(([lon, lat]) => `${lat},${lon}`);
  return `${new Date(at).toISOString().slice(0, 19)}-00:00...storm...${from}DEG...${motion.speedKt}KT...${places.join(' ')}`;
}

/** WMO headings end in a digit for the part of the country; roughly by longitude, as the real ones are. */
function regionDigit(lon: number): number {
  if (lon > 0 || lon < -150) return 0;
  if (lon < -115) return 6;
  if (lon < -102) return 5;
  return lon < -88 ? 3 : 1;
}
