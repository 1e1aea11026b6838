import { expect, test } from 'vitest';
import { idsInTestNames, readChecklist } from '../scripts/spec-tests.ts';

test('ids in names of tests, of groups and in tables count', () => {
  const source = [
    "test('QQ-05: a failed sign-in says so', () => {});",
    'describe(`QN-07 and QN-09`, () => {',
    "  ['QU-02', 'temperature'],",
    '  "it\'s QR-03",',
    "  'a \\' quote, Q48-06',",
  ].join('\n');
  expect([...idsInTestNames(source)]).toEqual(['QQ-05', 'QN-07', 'QN-09', 'QU-02', 'QR-03', 'Q48-06']);
});

test('ids in comments and in code do not count', () => {
  const source = ['/** QQ-01 */', '// QQ-02', ' * QQ-03', "run(QQ-04); // 'QQ-05'", 'const x = 1; // QQ-06'].join('\n');
  expect([...idsInTestNames(source)]).toEqual([]);
});

test('a range counts whole, within one area only', () => {
  expect([...idsInTestNames("test('QQ-08 to QQ-11, QR-02: x'")].sort()).toEqual(['QQ-08', 'QQ-09', 'QQ-10', 'QQ-11', 'QR-02']);
  expect([...idsInTestNames("test('QQ-01 to QR-04: x'")].sort()).toEqual(['QQ-01', 'QR-04']);
});

test('remarks in the list are no rows', () => {
  expect(readChecklist('# a remark QQ-09\nQQ-01 QQ-02\n\nQR-01\n')).toEqual(['QQ-01', 'QQ-02', 'QR-01']);
});
