import { LANGUAGES, type Language } from '@nwms/contract/code-examples';

/** What the address says of the reference: a link shows the same place in it. */
export interface ReferenceSearch {
  section?: string | undefined;
  /** Operation that is open. */
  op?: string | undefined;
  lang?: Language | undefined;
  q?: string | undefined;
}

const MOST = 80;
const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' && value.length <= MOST ? value : undefined;

/** Anything else in the address is left out. A search for digits arrives as a number. */
export function readReferenceSearch(search: Readonly<Record<string, unknown>>): ReferenceSearch {
  const q = search['q'];
  return {
    section: text(search['section']),
    op: text(search['op']),
    lang: LANGUAGES.find((one) => one === search['lang']),
    q: text(typeof q === 'number' ? String(q) : q),
  };
}
