import { expect, test } from 'vitest';
import { type CollectedError, createErrorCollector } from './error-collector.ts';

function collector(send: (errors: CollectedError[]) => Promise<unknown> = async () => {}) {
  const sent: CollectedError[][] = [];
  const timers: { ms: number; run: () => void }[] = [];
  const errors = createErrorCollector({
    now: () => Date.parse('2026-05-01T12:00:00Z'),
    page: () => '/weather-alerts',
    after: (ms, run) => void timers.push({ ms, run }),
    send: (given) => {
      sent.push(given);
      return send(given);
    },
  });
  const later = () => timers.splice(0).map(({ ms, run }) => (run(), ms));
  return { errors, sent, later };
}

test('BOOT-03: the last ten errors are kept, the newest last', () => {
  const { errors } = collector();
  for (let n = 1; n <= 14; n += 1) errors.note('script', new Error(`number ${n}`));
  expect(errors.last().map(({ message }) => message)).toEqual(Array.from({ length: 10 }, (_, n) => `Error: number ${n + 5}`));
});

test('BOOT-04: errors are reported together and without what must not leave the page', () => {
  const { errors, sent, later } = collector();
  errors.note('unhandled_rejection', new Error('no answer for ada@example.test'));
  errors.note('boundary', 'broken');
  expect(sent).toEqual([]);
  later();
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject([
    {
      kind: 'unhandled_rejection',
      message: 'Error: no answer for (e-mail)',
      page: '/weather-alerts',
      at: '2026-05-01T12:00:00.000Z',
      count: 1,
    },
    { kind: 'boundary', message: 'broken', count: 1 },
  ]);
});

test('the same error again is counted, not listed again; what was sent is not sent again', () => {
  const { errors, sent, later } = collector();
  for (let n = 0; n < 50; n += 1) errors.note('script', 'again');
  later();
  errors.note('script', 'again');
  later();
  later();
  expect(errors.last()).toHaveLength(1);
  expect(sent.map((report) => report.map(({ count }) => count))).toEqual([[50], [1]]);
});

test('a page that throws without end sends four reports per minute at most', () => {
  const { errors, later } = collector();
  const waits: number[] = [];
  for (let n = 0; n < 6; n += 1) {
    errors.note('script', `n${n}`);
    errors.note('script', `m${n}`);
    waits.push(...later());
  }
  expect(waits).toEqual([2000, 15_000, 15_000, 15_000, 15_000, 15_000]);
});

test('a report that fails is nobody’s error', async () => {
  const { errors, later } = collector(() => Promise.reject(new Error('down')));
  errors.note('script', 'x');
  later();
  await Promise.resolve();
  expect(errors.last()).toHaveLength(1);
});

test('a call that was called off is no error', () => {
  const { errors } = collector();
  errors.note('unhandled_rejection', new DOMException('gone', 'AbortError'));
  expect(errors.last()).toEqual([]);
});
