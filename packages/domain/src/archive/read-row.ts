import type { Shape } from '../geo/shape.ts';
import { readPolygon } from '../alert/read-polygon.ts';
import { typeOfVtec } from '../alert/types.ts';
import { isUgc } from '../alert/ugc.ts';
import type { Instant, VtecAction } from '../alert/vocabulary.ts';
import { motionPoints, NO_TAGS, statementTags, warningTags } from './archive-tags.ts';
import { actionOf, assertVtecEra, etnOf, FieldFault, type Fields, fieldsOf, officeOf, ugcOf, vtecNameOf, yearOf } from './fields.ts';
import type { ArchiveKind, ArchiveRow, PolygonRow, RawRow, RowRead, StatementRow, WarningRow } from './rows.ts';

/** Columns without which a file is not of its kind. */
export const COLUMNS_OF: Readonly<Record<ArchiveKind, readonly string[]>> = {
  warnings: ['issue', 'expire', 'wfo', 'eventid', 'status', 'ugc', 'phenomena', 'significance', 'product_issue'],
  polygons: ['issue', 'expire', 'wfo', 'eventid', 'status', 'phenomena', 'significance', 'polygon_begin'],
  watches: ['issued', 'expired', 'type', 'num', 'sel'],
  statements: ['product_id', 'pil', 'wfo', 'issue', 'expire', 'ugcs'],
};

/** Reads one row. Total: what is not fit to be history comes back as a fault that names the field and the fix. */
export function readRow(raw: RawRow): RowRead<ArchiveRow> {
  try {
    const motion = motionPoints(raw.columns['tml_geom'] ?? raw.columns['tml_geom_line']);
    return { ok: true, row: READERS[raw.kind](fieldsOf(motion === null ? raw.columns : { ...raw.columns, tml_points: motion }), raw) };
  } catch (error) {
    if (error instanceof FieldFault) return { ok: false, fault: error.fault };
    throw error;
  }
}

const READERS: Record<ArchiveKind, (fields: Fields, raw: RawRow) => ArchiveRow> = {
  warnings: readWarning,
  polygons: readStormBased,
  watches: readWatch,
  statements: readStatement,
};

function readWarning(fields: Fields, raw: RawRow): WarningRow {
  const row: WarningRow = {
    kind: 'warnings',
    name: vtecNameOf(fields),
    year: yearOf(fields),
    ugc: ugcOf(fields),
    status: actionOf(fields),
    issue: fields.time('issue'),
    expire: fields.time('expire'),
    plannedEnd: fields.timeOrNull('init_expire'),
    productIssue: fields.time('product_issue'),
    updated: fields.timeOrNull('updated') ?? fields.time('product_issue'),
    emergency: fields.flag('is_emergency'),
    raw,
  };
  assertVtecEra('product_issue', row.productIssue);
  if (isTerminal(row.status)) {
    // The plan is what a cancelled event had before it: without it nobody can say what was known.
    if (row.plannedEnd === null) fields.required('init_expire');
    assertLater('expire', row.expire, 'product_issue', row.productIssue);
  } else {
    assertLater('expire', row.expire, 'issue', row.issue);
    assertLater('expire', row.expire, 'product_issue', row.productIssue);
  }
  return row;
}

export const isTerminal = (status: VtecAction): boolean => status === 'CAN' || status === 'UPG';

/** Before this day warnings of tornadoes, thunderstorms, flash floods and the sea were for whole counties, whatever was drawn. */
export const STORM_BASED_SINCE = Date.UTC(2007, 9, 1);

function readStormBased(fields: Fields, raw: RawRow): PolygonRow {
  const name = vtecNameOf(fields);
  const event = typeOfVtec(name.phenomenon, name.significance)?.event ?? '';
  const issue = fields.time('issue');
  const expire = fields.time('expire');
  const status = actionOf(fields);
  const sent = productTime(fields.text('product_id')) ?? fields.timeOrNull('updated') ?? fields.time('polygon_begin');
  if (sent < STORM_BASED_SINCE) {
    const message = 'Before 1 October 2007 a warning was for whole counties: this polygon was not its area.';
    throw new FieldFault(
      'county_era',
      'polygon_begin',
      new Date(sent).toISOString(),
      message,
      'Import these events from the archive by county (warnings).',
    );
  }
  if (!isTerminal(status)) assertLater('expire', expire, 'issue', issue);
  return {
    kind: 'polygons',
    name,
    year: yearOf(fields),
    status,
    sent,
    issue,
    plannedEnd: fields.timeOrNull('init_expire') ?? expire,
    expire,
    polygon: polygonOf(raw),
    tags: warningTags(fields, name.phenomenon, event),
    raw,
  };
}

/** Watches are numbered by the Storm Prediction Center (KWNS), which issues them under VTEC numbers of its own. */
function readWatch(fields: Fields, raw: RawRow): PolygonRow {
  const type = fields.required('type').toUpperCase();
  const phenomenon = { TOR: 'TO', SVR: 'SV' }[type];
  if (!phenomenon) throw new FieldFault('code_unreadable', 'type', type, 'type is no kind of watch.', 'Write TOR or SVR.');
  const [issue, expire] = [fields.time('issued'), fields.time('expired')];
  assertVtecEra('issued', issue);
  assertLater('expired', expire, 'issued', issue);
  return {
    kind: 'watches',
    name: { office: 'KWNS', phenomenon, significance: 'A', etn: etnOf(fields, 'num') },
    year: null,
    status: 'NEW',
    sent: issue,
    issue,
    plannedEnd: expire,
    expire,
    polygon: polygonOf(raw),
    tags: NO_TAGS,
    raw,
  };
}

function readStatement(fields: Fields, raw: RawRow): StatementRow {
  const productId = fields.required('product_id');
  if (!/^[A-Za-z0-9-]{10,60}$/.test(productId)) {
    const fix = 'Write it as the archive does, e.g. 202408010504-KARX-WWUS83-SPSARX.';
    throw new FieldFault('code_unreadable', 'product_id', productId, 'product_id does not name a product.', fix);
  }
  if (!fields.required('pil').toUpperCase().startsWith('SPS')) {
    throw new FieldFault(
      'code_unreadable',
      'pil',
      fields.text('pil'),
      'Not a Special Weather Statement.',
      'Give rows whose pil begins with SPS.',
    );
  }
  const ugcs = [
    ...new Set(
      (fields.text('ugcs') ?? '')
        .replaceAll(/[{}"\s]/g, '')
        .split(',')
        .filter((code) => code !== ''),
    ),
  ];
  const wrong = ugcs.find((code) => !isUgc(code));
  if (wrong !== undefined)
    throw new FieldFault('code_unreadable', 'ugcs', wrong, 'An area code is not readable.', 'Write codes such as IAZ048.');
  const polygon = isEmpty(raw.geometry) ? null : polygonOf(raw);
  if (polygon === null && ugcs.length === 0) {
    throw new FieldFault('field_missing', 'ugcs', '', 'Neither ugcs nor a geometry says where it was.', 'Give ugcs or a geometry.');
  }
  const [issue, expire] = [fields.time('issue'), fields.time('expire')];
  assertLater('expire', expire, 'issue', issue);
  const segment = fields.text('segmentnum') ?? '0';
  return {
    kind: 'statements',
    productId,
    segment,
    office: officeOf(fields),
    issue,
    expire,
    ugcs: ugcs.sort(),
    polygon,
    tags: statementTags(fields),
    raw,
  };
}

/** A statement without a polygon: null, or a polygon of nothing. */
function isEmpty(geometry: unknown): boolean {
  const { coordinates } = (geometry ?? {}) as { coordinates?: unknown };
  return geometry === null || (Array.isArray(coordinates) && coordinates.length === 0);
}

function polygonOf({ geometry }: RawRow): Shape {
  const shape = readPolygon(geometry);
  if (shape) return shape;
  const type = (geometry as { type?: unknown } | null)?.type;
  throw new FieldFault(
    'geometry_unreadable',
    'geometry',
    type ?? null,
    'The geometry is not a sound polygon.',
    'Give a Polygon or MultiPolygon with closed rings in degrees.',
  );
}

/** `202405211509-KDMX-...` begins with the minute the product was sent. */
function productTime(productId: string | null): Instant | null {
  const match = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})-/.exec(productId ?? '');
  if (!match) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = match.slice(1).map(Number);
  return Date.UTC(year, month - 1, day, hour, minute);
}

function assertLater(field: string, at: Instant, than: string, before: Instant): void {
  if (at > before) return;
  const [value, other] = [at, before].map((each) => new Date(each).toISOString());
  throw new FieldFault('times_contradict', field, value, `${field} is not later than ${than} (${other}).`, `Correct ${field} or ${than}.`);
}
