import type { RawFeature } from '../feature.ts';
import { bareFeature, type Capture } from './bare-feature.ts';
import { readRing } from './read-reduced.ts';

// These feeds are flat and machine-made: an element never holds another one of its own name, so looking for tags is enough.
// A document that is cut off fails by its missing end.

/** Reads an Atom feed with cap: members (CAP 1.2 of api.weather.gov, CAP 1.1 of the older service). */
export function readAtom(xml: string, name: string): Capture {
  if (!/<feed[\s>]/.test(xml) || !/<\/feed>\s*$/.test(xml)) throw new SyntaxError(`${name}: not a complete Atom feed`);
  const head = xml.slice(0, xml.search(/<entry[\s>]/) >>> 0);
  const entries = [...xml.matchAll(/<entry[\s>][\s\S]*?<\/entry>/g)].map(([entry]) => entry);
  // The old service writes an entry "There are no active watches..." when the list is empty.
  const features = entries.filter((entry) => element(entry, 'cap:event') !== null).map(readEntry);
  return {
    features,
    updated: Date.parse(element(head, 'updated') ?? '') || Math.max(0, ...features.map(({ properties }) => Date.parse(properties.sent))),
  };
}

function readEntry(entry: string): RawFeature {
  const address = element(entry, 'id') ?? '';
  const id = address.includes('?x=') ? address.slice(address.indexOf('?x=') + 3) : address.slice(address.lastIndexOf('/') + 1);
  const codes = pairs(entry, 'cap:geocode');
  const many = (name: string): string[] => (codes[name] ?? []).flatMap((value) => value.split(/\s+/)).filter(Boolean);
  const parameters = pairs(entry, 'cap:parameter');
  // The old service put the hydrologic VTEC in a second line of the same value.
  const vtec = (parameters['VTEC'] ?? []).flatMap((value) => value.split('\n').slice(0, 1)).filter(Boolean);
  delete parameters['VTEC'];
  const sent = element(entry, 'cap:sent') ?? element(entry, 'published') ?? '';
  const ring = readRing(element(entry, 'cap:polygon') ?? '');
  const title = element(entry, 'title');
  return bareFeature(
    {
      id,
      sent,
      event: element(entry, 'cap:event') ?? '',
      effective: element(entry, 'cap:effective') ?? sent,
      onset: element(entry, 'cap:onset'),
      expires: element(entry, 'cap:expires') ?? sent,
      ends: parameters['eventEndingTime']?.[0] ?? null,
      status: element(entry, 'cap:status') ?? 'Actual',
      messageType: element(entry, 'cap:msgType') ?? 'Alert',
      category: element(entry, 'cap:category') ?? 'Met',
      severity: element(entry, 'cap:severity') ?? 'Unknown',
      certainty: element(entry, 'cap:certainty') ?? 'Unknown',
      urgency: element(entry, 'cap:urgency') ?? 'Unknown',
      areaDesc: element(entry, 'cap:areaDesc') ?? '',
      senderName: title?.match(/ by (NWS .+)$/)?.[1] ?? 'NWS',
      headline: title,
      description: element(entry, 'summary'),
      geocode: { SAME: [...many('SAME'), ...many('FIPS6')], UGC: many('UGC') },
      parameters: { ...parameters, ...(vtec.length > 0 ? { VTEC: vtec } : {}) },
      eventCode: pairs(entry, 'cap:eventCode'),
    },
    ring && { type: 'Polygon', coordinates: [ring] },
  );
}

function element(xml: string, name: string): string | null {
  const match = new RegExp(`<${name}(?:\\s[^>]*)?>([\\s\\S]*?)</${name}>`).exec(xml);
  const value = plain(match?.[1] ?? '');
  return value === '' ? null : value;
}

/** valueName and value in turns; one element may hold several pairs (CAP 1.1). */
function pairs(xml: string, name: string): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const [, body = ''] of xml.matchAll(new RegExp(`<${name}>([\\s\\S]*?)</${name}>`, 'g'))) {
    for (const [, key = '', value = ''] of body.matchAll(/<valueName>([\s\S]*?)<\/valueName>\s*<value>([\s\S]*?)<\/value>/g)) {
      if (value.trim() !== '') (found[plain(key)] ??= []).push(plain(value));
    }
  }
  return found;
}

function plain(text: string): string {
  return text
    .trim()
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
