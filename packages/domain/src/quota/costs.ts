/** What one call of a route costs, in quota units. */
export interface CostRule {
  /** Units of a plain call. */
  units: number;
  /** Dearer questions; the dearest that applies counts. */
  dearer?: readonly DearerCall[];
}

/** A call is of this kind when one of `parameters` is given, or when it asks for one of `formats` with more than `rowsOver` rows. */
export interface DearerCall {
  units: number;
  parameters?: readonly string[];
  formats?: readonly string[];
  rowsOver?: number;
}

/** Media types that ask for a format without `format=`. */
const MEDIA_TYPES: readonly [string, string][] = [
  ['text/csv', 'csv'],
  ['ndjson', 'ndjson'],
  ['atom+xml', 'atom'],
];

/** Units to reserve before a call, from nothing but its address and Accept header. */
export function reservedUnits(rule: CostRule, query: URLSearchParams, accept = ''): number {
  let units = rule.units;
  for (const call of rule.dearer ?? []) if (call.units > units && isOfKind(call, query, accept)) units = call.units;
  return units;
}

function isOfKind(call: DearerCall, query: URLSearchParams, accept: string): boolean {
  if (call.parameters?.some((name) => (query.get(name) ?? '') !== '')) return true;
  if (!call.formats) return false;
  const format = query.get('format') ?? MEDIA_TYPES.find(([type]) => accept.includes(type))?.[1];
  return format !== undefined && call.formats.includes(format.toLowerCase()) && Number(query.get('limit') ?? 0) > (call.rowsOver ?? 0);
}

/** Units a call costs once its status is known: nothing for an answer the caller has already, for refusals of the gate and for our faults. */
export function settledUnits(status: number, reserved: number): number {
  if (status === 304 || status === 401 || status === 403 || status === 429 || status >= 500) return 0;
  return reserved;
}
