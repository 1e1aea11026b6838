/** Whether `text` from `start` begins with `query` when one letter of it is wrong, missing, too many, or swapped with the next. */
export function beginsWithOneEdit(text: string, start: number, query: string): boolean {
  let at = 0;
  while (at < query.length && text.charCodeAt(start + at) === query.charCodeAt(at)) at += 1;
  if (at === query.length) return true;
  const here = start + at;
  const rest = query.slice(at + 1);
  return (
    text.startsWith(rest, here + 1) ||
    text.startsWith(rest, here) ||
    text.startsWith(query.slice(at), here + 1) ||
    (rest !== '' && text[here] === rest[0] && text[here + 1] === query[at] && text.startsWith(rest.slice(1), here + 2))
  );
}
