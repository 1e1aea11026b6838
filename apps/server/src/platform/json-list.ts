import { hash } from 'node:crypto';
import { endOfString, isClosing, isOpening } from './json-text.ts';
import { MAX_JSON_DEPTH, parseSafeJson, type SafeJson, type SafeJsonOptions } from './safe-json.ts';

/** An element of a list from outside, known by the digest of its bytes. */
export class ListItem {
  readonly digest: string;
  /** Undefined when the reader said that it knows the digest: the text was not parsed again. */
  readonly value: unknown;

  constructor(digest: string, value: unknown) {
    this.digest = digest;
    this.value = value;
  }
}

/** A list whose elements come again and again. */
export interface KnownList {
  /** Member of the outermost object that holds it. */
  member: string;
  isKnown(digest: string): boolean;
}

/** Stands in the list's place while the rest is parsed; a text that says it itself is parsed whole. */
const PLACEHOLDER = '~list~';

/** `digest`: of the whole text but for the space between elements, made of theirs; missing where the text was parsed whole. */
export type ListJson = SafeJson & { digest?: string };

/**
 * As `parseSafeJson`, but the elements of one list become `ListItem`s, and those known by the digest of their text are not parsed. Texts out
 * of the ordinary are parsed whole and their list holds plain values.
 */
export function parseListJson(bytes: Buffer, options: SafeJsonOptions, list: KnownList): ListJson {
  const maxDepth = options.maxDepth ?? MAX_JSON_DEPTH;
  const found = sliceList(bytes, list.member, maxDepth);
  if (!found) return parseSafeJson(bytes, options);
  const rest = `${bytes.toString('utf8', 0, found.list.start)}"${PLACEHOLDER}"${bytes.toString('utf8', found.list.end)}`;
  const outer = parseSafeJson(rest, options);
  const members = outer.ok && typeof outer.value === 'object' ? (outer.value as Record<string, unknown> | null) : null;
  if (members?.[list.member] !== PLACEHOLDER) return parseSafeJson(bytes, options);
  const items: ListItem[] = [];
  for (const { start, end } of found.items) {
    const text = bytes.subarray(start, end);
    const digest = hash('sha256', text);
    if (list.isKnown(digest)) {
      items.push(new ListItem(digest, undefined));
      continue;
    }
    const parsed = parseSafeJson(text, { ...options, maxDepth: maxDepth - 2 });
    if (!parsed.ok) return parsed;
    items.push(new ListItem(digest, parsed.value));
  }
  members[list.member] = items;
  // A digest has one length, so that no two lists are told by the same text.
  const digest = hash('sha256', items.map((item) => item.digest).join('') + rest, 'base64url');
  return { ok: true, value: members, prunedParts: 0, digest };
}

/** Byte range of one element. */
export interface Slice {
  start: number;
  end: number;
}

export interface SlicedList {
  items: Slice[];
  /** From the opening bracket to behind the closing one. */
  list: Slice;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING_LIST = 0x5b;
const isSpace = (byte: number | undefined) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/**
 * Finds the elements of the list `member` of the outermost object without parsing them, so that those seen before need not be. The text need
 * not be valid: if what replaces the list parses and every element parses, the whole would have. Null for anything out of the ordinary (no
 * such list, elements that are no objects or lists, nesting beyond `maxDepth`): then the whole has to be parsed.
 */
export function sliceList(bytes: Buffer, member: string, maxDepth: number): SlicedList | null {
  const key = Buffer.from(JSON.stringify(member));
  const items: Slice[] = [];
  let list: Slice | null = null;
  let inList = false;
  let depth = 0;
  let start = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === QUOTE) {
      if (inList && depth === 2) return null;
      i = endOfString(bytes, i);
    } else if (isOpening(byte)) {
      depth++;
      if (depth > maxDepth) return null;
      if (depth === 2 && byte === OPENING_LIST && isValueOf(bytes, i, key)) {
        if (list) return null;
        list = { start: i, end: i };
        inList = true;
      } else if (depth === 3 && inList) {
        if (!isGap(bytes, items.length === 0 ? (list?.start ?? 0) + 1 : start, i, items.length > 0)) return null;
        start = i;
      }
    } else if (isClosing(byte)) {
      if (depth === 3 && inList) {
        items.push({ start, end: i + 1 });
        start = i + 1;
      } else if (depth === 2 && inList && list) {
        if (!isGap(bytes, items.length === 0 ? list.start + 1 : start, i, false)) return null;
        list.end = i + 1;
        inList = false;
      }
      depth--;
    }
  }
  return list && !inList && depth === 0 ? { items, list } : null;
}

/** True when the bytes before `at` are the member's name, a colon and space. */
function isValueOf(bytes: Buffer, at: number, key: Buffer): boolean {
  let before = at - 1;
  while (isSpace(bytes[before])) before--;
  if (bytes[before] !== COLON) return false;
  before--;
  while (isSpace(bytes[before])) before--;
  const from = before + 1 - key.length;
  return from >= 0 && bytes.compare(key, 0, key.length, from, before + 1) === 0;
}

/** Between elements: space, and one comma or none. */
function isGap(bytes: Buffer, from: number, to: number, withComma: boolean): boolean {
  let commas = 0;
  for (let i = from; i < to; i++) {
    const byte = bytes[i];
    if (byte === COMMA) commas++;
    else if (!isSpace(byte)) return false;
  }
  return commas === (withComma ? 1 : 0);
}
