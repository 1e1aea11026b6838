import { expect, test } from 'vitest';
import { answerLines } from './answer-lines.ts';

const freshness = { status: 'live', data_as_of: '2026-11-21T14:00:00Z', upstream_age_seconds: 4, simulated: false };
const textOf = (body: Parameters<typeof answerLines>[0]) =>
  answerLines(body)
    .map(({ name, value }) => (name === null ? value : `"${name}": ${value}`))
    .join('\n');

test('the shortened answer shows only values of the answer, and says how much is left out', () => {
  const alert = { event: 'Flood Warning', severity: 'Severe', headline: 'h'.repeat(200), is_active: true, description: 'long', id: 'x' };
  const shown = textOf({ alerts: [alert], total: 31, freshness });
  expect(shown).toContain('"event": "Flood Warning",');
  expect(shown).toContain('"total": 31,');
  expect(shown).toContain('"upstream_age_seconds": 4,');
  expect(shown).not.toContain('description');
  expect(shown).toMatch(/h{63}…/);
});

test('an empty list is shown as empty beside its freshness', () => {
  expect(textOf({ alerts: [], total: 0, freshness })).toContain('"alerts": [],');
});
