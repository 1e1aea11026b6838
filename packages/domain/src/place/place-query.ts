import { foldPlaceName } from './fold-name.ts';
import { FOLDED_STATES } from './us-states.ts';

/** Says of a place's state (two letters or name) and country whether somebody meant it. */
export type Narrowing = (usState: string | null, region: string | null, countryCode: string) => boolean;

export interface PlaceQuery {
  /** Folded. */
  name: string;
  /** Null: anywhere. */
  narrows: Narrowing | null;
}

/** What people write for countries besides their names. */
const COUNTRY_WORDS: Readonly<Record<string, string>> = { uk: 'GB', britain: 'GB', england: 'GB', usa: 'US', america: 'US', us: 'US' };

/**
 * Readings of what somebody typed, the likelier first. `City, ST` and `City, Country` narrow by what follows the last comma, which may be
 * unfinished; without a comma the last words do if they are a whole state: `raleigh nc`, `portland north carolina`.
 * @param countryName folded name of a country by its two letters
 */
export function readPlaceQuery(text: string, countryName: (code: string) => string): PlaceQuery[] {
  const comma = text.lastIndexOf(',');
  if (comma >= 0) {
    const name = foldPlaceName(text.slice(0, comma));
    const where = foldPlaceName(text.slice(comma + 1));
    if (name === '' || where === '') return [{ name: name || where, narrows: null }];
    return [
      { name, narrows: narrowingTo(where, countryName) },
      { name: foldPlaceName(text), narrows: null },
    ];
  }
  const whole = foldPlaceName(text);
  const words = whole.split(' ');
  const readings: PlaceQuery[] = [{ name: whole, narrows: null }];
  for (const count of [1, 2, 3]) {
    const tail = words.slice(-count).join(' ');
    if (words.length <= count) break;
    for (const [letters, name] of FOLDED_STATES) {
      if (tail === name || tail === letters.toLowerCase()) {
        readings.push({ name: words.slice(0, -count).join(' '), narrows: (usState) => usState === letters });
      }
    }
  }
  return readings;
}

function narrowingTo(where: string, countryName: (code: string) => string): Narrowing {
  const states = new Set<string>();
  for (const [letters, name] of FOLDED_STATES) if (where === letters.toLowerCase() || name.startsWith(where)) states.add(letters);
  const country = COUNTRY_WORDS[where] ?? (where.length === 2 ? where.toUpperCase() : null);
  return (usState, region, countryCode) =>
    (usState !== null && states.has(usState)) ||
    countryCode === country ||
    (where.length > 2 && (countryName(countryCode).startsWith(where) || (region !== null && foldPlaceName(region).startsWith(where))));
}
