import { expect, test } from 'vitest';
import { keepWayBack, takeWayBack } from './way-back.ts';

function memory() {
  const kept = new Map<string, string>();
  return () => ({
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  });
}

test('AUTH-08: the way back outlives one loading of the sign-in page, and no more', () => {
  const storage = memory();
  keepWayBack(storage, '/my-dashboard');
  expect(takeWayBack(storage)).toBe('/my-dashboard');
  expect(takeWayBack(storage)).toBeUndefined();
  keepWayBack(storage, '/map');
  keepWayBack(storage, undefined);
  expect(takeWayBack(storage)).toBeUndefined();
});

test('a browser that forbids storage loses the way back and nothing else', () => {
  const forbidden = () => {
    throw new Error('forbidden');
  };
  keepWayBack(forbidden, '/map');
  expect(takeWayBack(forbidden)).toBeUndefined();
});
