import { type AlertMessage, parseFeature, type Position } from '@nwms/domain';

const TYPES = [
  ['Tornado Warning', 'TO.W', 'Extreme'],
  ['Severe Thunderstorm Warning', 'SV.W', 'Severe'],
  ['Flood Warning', 'FL.W', 'Severe'],
  ['Winter Storm Warning', 'WS.W', 'Severe'],
  ['Wind Advisory', 'WI.Y', 'Moderate'],
  ['Small Craft Advisory', 'SC.Y', 'Minor'],
] as const;

/** A small generator with a fixed seed, so that runs compare (Park and Miller). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** Active alerts with polygons of the size of display shapes (30 to 90 vertices) all over the country. */
export function generateMessages(count: number, now: number, seed = 20_261_121): AlertMessage[] {
  const random = seeded(seed);
  return Array.from({ length: count }, (_, index) => {
    const type = TYPES[index % TYPES.length] ?? TYPES[0];
    const etn = String(index + 1).padStart(4, '0');
    const iso = (at: number) =>
      new Date(at)
        .toISOString()
        .replace('.000Z', '+00:00')
        .replace(/\.\d+Z$/, '+00:00');
    const stamp = (at: number) => `${new Date(at).toISOString().slice(2, 16).replaceAll(/[-:]/g, '')}Z`;
    const ends = now + 3_600_000 * (1 + Math.floor(random() * 24));
    const parsed = parseFeature(
      {
        id: `https://api.weather.gov/alerts/urn:oid:2.49.0.1.840.0.bench.${index}`,
        type: 'Feature',
        geometry: { type: 'Polygon', coordinates: [ringAround(random)] },
        properties: {
          id: `urn:oid:2.49.0.1.840.0.bench.${index}`,
          areaDesc: 'Adair, IA; Adams, IA; Boone, IA; Cass, IA',
          geocode: { SAME: ['019001', '019003'], UGC: ['IAC001', 'IAC003'] },
          affectedZones: ['https://api.weather.gov/zones/county/IAC001', 'https://api.weather.gov/zones/county/IAC003'],
          references: [],
          sent: iso(now - 600_000),
          effective: iso(now - 600_000),
          onset: iso(now - 600_000),
          expires: iso(ends),
          ends: iso(ends),
          status: 'Actual',
          messageType: 'Alert',
          category: 'Met',
          severity: type[2],
          certainty: 'Likely',
          urgency: 'Expected',
          event: type[0],
          senderName: 'NWS Des Moines IA',
          headline: `${type[0]} issued by NWS Des Moines IA`,
          description: '* WHAT...Dangerous conditions.\n\n* WHERE...Central Iowa.\n\n* WHEN...Until further notice.\n\n'.repeat(3),
          instruction: 'Move to a safe place. '.repeat(10),
          response: 'Shelter',
          parameters: { VTEC: [`/O.NEW.KDMX.${type[1]}.${etn}.${stamp(now - 600_000)}-${stamp(ends)}/`] },
        },
      },
      { source: 'nws', receivedAt: now, contentHash: String(index) },
    );
    if (!parsed.ok) throw new Error(parsed.detail);
    return parsed.message;
  });
}

/** A wobbly closed ring: simple because its radius never reaches zero. */
export function ringAround(random: () => number): Position[] {
  const [lon, lat] = [-120 + random() * 50, 27 + random() * 20];
  const vertices = 30 + Math.floor(random() * 60);
  const size = 0.1 + random() * random() * 1.5;
  const ring = Array.from({ length: vertices }, (_, index): Position => {
    const angle = (2 * Math.PI * index) / vertices;
    const radius = size * (0.7 + 0.3 * random());
    return [round(lon + radius * Math.cos(angle)), round(lat + radius * Math.sin(angle) * 0.8)];
  });
  return [...ring, ring[0] ?? [lon, lat]];
}

const round = (value: number): number => Math.round(value * 1e5) / 1e5;
