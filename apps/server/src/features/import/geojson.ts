import { RefusedFile } from './refused-file.ts';

/** Text of one feature. */
export interface FeatureText {
  /** Place in the file, from 1. */
  n: number;
  /** Line on which it begins, from 1; many archives are one line. */
  line: number;
  /** Null = longer than any real one. */
  text: string | null;
}

/** National products stay below one megabyte. */
const MAX_FEATURE_CHARS = 8 * 1024 * 1024;

const [QUOTE, BACKSLASH, NEWLINE] = [0x22, 0x5c, 0x0a];
const [CURLY, CURLY_END, SQUARE, SQUARE_END] = [0x7b, 0x7d, 0x5b, 0x5d];

/**
 * Features of a GeoJSON FeatureCollection that comes in pieces, and of files with one Feature after the other (RFC 8142). Only the feature at
 * hand is in memory: the text is followed by its brackets and strings, and each feature is handed out unparsed.
 * @throws RefusedFile when the text ends within something
 */
export async function* featureTexts(chunks: AsyncIterable<string>): AsyncGenerator<FeatureText> {
  const scan = createScan();
  for await (const chunk of chunks) yield* scan.feed(chunk);
  scan.end();
}

function createScan() {
  let depth = 0;
  let line = 1;
  let n = 0;
  let inString = false;
  let escaped = false;
  /** Text of the last string at depth 1: the name of a member of the collection. */
  let name = '';
  let collecting = false;
  /** Depth within the array `features`; 0 while outside of it. */
  let listDepth = 0;
  let start: { line: number } | null = null;
  let kept: string[] = [];
  let keptLength = 0;

  const keep = (text: string) => {
    keptLength += text.length;
    if (keptLength <= MAX_FEATURE_CHARS) kept.push(text);
    else kept = [];
  };
  const take = (): FeatureText => {
    const text = keptLength > MAX_FEATURE_CHARS ? null : kept.join('');
    const feature = { n: (n += 1), line: start?.line ?? line, text };
    start = null;
    kept = [];
    keptLength = 0;
    return feature;
  };

  return {
    *feed(chunk: string): Generator<FeatureText> {
      let from = 0;
      for (let at = 0; at < chunk.length; at += 1) {
        const code = chunk.charCodeAt(at);
        if (code === NEWLINE) line += 1;
        if (inString) {
          if (escaped) escaped = false;
          else if (code === BACKSLASH) escaped = true;
          else if (code === QUOTE) inString = false;
          else if (collecting && name.length < 20) name += chunk[at];
          continue;
        }
        if (code === QUOTE) {
          inString = true;
          collecting = depth === 1 && listDepth === 0;
          if (collecting) name = '';
        } else if (code === CURLY || code === SQUARE) {
          depth += 1;
          const isList = code === SQUARE && ((depth === 2 && name === 'features') || depth === 1);
          if (isList && listDepth === 0) listDepth = depth;
          else if (code === CURLY && start === null && (depth === listDepth + 1 || (depth === 1 && listDepth === 0))) {
            start = { line };
            from = at;
          }
          // What was thought to be a feature is the collection itself.
          if (isList && depth === 2 && start) {
            start = null;
            kept = [];
            keptLength = 0;
          }
        } else if (code === CURLY_END || code === SQUARE_END) {
          if (code === CURLY_END && start && (depth === listDepth + 1 || listDepth === 0) && (listDepth > 0 || depth === 1)) {
            keep(chunk.slice(from, at + 1));
            yield take();
          }
          if (code === SQUARE_END && depth === listDepth) listDepth = 0;
          depth -= 1;
        }
      }
      if (start) keep(chunk.slice(from));
    },
    end() {
      if (depth !== 0 || inString) throw new RefusedFile(`The file ends in the middle of line ${line}: it is cut off. Fetch it again.`);
    },
  };
}
