import { gunzipSync } from 'node:zlib';

import type { RawFeature } from '../feature.ts';
import type { Capture } from './bare-feature.ts';
import { readAtom } from './read-atom.ts';
import { isDerived2015, readDerived2015, readMissouriLog, readReducedLog } from './read-reduced.ts';

/**
 * Reads a recording: an api.weather.gov collection or a bare array of features (untouched), an Atom feed of CAP 1.2 or 1.1, an
 * index of CAP 1.1 as GeoJSON, or logs that keep only a part of the properties. What a recording lacks stays null or empty and is
 * never guessed. `buffer` may be gzip; `name` only serves messages. Throws SyntaxError when the text is none of these.
 */
export function readCapture(buffer: Buffer, name: string): Capture {
  const text = (isGzip(buffer) ? gunzipSync(buffer) : buffer).toString('utf8');
  if (text.trimStart().startsWith('<')) return readAtom(text, name);
  const body = parsed(text, name);
  if (Array.isArray(body))
    return body.some(isFeature)
      ? { features: body as RawFeature[], updated: newestSent(body as RawFeature[]) }
      : finished(readReducedLog(body));
  if (!isRecord(body)) throw new SyntaxError(`${name}: not a recording of alerts`);
  if (!Array.isArray(body['features'])) return finished(readMissouriLog(body));
  const features = body['features'] as RawFeature[];
  if (isDerived2015(features)) return finished(readDerived2015(features));
  const updated = typeof body['updated'] === 'string' ? Date.parse(body['updated']) : newestSent(features);
  return { features, updated };
}

function isGzip(buffer: Buffer): boolean {
  return buffer[0] === 0x1f && buffer[1] === 0x8b;
}

function parsed(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new SyntaxError(`${name}: not JSON`, { cause });
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isFeature(value: unknown): boolean {
  return isRecord(value) && isRecord(value['properties']);
}

function finished(features: RawFeature[]): Capture {
  return { features, updated: newestSent(features) };
}

function newestSent(features: RawFeature[]): number {
  return features.reduce((newest, { properties }) => Math.max(newest, Date.parse(properties.sent) || 0), 0);
}
