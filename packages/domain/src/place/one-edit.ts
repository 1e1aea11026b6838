/** Whether a text begins with `query` when one letter of it is wrong, missing, too many, or swapped with the next. */
export function beginsWithOneEdit(text: string, query: string): boolean {
  let at = 0;
  while (at < query.length && text.charCodeAt(at) === query.charCodeAt(at)) at += 1;
  if (at === query.length) return true;
  const rest = query.slice(at + 1);
  return (
    text.startsWith(rest, at + 1) ||
    text.startsWith(rest, at) ||
    text.startsWith(query.slice(at), at + 1) ||
    (rest !== '' && text[at] === rest[0] && text[at + 1] === query[at] && text.startsWith(rest.slice(1), at + 2))
  );
}

/**
 * The same for many texts that are kept by how they begin: what of `query` must follow, and where, in a text that begins with `prefix` (two
 * letters at least). Null = none of them can; most are found out without looking at a single text.
 */
export function editTest(prefix: string, query: string): ((text: string) => boolean) | null {
  const [a, b, c] = query;
  const [first, second] = prefix;
  if (first === a && second === b) return (text) => beginsWithOneEdit(text, query);
  const tails: [at: number, tail: string][] = [];
  const mayFollow = (at: number, tail: string) => {
    if (tail.startsWith(prefix.slice(at))) tails.push([at, tail]);
  };
  if (first === a) {
    // The second letter is wrong, one is missing before it, it is too many, or swapped with the third.
    mayFollow(2, query.slice(2));
    mayFollow(2, query.slice(1));
    if (second === c) mayFollow(1, query.slice(2));
    if (second === c) mayFollow(2, b + query.slice(3));
  }
  // The same of the first letter.
  if (second === b) mayFollow(1, query.slice(1));
  if (second === a) mayFollow(1, query);
  if (first === b && second === c) mayFollow(0, query.slice(1));
  if (first === b && second === a) mayFollow(2, query.slice(2));
  return tails.length === 0 ? null : (text) => tails.some(([at, tail]) => text.startsWith(tail, at));
}
