export interface TextParts {
  what: string | null;
  where: string | null;
  when: string | null;
  impacts: string | null;
  additional: string | null;
}

const HEADINGS: readonly [string, keyof TextParts][] = [
  ['WHAT', 'what'],
  ['WHERE', 'where'],
  ['WHEN', 'when'],
  ['IMPACTS', 'impacts'],
  ['IMPACT', 'impacts'],
  ['HAZARD', 'what'],
  ['LOCATIONS IMPACTED', 'where'],
  ['ADDITIONAL DETAILS', 'additional'],
  ['ADDITIONAL INFORMATION', 'additional'],
  ['SOURCE', 'additional'],
];

/** Longest text looked at; NWS descriptions stay far below. */
const MAX_LENGTH = 50_000;

/**
 * Parts of an NWS bulleted text ("* WHAT...", "HAZARD...", "Locations impacted include..."), null when it has none. Lines inside a
 * paragraph are joined with blanks. Some offices continue the bullets in the instruction, so both texts are read. The words stay the
 * issuer's.
 */
export function textParts(description: string | null, instruction: string | null): TextParts | null {
  const parts: TextParts = { what: null, where: null, when: null, impacts: null, additional: null };
  let found = false;
  const texts = [description, instruction].map((text) => (text ?? '').slice(0, MAX_LENGTH));
  for (const paragraph of texts.flatMap((text) => text.split('\n\n'))) {
    const text = joinLines(paragraph);
    const part = headed(text);
    if (!part) continue;
    found = true;
    const [name, body] = part;
    const before = parts[name];
    parts[name] = before === null ? body : `${before}\n${body}`;
  }
  return found ? parts : null;
}

function joinLines(paragraph: string): string {
  return paragraph
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
}

function headed(text: string): [keyof TextParts, string] | null {
  const start = text.startsWith('*') ? text.slice(1).trimStart() : text;
  const upper = start.slice(0, 40).toUpperCase();
  for (const [heading, name] of HEADINGS) {
    if (!upper.startsWith(`${heading}...`)) continue;
    const body = start.slice(heading.length + 3).trim();
    return body === '' ? null : [name, body];
  }
  if (upper.startsWith('LOCATIONS IMPACTED INCLUDE'))
    return [
      'where',
      start
        .slice(start.indexOf('...') + 1)
        .replace(/^\.+/, '')
        .trim(),
    ];
  return null;
}
