import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ListItem, parseListJson } from './json-list.ts';
import { parseSafeJson } from './safe-json.ts';

const TOLERANT = { deep: 'prune', poison: 'remove' } as const;
const NOTHING_KNOWN = { member: 'features', isKnown: () => false };
const valuesOf = (answer: ReturnType<typeof parseListJson>): unknown => {
  if (!answer.ok) return { reason: answer.reason };
  const { features, ...rest } = answer.value as { features: unknown };
  return { ...rest, features: Array.isArray(features) ? features.map((each) => (each instanceof ListItem ? each.value : each)) : features };
};
const plainly = (text: Buffer): unknown => {
  const answer = parseSafeJson(text, TOLERANT);
  return answer.ok ? answer.value : { reason: answer.reason };
};

describe('a list of which most is known', () => {
  const element = fc.oneof(fc.json({ maxDepth: 4 }), fc.constant('{"a":"\\\\"}'), fc.constant('{"a":"}\\"]{[é"}'), fc.constant('[[{}]]'));
  const space = fc.constantFrom('', ' ', '\n  ', '\t\r\n');
  const body = fc
    .tuple(
      fc.array(element, { maxLength: 6 }),
      space,
      fc.constantFrom('', '"x":{"features":[1]},', '"f":"\\"features\\":[",', '"features":[{}],'),
    )
    .map(
      ([elements, gap, before]) => `{${gap}${before}"features"${gap}:${gap}[${gap}${elements.join(`${gap},${gap}`)}${gap}],"b":{"c":[2]}}`,
    );

  it('reads what a whole parse reads, whatever the text', () => {
    fc.assert(
      fc.property(body, (text) => {
        expect(valuesOf(parseListJson(Buffer.from(text), TOLERANT, NOTHING_KNOWN))).toEqual(plainly(Buffer.from(text)));
      }),
    );
  });

  it('refuses what a whole parse refuses: any cut, and any byte replaced', () => {
    const spoilt = fc.tuple(
      body,
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.constantFrom('', '{', '}', '[', ']', '"', ',', ':', '\\', '0'),
    );
    fc.assert(
      fc.property(spoilt, fc.boolean(), ([text, share, byte], isCut) => {
        const at = Math.floor(share * text.length);
        const broken = Buffer.from(isCut ? text.slice(0, at) : `${text.slice(0, at)}${byte}${text.slice(at + 1)}`);
        const whole = plainly(broken);
        if (typeof whole !== 'object' || whole === null || Array.isArray(whole)) return;
        expect(valuesOf(parseListJson(broken, TOLERANT, NOTHING_KNOWN))).toEqual(
          'reason' in whole || 'features' in whole ? whole : { ...whole, features: undefined },
        );
      }),
      { numRuns: 2_000 },
    );
  });

  it('does not parse what it knows, and notices one changed letter under the same id', () => {
    const text = (headline: string) => Buffer.from(`{"features":[{"id":"a","headline":"${headline}"},{"id":"b"}]}`);
    const known = new Set<string>();
    const read = (bytes: Buffer) => {
      const answer = parseListJson(bytes, TOLERANT, { member: 'features', isKnown: (digest) => known.has(digest) });
      if (!answer.ok) throw new Error(answer.reason);
      const items = (answer.value as { features: ListItem[] }).features;
      for (const { digest } of items) known.add(digest);
      return items.map(({ value }) => value);
    };
    expect(read(text('Flood'))).toEqual([{ id: 'a', headline: 'Flood' }, { id: 'b' }]);
    expect(read(text('Flood'))).toEqual([undefined, undefined]);
    expect(read(text('Floot'))).toEqual([{ id: 'a', headline: 'Floot' }, undefined]);
  });

  it('has one digest for one text, another for any other: a letter, an element more, an order, a member beside the list', () => {
    const digestOf = (text: string) => parseListJson(Buffer.from(text), TOLERANT, NOTHING_KNOWN).digest;
    const [a, b] = ['{"id":"a"}', '{"id":"b"}'];
    const texts = [[a], [b], [a, b], [b, a], [a, b, b], []].map((items) => `{"features":[${items.join()}],"updated":1}`);
    texts.push(`{"features":[${a}],"updated":2}`, `{"features":[${a}]}`, `{"features":["${a.replaceAll('"', '')}"],"updated":1}`);
    const digests = texts.map(digestOf);
    expect(digests.slice(0, -1).every((digest) => digest?.length === 43)).toBe(true);
    // Parsed whole, which a text alone in the list is: whoever needs a digest hashes all of it.
    expect(digests.at(-1)).toBeUndefined();
    expect(new Set(digests).size).toBe(texts.length);
    expect(texts.map(digestOf)).toEqual(digests);
  });

  it('keeps the bounds of a whole parse: depth is pruned and poisoned members are removed', () => {
    const deep = Buffer.from(`{"features":[{"a":${'['.repeat(40)}${']'.repeat(40)},"__proto__":{"polluted":1}}]}`);
    expect(valuesOf(parseListJson(deep, TOLERANT, NOTHING_KNOWN))).toEqual(plainly(deep));
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});
