import { reflowText } from '../reflow-text.ts';

export interface TextSection {
  /** As the issuer wrote it, in sentence case: "What", "Additional details". Null: plain text. */
  heading: string | null;
  body: string;
}

/** "* WHAT...Heavy snow", "HAZARD...60 mph wind gusts": capitals and three dots begin a section. */
const HEADED = /^\*?[ \t]*(WHAT|WHERE|WHEN|IMPACTS?|HAZARD|SOURCE|LOCATIONS IMPACTED|ADDITIONAL (?:DETAILS|INFORMATION))\.\.\.[ \t]*/;

/** An official text in the sections it has itself. Nothing is left out or put in another order; only line breaks inside paragraphs go. */
export function textSections(text: string): TextSection[] {
  return text
    .replaceAll('\r', '')
    .split(/\n[ \t]*\n+/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => {
      const trimmed = paragraph.replace(/^\n+/, '').trimEnd();
      const name = HEADED.exec(trimmed)?.[1];
      if (name === undefined) return { heading: null, body: reflowText(trimmed) };
      const body = reflowText(trimmed.replace(HEADED, ''));
      return { heading: name.charAt(0) + name.slice(1).toLowerCase(), body };
    });
}
