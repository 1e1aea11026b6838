/** The part of the Trusted Types API that is used; TypeScript's library does not know it yet. */
interface TrustedTypes {
  createPolicy(name: 'default', rules: { createScriptURL: (url: string) => string | null }): unknown;
}

/**
 * What a string may become where the browser would run it, under `require-trusted-types-for 'script'`: a worker's address, of our own
 * origin only. Text never becomes markup or script here; a library that tries is refused by the browser and reported. Once per document.
 */
export function guardSinks(win: Window): void {
  const types = (win as { trustedTypes?: TrustedTypes }).trustedTypes;
  types?.createPolicy('default', { createScriptURL: (url) => (isOwnScript(url, win.location) ? url : null) });
}

/** A file over our own origin; never `data:`, `blob:` or another host. */
export function isOwnScript(url: string, location: Pick<Location, 'href' | 'origin'>): boolean {
  if (!URL.canParse(url, location.href)) return false;
  const { protocol, origin } = new URL(url, location.href);
  return /^https?:$/.test(protocol) && origin === location.origin;
}
