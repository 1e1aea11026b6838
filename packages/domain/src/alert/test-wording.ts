/** Wording of messages that exist only to test the chain (trap 31). */
const TEST_ONLY = ['THIS_MESSAGE_IS_FOR_TEST_PURPOSES_ONLY', 'MONITORING MESSAGE ONLY. PLEASE DISREGARD'];

/** Event names that are tests by definition. */
const TEST_EVENTS: ReadonlySet<string> = new Set([
  'test',
  'test message',
  'required weekly test',
  'required monthly test',
  'national periodic test',
  'practice/demo warning',
]);

/** True for messages that are tests whatever their status says. */
export function isTestOnly(identifier: string, event: string, texts: readonly (string | null)[]): boolean {
  if (identifier.includes('KEEPALIVE') || TEST_EVENTS.has(event.toLowerCase())) return true;
  return texts.some((text) => {
    const start = text?.slice(0, 2000).toUpperCase() ?? '';
    return TEST_ONLY.some((wording) => start.includes(wording));
  });
}

const HEADER_LINES = 5;
/** Marks seen in headers of drill messages sent as Actual. */
const HEADER_MARKS = ['THIS IS A TEST', '...TEST...', 'TEST MESSAGE', 'TEST ONLY'];

/**
 * True when a header line of an Actual message says TEST: shown with a mark, push held (A5). A wrapped sentence may begin a line with
 * "test" ("test your smoke alarm"), so in the text only capitals count, or the plain statement.
 */
export function saysTest(headline: string | null, description: string | null): boolean {
  const lines = (description ?? '').slice(0, 2000).split('\n', HEADER_LINES);
  const title = (headline ?? '').trim().toUpperCase();
  if (title === 'TEST' || title.startsWith('TEST ') || title.startsWith('TEST...') || HEADER_MARKS.some((mark) => title.includes(mark)))
    return true;
  return lines.some((line) => {
    const text = line.trim();
    if (text === 'TEST' || text.startsWith('TEST TEST') || text.startsWith('TEST...')) return true;
    return text.toUpperCase().includes('THIS IS A TEST') || HEADER_MARKS.some((mark) => text.includes(mark));
  });
}
