import { type Instant, VTEC_ACTIONS, type VtecAction } from '../alert/vocabulary.ts';
import { isUgc } from '../alert/ugc.ts';
import { parseTimestamp } from '../time/timestamp.ts';
import type { RowFault, RowFaultReason, VtecName } from './rows.ts';

/** Ends the reading of a row; `readRow` turns it into the answer. */
export class FieldFault extends Error {
  override readonly name = 'FieldFault';
  readonly fault: RowFault;
  constructor(reason: RowFaultReason, field: string, value: unknown, message: string, fix: string) {
    super(message);
    this.fault = { field, value: shown(value), reason, message, fix };
  }
}

const shown = (value: unknown): string => {
  const text = typeof value === 'string' ? value : value === undefined ? '' : (JSON.stringify(value) ?? '');
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
};

/** Columns of one row by name; values are texts as a rule, and null or '' when empty. */
export interface Fields {
  /** Trimmed text, null when empty or absent. */
  text(name: string): string | null;
  /** @throws FieldFault field_missing */
  required(name: string): string;
  /** @throws FieldFault time_unreadable */
  time(name: string): Instant;
  /** Null when empty. @throws FieldFault time_unreadable */
  timeOrNull(name: string): Instant | null;
  flag(name: string): boolean;
}

export function fieldsOf(columns: Readonly<Record<string, unknown>>): Fields {
  const text = (name: string): string | null => {
    const value = Object.hasOwn(columns, name) ? columns[name] : undefined;
    if (typeof value === 'number') return String(value);
    if (typeof value === 'boolean') return value ? 't' : 'f';
    const trimmed = typeof value === 'string' ? value.trim() : '';
    return trimmed === '' || trimmed === 'None' || trimmed === 'null' ? null : trimmed;
  };
  const required = (name: string): string => {
    const found = text(name);
    if (found === null) throw new FieldFault('field_missing', name, columns[name], `${name} is empty.`, `Give ${name} a value.`);
    return found;
  };
  const timeOrNull = (name: string): Instant | null => {
    const found = text(name);
    if (found === null) return null;
    const at = archiveTime(found);
    if (at !== null) return at;
    const fix = 'Write it as 2024-05-21T18:00:00Z, or with another offset; a time without an offset could mean any clock.';
    throw new FieldFault('time_unreadable', name, found, `${name} is not a time with its offset.`, fix);
  };
  return {
    text,
    required,
    timeOrNull,
    time(name) {
      required(name);
      return timeOrNull(name) ?? 0;
    },
    flag: (name) => ['t', 'true', '1', 'y'].includes((text(name) ?? '').toLowerCase()),
  };
}

/** RFC 3339 with or without seconds, and what PostgreSQL prints: a blank for the T, an offset of hours alone. */
export function archiveTime(text: string): Instant | null {
  const withT = text.length > 10 && text[10] === ' ' ? `${text.slice(0, 10)}T${text.slice(11)}` : text;
  const whole = /^[^T]{10}T[\d:.]{5,18}[+-]\d{2}$/.test(withT) ? `${withT}:00` : withT;
  return parseTimestamp(whole)?.at ?? null;
}

/** Offices outside the 48 states do not begin with K. Archives write three letters. */
const FOUR_LETTERS: Readonly<Record<string, string>> = {
  AFC: 'PAFC',
  AFG: 'PAFG',
  AJK: 'PAJK',
  HFO: 'PHFO',
  GUM: 'PGUM',
  PPG: 'NSTU',
  JSJ: 'TJSJ',
  SJU: 'TJSJ',
};

/** @throws FieldFault code_unreadable */
export function officeOf(fields: Fields): string {
  const text = fields.required('wfo').toUpperCase();
  if (/^[A-Z]{4}$/.test(text)) return text;
  if (/^[A-Z]{3}$/.test(text)) return FOUR_LETTERS[text] ?? `K${text}`;
  throw new FieldFault('code_unreadable', 'wfo', text, 'wfo is not an office.', 'Write the office with three or four letters, e.g. DMX.');
}

/** @throws FieldFault field_missing, code_unreadable */
export function vtecNameOf(fields: Fields): VtecName {
  const code = (name: string, pattern: RegExp, fix: string): string => {
    const text = fields.required(name).toUpperCase();
    if (pattern.test(text)) return text;
    throw new FieldFault('code_unreadable', name, text, `${name} is not a VTEC code.`, fix);
  };
  return {
    office: officeOf(fields),
    phenomenon: code('phenomena', /^[A-Z]{2}$/, 'Write the phenomenon with two letters, e.g. TO.'),
    significance: code('significance', /^[A-Z]$/, 'Write the significance with one letter, e.g. W.'),
    etn: etnOf(fields, 'eventid'),
  };
}

/** @throws FieldFault field_missing, code_unreadable */
export function etnOf(fields: Fields, name: string): number {
  const text = fields.required(name);
  const etn = /^\d{1,4}(\.0)?$/.test(text) ? Number(text) : 0;
  if (etn > 0) return etn;
  throw new FieldFault('code_unreadable', name, text, `${name} is not an event number.`, 'Write the VTEC event number, 1 to 9999.');
}

/** @throws FieldFault field_missing, code_unreadable */
export function actionOf(fields: Fields): VtecAction {
  const text = fields.required('status').toUpperCase();
  const found = VTEC_ACTIONS.find((action) => action === text);
  if (found) return found;
  throw new FieldFault('code_unreadable', 'status', text, 'status is not a VTEC action.', `Write one of ${VTEC_ACTIONS.join(', ')}.`);
}

/** @throws FieldFault field_missing, code_unreadable */
export function ugcOf(fields: Fields): string {
  const text = fields.required('ugc').toUpperCase();
  if (isUgc(text)) return text;
  throw new FieldFault(
    'code_unreadable',
    'ugc',
    text,
    'ugc is not an area code.',
    'Write two letters, C or Z, and three digits, e.g. IAC153.',
  );
}

/** Null when absent. @throws FieldFault code_unreadable */
export function yearOf(fields: Fields): number | null {
  const text = fields.text('vtec_year');
  if (text === null) return null;
  if (/^(19|20)\d{2}(\.0)?$/.test(text)) return Number(text);
  throw new FieldFault('code_unreadable', 'vtec_year', text, 'vtec_year is not a year.', 'Write four digits, or leave the column out.');
}

/** VTEC became operational in 2005; archives that go back further made the numbers up. */
export const VTEC_SINCE = Date.UTC(2005, 0, 1);

/** @throws FieldFault before_vtec */
export function assertVtecEra(field: string, at: Instant): void {
  if (at >= VTEC_SINCE) return;
  const message = 'Before 2005 there was no VTEC: the event numbers of this archive were made up later.';
  throw new FieldFault('before_vtec', field, new Date(at).toISOString(), message, 'Leave out what was issued before 2005.');
}
