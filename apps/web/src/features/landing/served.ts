import type { ReferenceLine } from './reference-lines.ts';

/** "GET /alerts" to the area of the API document it stands in: put in by the build from the contract itself, so that it cannot be wrong. */
declare const NWMS_SERVED_ROUTES: Readonly<Record<string, string>> | undefined;

/** Area of an endpoint of this version; null for one that is not part of it yet. */
export const areaOf = ({ method, path }: Pick<ReferenceLine, 'method' | 'path'>): string | null =>
  (typeof NWMS_SERVED_ROUTES === 'undefined' ? undefined : NWMS_SERVED_ROUTES[`${method} ${path}`]) ?? null;
