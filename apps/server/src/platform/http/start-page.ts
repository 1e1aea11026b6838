import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** Stands in the built start page wherever the address of the site belongs; apps/web/scripts/start-document.ts puts it there. */
const PLACEHOLDER = 'https://origin.invalid';
/** Screens that are worth finding; the rest is behind the sign-in. */
const PUBLIC_PATHS = ['/', '/docs'];

/** Tags that name the page by its public address: relative, they would say nothing or the wrong thing. */
const NAMES_OF_THE_PAGE = new RegExp(`<(?:link rel="canonical" href|meta property="og:url" content)="${PLACEHOLDER}[^>]*>\\s*`, 'g');

/** The document of `/` with absolute addresses of this site; where its public address is not known, without the names of the page. */
export function startPage(built: string, publicUrl: string | null): string {
  if (publicUrl !== null) return built.replaceAll(PLACEHOLDER, publicUrl);
  return built.replaceAll(NAMES_OF_THE_PAGE, '').replaceAll(PLACEHOLDER, '');
}

/** Where the page is made in the built documents. */
const PLACE = '<div id="root"';

/** The document of the other screens, saying that this weather is an exercise: said only with the first answer, it would move the page. */
export const ofSimulatedWeather = (built: string): string => built.replace(PLACE, `${PLACE} data-simulated`);

/** Null without a public address: the format has no relative ones. */
export function siteMap(publicUrl: string | null): string | null {
  if (publicUrl === null) return null;
  const urls = PUBLIC_PATHS.map((path) => `<url><loc>${escapeXml(publicUrl + path)}</loc></url>`).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls}</urlset>\n`;
}

export const robots = (built: string, publicUrl: string | null): string =>
  publicUrl === null ? built : `${built.trimEnd()}\nSitemap: ${publicUrl}/sitemap.xml\n`;

/** A text made at the start, encoded once like the files of the build. */
export const encodings = (body: Buffer): Record<'br' | 'gzip' | 'identity', Buffer> => ({
  br: brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  gzip: gzipSync(body),
  identity: body,
});

const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
