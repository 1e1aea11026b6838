import type { AlertsThere } from './place-queries.ts';

export interface ThereWords {
  words: string;
  tone: 'normal' | 'quiet' | 'warn' | 'bad';
}

const CURRENT = new Set<AlertsThere['status']>(['live', 'simulated']);

/**
 * One sentence about the alerts of a place. "No alerts" only where the answer is fresh, empty, of a place that the weather service covers,
 * and no active alert is left whose area is not known; in every other case that it cannot be told.
 * @param pageLevel how far this page's own data can be relied on
 */
export function thereWords(
  answer: AlertsThere | undefined,
  { failed, pageLevel, area }: { failed: boolean; pageLevel: 'fresh' | 'stale' | 'unknown'; area: boolean },
): ThereWords {
  if (!answer && !failed) return { words: 'Looking for alerts there …', tone: 'quiet' };
  const sure = answer !== undefined && !failed && CURRENT.has(answer.status) && pageLevel === 'fresh';
  const where = area ? 'in or around it' : 'here';
  if (answer && answer.total > 0) {
    const count = `${answer.total.toLocaleString('en-US')} active ${answer.total === 1 ? 'alert' : 'alerts'} ${where}`;
    return sure ? { words: `${count}.`, tone: 'normal' } : { words: `${count} when last heard: the data is not current.`, tone: 'warn' };
  }
  if (!sure) return { words: 'We cannot tell right now whether there are alerts here.', tone: 'bad' };
  if (answer.outside) return { words: 'Outside of the area of the National Weather Service: nothing can be told for it.', tone: 'warn' };
  if (answer.unplaced)
    return { words: `No alert with a known area is ${where}, but the areas of some are not known: they may be.`, tone: 'warn' };
  return { words: `No alerts ${where}.`, tone: 'normal' };
}
