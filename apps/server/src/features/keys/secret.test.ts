import { describe, expect, it } from 'vitest';
import { hashOf, hasKeyShape, makeSecret, shownPrefix, withCheck } from './secret.ts';

describe('secrets of keys', () => {
  it('KEY-04: begin with nws_, have 43 random characters and a checksum', () => {
    const made = Array.from({ length: 2_000 }, makeSecret);
    expect(new Set(made).size).toBe(made.length);
    for (const secret of made) {
      expect(secret).toMatch(/^nws_[0-9A-Za-z]{49}$/);
      expect(hasKeyShape(secret)).toBe(true);
      expect(shownPrefix(secret)).toBe(secret.slice(0, 12));
    }
    // The checksum of 32 bits leaves its first character small; every random one takes all values.
    for (let at = 5; at < 47; at += 1) expect(new Set(made.map((secret) => secret[at])).size, `position ${at}`).toBeGreaterThan(55);
  });

  it('the checksum of a text never changes: keys that were handed out stay keys', () => {
    const bodies = ['0'.repeat(43), 'z'.repeat(43), '4fJ0a9Qw3ExRt7Zy1UvB5nM8kLpC2sDgH6jTbVcXqWe'];
    expect(bodies.map((body) => withCheck(`nws_${body}`).slice(47))).toEqual(['2sGpC7', '4evpb0', '3m480L']);
  });

  it('one changed, missing or added character is seen without a look-up', () => {
    const secret = makeSecret();
    let unseen = 0;
    for (let at = 0; at < secret.length; at += 1) {
      const other = secret[at] === 'a' ? 'b' : 'a';
      if (hasKeyShape(secret.slice(0, at) + other + secret.slice(at + 1))) unseen += 1;
    }
    expect(unseen).toBe(0);
    for (const text of ['', 'nws_', secret.slice(1), secret.slice(0, -1), `${secret}a`, `${secret}\n`, secret.toLowerCase(), ` ${secret}`])
      expect(hasKeyShape(text), JSON.stringify(text)).toBe(false);
  });

  it('F6: what is kept tells nothing of the secret', () => {
    const secret = makeSecret();
    expect(hashOf(secret)).toMatch(/^[\w-]{43}$/);
    expect(hashOf(secret)).not.toContain(secret.slice(4, 12));
  });
});
