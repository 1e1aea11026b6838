/**
 * The address of an alert at the weather service, or null. Its host is parsed, never searched for in the text: https and the host
 * weather.gov or one below it, without a user name or a port of its own.
 */
export function sourceLink(address: string | null | undefined): string | null {
  if (!address || !URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.protocol !== 'https:' || url.username !== '' || url.password !== '' || url.port !== '') return null;
  return url.hostname === 'weather.gov' || url.hostname.endsWith('.weather.gov') ? url.href : null;
}
