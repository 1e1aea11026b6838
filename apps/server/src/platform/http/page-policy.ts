/** Where Google's sign-in script may run, and nowhere else. */
const SIGN_IN_PAGE = '/login';
const GOOGLE = 'https://accounts.google.com/gsi/';

/** What every document may load. */
const OWN_ORIGIN = {
  defaultSrc: ["'self'"],
  scriptSrc: ["'self'"],
  // Style attributes are set by the map and by positioned popups; scripts have no such exception.
  styleSrc: ["'self'", "'unsafe-inline'"],
  imgSrc: ["'self'", 'data:', 'blob:'],
  fontSrc: ["'self'"],
  connectSrc: ["'self'"],
  workerSrc: ["'self'", 'blob:'],
  objectSrc: ["'none'"],
  baseUri: ["'none'"],
  formAction: ["'self'"],
  frameAncestors: ["'none'"],
};

/**
 * Content-Security-Policy of every answer but the sign-in page's. Text that reaches a place where the browser would run it is refused there
 * (Trusted Types); the pages' one policy lets a worker load from our own origin. Google's script could not work under that rule.
 * `imageOrigins`: where pictures may come from besides this server.
 */
export const pagePolicy = (imageOrigins: readonly string[]) => ({
  ...OWN_ORIGIN,
  // The map fetches its street tiles, which is a connection to the browser, and may draw them as pictures.
  imgSrc: [...OWN_ORIGIN.imgSrc, ...imageOrigins],
  connectSrc: [...OWN_ORIGIN.connectSrc, ...imageOrigins],
  requireTrustedTypesFor: ["'script'"],
  trustedTypes: ['default'],
});

const SIGN_IN_POLICY = policyText({
  ...OWN_ORIGIN,
  scriptSrc: ["'self'", `${GOOGLE}client`],
  styleSrc: [...OWN_ORIGIN.styleSrc, `${GOOGLE}style`],
  connectSrc: ["'self'", GOOGLE],
  frameSrc: [GOOGLE],
});

/**
 * Headers by which the document of one page differs from all others: the sign-in may run Google's script, show its button's frame and
 * hear from the popup it opens.
 */
export function headersOfPage(path: string): Record<string, string> {
  if (path !== SIGN_IN_PAGE) return {};
  return { 'Content-Security-Policy': SIGN_IN_POLICY, 'Cross-Origin-Opener-Policy': 'same-origin-allow-popups' };
}

function policyText(directives: Readonly<Record<string, readonly string[]>>): string {
  return Object.entries(directives)
    .map(([name, sources]) => `${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} ${sources.join(' ')}`)
    .join(';');
}
