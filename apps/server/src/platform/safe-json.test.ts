import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSafeJson } from './safe-json.ts';

const nested = (depth: number, inner = '1') => '['.repeat(depth) + inner + ']'.repeat(depth);

describe('parseSafeJson', () => {
  it('reads every JSON value exactly as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const text = JSON.stringify(value);
        fc.pre(!/__proto__|constructor/.test(text));
        const plain: unknown = JSON.parse(text);
        expect(parseSafeJson(text)).toEqual({ ok: true, value: plain, prunedParts: 0 });
        expect(parseSafeJson(Buffer.from(text))).toEqual({ ok: true, value: plain, prunedParts: 0 });
      }),
    );
  });

  it('D4: accepts depth 32 and refuses 33, in arrays, objects and a mix', () => {
    expect(parseSafeJson(nested(32)).ok).toBe(true);
    expect(parseSafeJson(nested(33))).toMatchObject({ ok: false, reason: 'too_deep' });
    expect(parseSafeJson(`${'{"a":['.repeat(17)}1${']}'.repeat(17)}`)).toMatchObject({ ok: false, reason: 'too_deep' });
  });

  it('D4: a mebibyte of brackets neither throws nor takes long', () => {
    const startedAt = performance.now();
    for (const deep of ['refuse', 'prune'] as const) {
      expect(parseSafeJson('['.repeat(1_048_576), { deep }).ok).toBe(false);
      expect(parseSafeJson(`{"a":${nested(400_000)}}`, { deep }).ok).toBe(deep === 'prune');
    }
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });

  it('brackets inside strings are text, whatever the escapes around them', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('[', '{', '"', '\\', '\\"', ']', 'é', '\u2028', '🌪')), (parts) => {
        const value = { a: parts.join(''), [parts.join('')]: '['.repeat(40) };
        expect(parseSafeJson(JSON.stringify(value))).toEqual({ ok: true, value, prunedParts: 0 });
      }),
    );
  });

  it('A6: with prune only the too deep parts become null', () => {
    const parsed = parseSafeJson(`{"good":["é",1],"bad":${nested(40)},"worse":{"x":${nested(50)},"y":2}}`, { deep: 'prune', maxDepth: 3 });
    expect(parsed).toEqual({ ok: true, value: { good: ['é', 1], bad: [[null]], worse: { x: [null], y: 2 } }, prunedParts: 2 });
  });

  it('E1: poisoned members are refused or removed at every depth and never reach a prototype', () => {
    const key = fc.constantFrom('"__proto__"', '"\\u005f_proto__"', '"constructor"');
    fc.assert(
      fc.property(key, fc.integer({ min: 0, max: 20 }), (name, depth) => {
        const text = `${'{"a":'.repeat(depth)}{${name}:{"prototype":{"polluted":1},"polluted":1}}${'}'.repeat(depth)}`;
        expect(parseSafeJson(text)).toMatchObject({ ok: false, reason: 'poisoned' });
        const cleaned = parseSafeJson(text, { poison: 'remove' });
        expect(JSON.stringify(cleaned)).not.toContain('polluted');
        expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
      }),
    );
  });

  it('says bad_json for every proper prefix of a document', () => {
    const text = '{"a":[1,"x\\"y",{"b":null}]}';
    for (let length = 0; length < text.length; length++)
      expect(parseSafeJson(text.slice(0, length))).toMatchObject({ ok: false, reason: 'bad_json' });
  });
});
