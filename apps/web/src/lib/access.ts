import { placeAt } from './places.ts';

/** The part of a user that decides where they may go; null: nobody is signed in. */
export type Visitor = { role: string } | null;

/** ROLE-01: admin exactly when the role says `admin`. */
export const isAdmin = (visitor: Visitor): boolean => visitor?.role === 'admin';

/** Where a role starts: AUTH-08. */
export const homeOf = (visitor: NonNullable<Visitor>): '/admin' | '/weather-alerts' => (isAdmin(visitor) ? '/admin' : '/weather-alerts');

export type Passage = 'open' | 'login' | 'home';

/** ROLE-03, ROLE-04: visitors are led to the sign-in, members away from the administrators' screens. Unknown addresses are nobody's. */
export function passageTo(pathname: string, visitor: Visitor): Passage {
  const audience = placeAt(pathname)?.audience ?? 'visitor';
  if (audience === 'visitor') return 'open';
  if (!visitor) return 'login';
  return audience === 'admin' && !isAdmin(visitor) ? 'home' : 'open';
}

/**
 * An address within this site out of something that was remembered, or null (E6, W12). Browsers read `//x`, `/\x` and addresses with
 * tabs or line breaks in them as other sites.
 */
export function samePlace(given: unknown): string | null {
  if (typeof given !== 'string' || given.length > 2000 || !/^\/(?![/\\])/.test(given)) return null;
  // oxlint-disable-next-line no-control-regex -- exactly these are stripped by browsers before they read an address
  if (/[\u0000-\u001F\u007F\\]/.test(given)) return null;
  const base = 'http://same.invalid';
  const url = URL.canParse(given, base) ? new URL(given, base) : null;
  if (url?.origin !== base || url.pathname.startsWith('//')) return null;
  return url.pathname + url.search + url.hash;
}

/** the page they came from if their role may open it, else the role's home. */
export function destinationAfterSignIn(visitor: NonNullable<Visitor>, remembered: unknown): string {
  const place = samePlace(remembered);
  if (!place) return homeOf(visitor);
  const pathname = new URL(place, 'http://same.invalid').pathname;
  const known = placeAt(pathname);
  if (!known || known.audience === 'visitor') return homeOf(visitor);
  return passageTo(pathname, visitor) === 'open' ? place : homeOf(visitor);
}
