const MAX_LENGTH = 80;
/** First match wins: browsers name those they descend from, too. */
const BROWSERS: readonly [string, string][] = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
];
const SYSTEMS: readonly [string, string][] = [
  ['Android', 'Android'],
  ['iPhone', 'iOS'],
  ['iPad', 'iPadOS'],
  ['Windows', 'Windows'],
  ['CrOS', 'ChromeOS'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
];

/** What a person recognizes a sign-in by: "Firefox on Linux", else the program's own name. */
export function deviceOf(userAgent: string | undefined): string {
  const text = userAgent?.trim() ?? '';
  if (text === '') return 'Unknown device';
  const browser = BROWSERS.find(([sign]) => text.includes(sign))?.[1];
  const system = SYSTEMS.find(([sign]) => text.includes(sign))?.[1];
  if (browser) return system ? `${browser} on ${system}` : browser;
  return (text.split(/[\s/]/)[0] ?? text).slice(0, MAX_LENGTH);
}
