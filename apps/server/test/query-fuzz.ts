import type { RouteSpec } from '@nwms/contract';
import fc from 'fast-check';

interface ParameterSchema {
  type?: string;
  enum?: string[];
  items?: ParameterSchema;
  minimum?: number;
  maximum?: number;
}

/** Values that broke somebody's parser once. */
const NASTY = [
  '', ' ', ',', ',,,', '-0', '1e9', '0x10', 'NaN', 'Infinity', '-1', '99999999999999999999', 'null', 'undefined', '[object Object]',
  '__proto__', 'constructor', 'toString', '%00', '\u0000', '\uD800', '٣', "' OR 1=1 --", '../../etc/passwd', '${7*7}', '<script>',
  'a'.repeat(5000), '2026-02-30', '2026-11-21T25:00:00Z', '0000-00-00', '+275760-09-13T00:00:01Z', '-90,-180,90,180', '180,0,-180,1',
  '0,0;0,0;0,0;0,0', '0,0;1,1;0,1;1,0', 'NaN,NaN,NaN,NaN', '1,2,3', 'abcdefgh:0', 'abcdefgh:999999999999999', 'aaaaaaaa:-1', ':', '(((((((((((a+)+)+)+',
] as const; // prettier-ignore

/** Real shapes of the text parameters, so that cases reach the code behind the checks. */
const MEANT: Record<string, readonly string[]> = {
  bbox: ['-125,24,-66,50', '170,50,-170,70', '-94,41,-93,42'],
  polygon: ['-100,35;-90,35;-90,45;-100,45', '-100,35;-90,45;-90,35;-100,45'],
  from: ['2026-11-20', '2026-11-21T00:00:00Z'],
  to: ['2026-11-22', '2026-11-21T23:00:00-06:00'],
  at: ['2026-11-21T10:00:00Z', '1999-01-01'],
  in_force_at: ['2026-11-21T10:00:00Z'],
  updated_since: ['2026-11-21T10:00:00Z'],
  ugc: ['IA', 'IAC153', 'IAZ060,TX'],
  q: ['wind', 'tornado warning', 'Peñasco'],
  event: ['Tornado Warning', 'tornado warning,Flood Watch'],
  tag: ['emergency', 'hail:1.00'],
  vtec: ['KDMX.SV.W.0106'],
};

const valueOf = (name: string, schema: ParameterSchema): fc.Arbitrary<string> => {
  const one = schema.type === 'array' ? (schema.items ?? {}) : schema;
  const good: fc.Arbitrary<string>[] = [];
  if (one.enum) good.push(fc.constantFrom(...one.enum));
  if (one.type === 'boolean') good.push(fc.constantFrom('true', 'false'));
  if (one.type === 'integer' || one.type === 'number') {
    const [min, max] = [one.minimum ?? -1000, one.maximum ?? 1000];
    good.push(fc.constantFrom(String(min), String(max), String(min - 1), String(max + 1)), fc.integer({ min, max }).map(String));
  }
  const meant = MEANT[name];
  if (meant) good.push(fc.constantFrom(...meant));
  const wild = [fc.constantFrom(...NASTY), fc.string({ unit: 'binary', maxLength: 30 })];
  return good.length > 0
    ? fc.oneof({ weight: 5, arbitrary: fc.oneof(...good) }, { weight: 1, arbitrary: fc.oneof(...wild) })
    : fc.oneof(...wild);
};

/** Query strings for a route: mostly near what its schema says, some far from it, now and then with a name it does not know. */
export function queriesOf(spec: RouteSpec): fc.Arbitrary<string> {
  const properties = Object.entries((spec.query?.properties ?? {}) as Record<string, ParameterSchema>);
  const pairs = properties.map(([name, schema]) =>
    valueOf(name, name === 'wait' ? { type: 'integer', minimum: 0, maximum: 0 } : schema).map((value) => [name, value] as const),
  );
  const stranger = fc.tuple(fc.constantFrom('__proto__', 'constructor[prototype][x]', 'limit[]', 'foo', '_t'), fc.constantFrom(...NASTY));
  const chosen = pairs.length === 0 ? fc.constant([]) : fc.array(fc.oneof(...pairs), { maxLength: 4 });
  return fc.tuple(chosen, fc.option(stranger, { freq: 12 })).map(([known, unknown]) => {
    const search = new URLSearchParams();
    const required = (spec.query?.required ?? []) as string[];
    for (const name of required) if (!known.some(([one]) => one === name)) search.append(name, name === 'lat' ? '41.6' : '-93.6');
    for (const [name, value] of [...known, ...(unknown ? [unknown] : [])]) search.append(name, value);
    return search.toString();
  });
}
