/** Widest text of a place line, in characters. */
const MAX_LENGTH = 80;

/** First places of an `areaDesc` ("King, WA; Pierce, WA; ...") in at most 80 characters: "King, WA; Pierce, WA +3 more". */
export function shortLocation(areaDesc: string): string {
  const places = areaDesc
    .slice(0, 20_000)
    .split(';')
    .map((place) => place.trim())
    .filter((place) => place !== '');
  for (let shown = places.length; shown > 0; shown--) {
    const more = places.length - shown;
    const text = places.slice(0, shown).join('; ') + (more > 0 ? ` +${more} more` : '');
    if (text.length <= MAX_LENGTH) return text;
  }
  const [first = ''] = places;
  const tail = places.length > 1 ? ` +${places.length - 1} more` : '';
  return first === ''
    ? ''
    : `${first
        .slice(0, MAX_LENGTH - tail.length - 1)
        .trimEnd()
        .toWellFormed()}…${tail}`;
}
