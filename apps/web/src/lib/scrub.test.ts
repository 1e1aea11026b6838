import { describe, expect, test } from 'vitest';
import { scrub } from './scrub.ts';

describe('what leaves the page in an error report', () => {
  test.each([
    ['a session token', 'token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1c3IifQ.c2ln rest', 'token (token) rest'],
    ['half of a token', 'eyJhbGciOiJIUzI1NiJ9', '(token)'],
    ['a key', 'key nws_live_AbC123-x_y was', 'key (key) was'],
    ['a header', 'Authorization: Bearer abc.def', 'Authorization: Bearer (token)'],
    ['an address of a person', 'for ada.l+x@mail.example.test failed', 'for (e-mail) failed'],
    ['what was asked for', 'GET https://h.test/map?q=my+street&x=1 failed', 'GET https://h.test/map?(query) failed'],
    ['a place', 'point 35.12345,-97.5 near -97.5123', 'point (number),-97.5 near (number)'],
  ])('%s is taken out', (_what, given, kept) => {
    expect(scrub(given, 500)).toBe(kept);
  });

  test('the place in the code stays', () => {
    const stack = 'TypeError: x is undefined\n    at Row (https://h.test/assets/alerts-BUlPaB53.js:12:3456)';
    expect(scrub(stack, 4000)).toBe(stack);
  });

  test('no text is longer than allowed, and no cut leaves a secret', () => {
    expect(scrub('x'.repeat(9000), 500)).toHaveLength(500);
    const cut = scrub(`${'x'.repeat(490)} nws_abcdefghijklmnop`, 500);
    expect(cut).not.toContain('nws_');
    expect(cut).toHaveLength(496);
  });
});
