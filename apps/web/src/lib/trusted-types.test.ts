import { expect, test } from 'vitest';
import { guardSinks, isOwnScript } from './trusted-types.ts';

const location = { href: 'https://nwms.example/map', origin: 'https://nwms.example' };

test.each([
  ['/assets/worker.js', true],
  ['https://nwms.example/assets/worker.js?v=2', true],
  ['https://evil.example/worker.js', false],
  ['//evil.example/worker.js', false],
  ['/\\evil.example/worker.js', false],
  ['data:text/javascript,alert(1)', false],
  ['blob:https://nwms.example/1b2c', false],
  ['javascript:alert(1)', false],
  ['https://nwms.example@evil.example/worker.js', false],
  ['http://nwms.example/worker.js', false],
  ['https://', false],
])('E4: the script address %s is our own: %s', (url, own) => expect(isOwnScript(url, location)).toBe(own));

test('E4: the one policy turns no text into markup or script', () => {
  const made: [string, object][] = [];
  guardSinks({ trustedTypes: { createPolicy: (name: string, rules: object) => made.push([name, rules]) }, location } as unknown as Window);
  expect(made.map(([name, rules]) => [name, Object.keys(rules)])).toEqual([['default', ['createScriptURL']]]);
});

test('a browser without Trusted Types is left alone', () => {
  expect(() => guardSinks({ location } as unknown as Window)).not.toThrow();
});
