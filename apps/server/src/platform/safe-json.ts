import sjson from 'secure-json-parse';
import { endOfString, isClosing, isOpening } from './json-text.ts';

/** No document the product accepts nests deeper; MultiPolygon coordinates inside a FeatureCollection reach 8 (D4). */
export const MAX_JSON_DEPTH = 32;

export type SafeJson =
  | { ok: true; value: unknown; prunedParts: number }
  | { ok: false; reason: 'bad_json' | 'too_deep' | 'poisoned'; detail: string };

export interface SafeJsonOptions {
  maxDepth?: number;
  /** `refuse` the text, or `prune`: put null where it gets too deep, so that one bad feature does not cost the other 499 (A6). */
  deep?: 'refuse' | 'prune';
  /** What to do about `__proto__` and `constructor.prototype` members (E1). */
  poison?: 'refuse' | 'remove';
}

/**
 * Parses JSON from outside: upstream, sockets, stored data. Depth is measured on the text, before parsing, without recursion: deeply nested
 * values parse well and overflow the stack only later, in whatever walks them. Never throws.
 */
export function parseSafeJson(input: Buffer | string, options: SafeJsonOptions = {}): SafeJson {
  const { maxDepth = MAX_JSON_DEPTH, deep = 'refuse', poison = 'refuse' } = options;
  const bytes = typeof input === 'string' ? Buffer.from(input, 'utf8') : input;
  const cuts = tooDeepParts(bytes, maxDepth, deep === 'refuse');
  if (cuts.length > 0 && deep === 'refuse') return { ok: false, reason: 'too_deep', detail: `nested deeper than ${maxDepth}` };
  const text = cuts.length > 0 ? withNulls(bytes, cuts) : typeof input === 'string' ? input : bytes.toString('utf8');
  try {
    const value: unknown = sjson.parse(text, { protoAction: poisonAction(poison), constructorAction: poisonAction(poison) });
    return { ok: true, value, prunedParts: cuts.length };
  } catch (error) {
    const detail = error instanceof Error ? error.message.slice(0, 200) : 'unreadable';
    return { ok: false, reason: detail.includes('forbidden prototype') ? 'poisoned' : 'bad_json', detail };
  }
}

const poisonAction = (poison: 'refuse' | 'remove') => (poison === 'refuse' ? 'error' : 'remove');

interface Part {
  start: number;
  end: number;
}

const QUOTE = 0x22;

/** Byte ranges of the outermost values below `maxDepth`. Strings are skipped by native search, so prose costs next to nothing. */
function tooDeepParts(bytes: Buffer, maxDepth: number, firstOnly: boolean): Part[] {
  const parts: Part[] = [];
  let depth = 0;
  let start = -1;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number;
    if (byte === QUOTE) {
      i = endOfString(bytes, i);
    } else if (isOpening(byte)) {
      depth++;
      if (depth === maxDepth + 1) {
        if (firstOnly) return [{ start: i, end: i + 1 }];
        start = i;
      }
    } else if (isClosing(byte)) {
      if (depth === maxDepth + 1 && start >= 0) {
        parts.push({ start, end: i + 1 });
        start = -1;
      }
      depth--;
    }
  }
  return parts;
}

function withNulls(bytes: Buffer, cuts: Part[]): string {
  const pieces: string[] = [];
  let from = 0;
  for (const cut of cuts) {
    pieces.push(bytes.toString('utf8', from, cut.start), 'null');
    from = cut.end;
  }
  pieces.push(bytes.toString('utf8', from));
  return pieces.join('');
}
