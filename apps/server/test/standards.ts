import type { XmlElement } from './xml-reader.ts';
import { readXml } from './xml-reader.ts';

/** Rules of published formats, written down from their specifications; each check answers with faults, empty = sound. */
type Check = (element: XmlElement) => string[];
interface Rule {
  name: string;
  min: 0 | 1;
  max: 1 | typeof Infinity;
  check: Check;
}

const ok: Check = () => [];
const filled: Check = ({ name, text }) => (text.trim() === '' ? [`${name} is empty`] : []);
const oneOf =
  (...values: string[]): Check =>
  ({ name, text }) =>
    values.includes(text) ? [] : [`${name} is ${JSON.stringify(text)}`];
const matching =
  (pattern: RegExp): Check =>
  ({ name, text }) =>
    pattern.test(text) ? [] : [`${name} is ${JSON.stringify(text.slice(0, 120))}`];
const must = (name: string, check: Check = ok): Rule => ({ name, min: 1, max: 1, check });
const may = (name: string, check: Check = ok): Rule => ({ name, min: 0, max: 1, check });
const many = (name: string, check: Check = ok, min: 0 | 1 = 0): Rule => ({ name, min, max: Infinity, check });

/** Children in this order, each as often as allowed, and nothing else. */
const sequence =
  (rules: Rule[]): Check =>
  ({ name, children }) => {
    const faults: string[] = [];
    let next = 0;
    for (const rule of rules) {
      let count = 0;
      for (; children[next]?.name === rule.name && count < rule.max; next += 1, count += 1) {
        faults.push(...rule.check(children[next] as XmlElement).map((fault) => `${name}/${fault}`));
      }
      if (count < rule.min) faults.push(`${name} lacks ${rule.name}`);
    }
    if (next < children.length) faults.push(`${name}: ${children[next]?.name} is out of place`);
    return faults;
  };

// CAP 1.2 wants a numeric offset, and UTC as -00:00: neither Z nor fractions of seconds.
const CAP_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/;
const capTime: Check = (element) =>
  CAP_TIME.test(element.text) && !Number.isNaN(Date.parse(element.text)) && !element.text.endsWith('+00:00')
    ? []
    : [`${element.name} is ${element.text}`];
/** Neither spaces nor commas: `references` separates by them. */
const capName = matching(/^[^\s,<&]+$/);
const pair = sequence([must('valueName', filled), must('value')]);
const PAIR = /^-?\d+(\.\d+)?,-?\d+(\.\d+)?$/;
const capPolygon: Check = ({ text }) => {
  const points = text.split(' ');
  if (points.length < 4 || points[0] !== points.at(-1)) return ['polygon is not closed'];
  return points.flatMap((point) => {
    const [lat = NaN, lon = NaN] = point.split(',').map(Number);
    return PAIR.test(point) && Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? [] : [`polygon has ${point}`];
  });
};
const area = sequence([
  must('areaDesc', filled),
  many('polygon', capPolygon),
  many('circle'),
  many('geocode', pair),
  may('altitude'),
  may('ceiling'),
]);
const info = sequence([
  may('language', matching(/^[a-zA-Z]{1,8}(-[a-zA-Z\d]{1,8})*$/)),
  many('category', oneOf('Geo', 'Met', 'Safety', 'Security', 'Rescue', 'Fire', 'Health', 'Env', 'Transport', 'Infra', 'CBRNE', 'Other'), 1),
  must('event', filled),
  many('responseType', oneOf('Shelter', 'Evacuate', 'Prepare', 'Execute', 'Avoid', 'Monitor', 'Assess', 'AllClear', 'None')),
  must('urgency', oneOf('Immediate', 'Expected', 'Future', 'Past', 'Unknown')),
  must('severity', oneOf('Extreme', 'Severe', 'Moderate', 'Minor', 'Unknown')),
  must('certainty', oneOf('Observed', 'Likely', 'Possible', 'Unlikely', 'Unknown')),
  may('audience'),
  many('eventCode', pair),
  may('effective', capTime),
  may('onset', capTime),
  may('expires', capTime),
  may('senderName'),
  may('headline'),
  may('description'),
  may('instruction'),
  may('web', matching(/^\S+$/)),
  may('contact'),
  many('parameter', pair),
  many('resource'),
  many('area', area),
]);
const alert = sequence([
  must('identifier', capName),
  must('sender', capName),
  must('sent', capTime),
  must('status', oneOf('Actual', 'Exercise', 'System', 'Test', 'Draft')),
  must('msgType', oneOf('Alert', 'Update', 'Cancel', 'Ack', 'Error')),
  may('source'),
  must('scope', oneOf('Public', 'Restricted', 'Private')),
  may('restriction'),
  may('addresses'),
  many('code'),
  may('note'),
  may(
    'references',
    matching(
      /^[^\s,]+,[^\s,]+,\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d( [^\s,]+,[^\s,]+,\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d)*$/,
    ),
  ),
  may('incidents'),
  many('info', info),
]);

/** Faults of a CAP 1.2 message. */
export function capFaults(xml: string): string[] {
  const root = readXml(xml);
  return [
    ...(root.name === 'alert' && root.attributes['xmlns'] === 'urn:oasis:names:tc:emergency:cap:1.2' ? [] : [`root is ${root.name}`]),
    ...alert(root),
  ];
}

const ATOM_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const IRI = /^[a-z][a-z\d+.-]*:\S+$/i;

/** Faults of an Atom feed (RFC 4287): ids, titles, dates, authors, links. Elements may stand in any order. */
export function atomFaults(xml: string): string[] {
  const feed = readXml(xml);
  const faults: string[] = [];
  const need = (of: XmlElement, name: string, test: RegExp) => {
    const found = of.children.filter((child) => child.name === name);
    if (found.length !== 1) faults.push(`${of.name} has ${found.length} ${name}`);
    for (const { text } of found) if (!test.test(text)) faults.push(`${of.name}/${name} is ${JSON.stringify(text.slice(0, 80))}`);
  };
  if (feed.name !== 'feed' || feed.attributes['xmlns'] !== 'http://www.w3.org/2005/Atom') faults.push(`root is ${feed.name}`);
  const ids = new Set<string>();
  for (const each of [feed, ...feed.children.filter((child) => child.name === 'entry')]) {
    need(each, 'id', IRI);
    need(each, 'title', /\S/);
    need(each, 'updated', ATOM_TIME);
    const id = each.children.find((child) => child.name === 'id')?.text ?? '';
    if (ids.has(id)) faults.push(`${id} is there twice`);
    ids.add(id);
    const alternates = new Set<string>();
    for (const { name, attributes } of each.children) {
      if (name !== 'link') continue;
      const key = `${attributes['type']} ${attributes['hreflang']}`;
      if (attributes['rel'] === 'alternate' && alternates.has(key)) faults.push(`two alternates of ${key}`);
      if (attributes['rel'] === 'alternate') alternates.add(key);
      if (!IRI.test(attributes['href'] ?? '')) faults.push(`link to ${attributes['href']}`);
    }
    const hasAuthor = [each, feed].some((where) =>
      where.children.some((child) => child.name === 'author' && child.children[0]?.name === 'name'),
    );
    if (!hasAuthor) faults.push(`${each.name} has no author`);
  }
  return faults;
}

type Ring = [number, number][];

/** Faults of a GeoJSON geometry (RFC 7946): closed rings of four positions, outer ones counter-clockwise, holes clockwise, none across 180 degrees. */
export function geometryFaults(geometry: { type: string; coordinates: unknown } | null): string[] {
  if (geometry === null) return [];
  if (geometry.type !== 'Polygon' && geometry.type !== 'MultiPolygon') return [`geometry is ${geometry.type}`];
  const parts = (geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates) as Ring[][];
  return parts.flatMap((rings) => rings.flatMap((ring, index) => ringFaults(ring, index > 0)));
}

function ringFaults(ring: Ring, isHole: boolean): string[] {
  const faults: string[] = [];
  const [first, last] = [ring[0], ring.at(-1)];
  if (ring.length < 4) faults.push(`ring of ${ring.length}`);
  if (String(first) !== String(last)) faults.push('ring is open');
  if (ring.some(([lon, lat]) => !(Math.abs(lon) <= 180 && Math.abs(lat) <= 90))) faults.push('position outside the world');
  const [west, east] = [Math.min(...ring.map(([lon]) => lon)), Math.max(...ring.map(([lon]) => lon))];
  if (east - west > 180) faults.push(`ring from ${west} to ${east} crosses 180 degrees`);
  let twice = 0;
  for (const [i, [x, y]] of ring.slice(1).entries()) {
    const [px, py] = ring[i] ?? [0, 0];
    twice += px * y - x * py;
  }
  if (twice < 0 !== isHole && twice !== 0) faults.push(`${isHole ? 'hole' : 'outer ring'} turns the wrong way`);
  return faults;
}

/** Rows of an RFC 4180 text. Throws where a quote stands inside an unquoted cell, or a line does not end with CR LF. */
export function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let at = 0;
  while (at < text.length) {
    const row: string[] = [];
    for (;;) {
      const cell = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/.exec(text.slice(at, at + 2_000_000));
      if (!cell) throw new Error(`no cell at ${at}: ${JSON.stringify(text.slice(at, at + 60))}`);
      row.push(cell[1] === undefined ? (cell[2] ?? '') : cell[1].replaceAll('""', '"'));
      at += cell[0].length;
      if (cell[3] !== ',') break;
    }
    rows.push(row);
  }
  return rows;
}
