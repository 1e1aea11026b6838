import { createHash } from 'node:crypto';

import type { Position } from '@nwms/domain/geo/shape';

import type { RawFeature } from '../feature.ts';
import { bareFeature } from './bare-feature.ts';

type Loose = Record<string, unknown>;

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function words(value: unknown): string[] {
  return typeof value === 'string' ? value.split(/\s+/).filter(Boolean) : [];
}

function record(value: unknown): Loose {
  return typeof value === 'object' && value !== null ? (value as Loose) : {};
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** Identifier for a record that has none: from its content, so that it is the same at every reading. */
function contentId(kind: string, value: unknown, place: string): string {
  return `${kind}-${createHash('sha1').update(place).update(JSON.stringify(value)).digest('hex').slice(0, 20)}`;
}

/** A log of polls with properties cut down by its collector: no geometry, message type, expires or VTEC; codes under `geoCode`. */
export function readReducedLog(rows: unknown[]): RawFeature[] {
  return rows.map(record).map((row) => {
    const codes = record(row['geoCode']);
    const event = text(row['event']) ?? 'Unknown';
    const read = bareFeature(
      {
        id: text(row['id']) ?? contentId('reduced', row, ''),
        event,
        sent: text(row['sent']) ?? '',
        effective: text(row['effective']) ?? text(row['sent']) ?? '',
        onset: text(row['onset']),
        ends: text(row['ends']),
        status: event === 'Test Message' ? 'Test' : 'Actual',
        severity: text(row['severity']) ?? 'Unknown',
        certainty: text(row['certainty']) ?? 'Unknown',
        urgency: text(row['urgency']) ?? 'Unknown',
        headline: text(row['headline']),
        description: text(row['description']),
        areaDesc: text(row['areaDesc']) ?? '',
        geocode: { SAME: strings(codes['SAME']), UGC: strings(codes['UGC']) },
      },
      null,
    );
    const zones = strings(row['affectedZones']);
    const response = text(row['response']);
    return {
      ...read,
      properties: { ...read.properties, ...(zones.length > 0 ? { affectedZones: zones } : {}), ...(response ? { response } : {}) },
    };
  });
}

/** Date -> time -> list of what a state's page showed: event, times, names of counties, text. One feature per entry. */
export function readMissouriLog(log: Loose): RawFeature[] {
  return Object.entries(log).flatMap(([date, times]) =>
    Object.entries(record(times)).flatMap(([time, list]) =>
      (Array.isArray(list) ? list : []).map(record).map((row, index) =>
        bareFeature(
          {
            id: contentId('missouri', row, `${date}T${time}#${index}`),
            event: text(row['event']) ?? 'Unknown',
            sent: text(row['issued']) ?? `${date}T${time}`,
            expires: text(row['expires']) ?? `${date}T${time}`,
            areaDesc: text(row['counties affected']) ?? '',
            description: text(row['description']),
          },
          null,
        ),
      ),
    ),
  );
}

/** True for the GeoJSON made from the CAP 1.1 index: `msgType` where the API says messageType. */
export function isDerived2015(features: RawFeature[]): boolean {
  const [first] = features;
  return first !== undefined && 'msgType' in first.properties;
}

/** Only a polygon of the message itself counts as geometry; the other shapes there were filled in from counties by the file's maker. */
export function readDerived2015(features: RawFeature[]): RawFeature[] {
  return features.map((feature) => {
    const row = feature.properties as unknown as Loose;
    const codes = record(row['geocode']);
    const vtec = text(record(row['parameter'])['VTEC'])?.split('\n')[0];
    const ring = readRing(text(row['polygon']) ?? '');
    const link = text(row['link']) ?? '';
    return bareFeature(
      {
        id: link.slice(link.indexOf('x=') + 2) || contentId('cap11', row, ''),
        event: text(row['event']) ?? 'Unknown',
        sent: text(row['published']) ?? '',
        effective: text(row['effective']) ?? '',
        expires: text(row['expires']) ?? '',
        status: text(row['status']) ?? 'Actual',
        messageType: text(row['msgType']) ?? 'Alert',
        category: text(row['category']) ?? 'Met',
        severity: text(row['severity']) ?? 'Unknown',
        certainty: text(row['certainty']) ?? 'Unknown',
        urgency: text(row['urgency']) ?? 'Unknown',
        headline: text(row['title']),
        description: text(row['summary']),
        areaDesc: text(row['areaDesc']) ?? '',
        // FIPS6 of CAP 1.1 is what CAP 1.2 calls SAME.
        geocode: { SAME: words(codes['FIPS6']), UGC: words(codes['UGC']) },
        parameters: vtec ? { VTEC: [vtec] } : {},
      },
      ring && { type: 'Polygon', coordinates: [ring] },
    );
  });
}

/** CAP polygon text "lat,lon lat,lon ..."; null when it is not a closed ring of four points or more. */
export function readRing(polygon: string): Position[] | null {
  const ring = words(polygon).map((pair): Position => {
    const [lat = Number.NaN, lon = Number.NaN] = pair.split(',').map(Number);
    return [lon, lat];
  });
  return ring.length >= 4 && ring.flat().every(Number.isFinite) ? ring : null;
}
