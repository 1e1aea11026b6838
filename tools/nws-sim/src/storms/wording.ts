import type { Draft } from './chain.ts';
import type { Writer } from './write-message.ts';

const EXERCISE = 'EXERCISE: simulated weather, not a real alert.';

/** As upstream writes it; cancelled and replaced ones have a sentence of their own. */
export function headlineOf(writer: Writer, draft: Draft): string | null {
  const { segment, at } = draft;
  const office = `NWS ${segment.office.name}`;
  const { event } = segment.hazard;
  if (segment.civil || segment.test) return null;
  if (segment.action === 'CAN') return `The ${event} has been cancelled.`;
  if (segment.action === 'UPG')
    return `The ${event} has been replaced. Please see the latest information from ${office} on this developing situation.`;
  const spoken = (instant: number): string => writer.times.spoken(writer.toWall(instant), segment.office.timeZone);
  const until = segment.end === null ? '' : ` until ${spoken(segment.end)}`;
  return `${event} issued ${spoken(at)}${until} by ${office}`;
}

/** The capital letters headline of the text product. */
export function nwsHeadline(writer: Writer, draft: Draft): string {
  const { segment } = draft;
  const name = segment.hazard.event.toUpperCase();
  const until =
    segment.end === null
      ? 'UNTIL FURTHER NOTICE'
      : `UNTIL ${writer.times.terse(writer.toWall(segment.end), segment.office.timeZone).toUpperCase()}`;
  switch (segment.action) {
    case 'CAN':
      return `${name} IS CANCELLED`;
    case 'UPG':
      return `${name} IS REPLACED`;
    case 'EXP':
      return `${name} WILL EXPIRE AT ${until.replace('UNTIL ', '')}`;
    case 'CON':
      return `${name} REMAINS IN EFFECT ${until}`;
    case 'EXT':
    case 'EXB':
      return `${name} NOW IN EFFECT ${until}`;
    default:
      return `${name} IN EFFECT ${until}`;
  }
}

/** Full text; always opens by saying that it is an exercise (unless the feed was asked to look real for a test). */
export function describe(writer: Writer, draft: Draft): string {
  const opening = writer.status === 'Exercise' ? `${EXERCISE}\n\n` : 'Simulated weather.\n\n';
  return `${opening}${draft.segment.text ?? bodyOf(writer, draft)}`;
}

function bodyOf(writer: Writer, draft: Draft): string {
  const { segment, at } = draft;
  const { hazard } = segment;
  if (segment.action === 'CAN') return `The ${hazard.event} has been cancelled and is no longer in effect.`;
  if (segment.action === 'UPG')
    return `The ${hazard.event} has been replaced. Please see the latest information from NWS ${segment.office.name}.`;
  const terse = (instant: number): string => writer.times.terse(writer.toWall(instant), segment.office.timeZone);
  // A statement without an end says how long it holds.
  const end = segment.end ?? (segment.action === null ? segment.expires : null);
  const when =
    end === null ? 'Until further notice.' : segment.begin > at ? `From ${terse(segment.begin)} to ${terse(end)}.` : `Until ${terse(end)}.`;
  const where = wrap(`* WHERE...${segment.areas.map((area) => area.label).join(', ')}.`);
  return [`* WHAT...${stormWords(segment.tags) ?? hazard.what}`, where, `* WHEN...${when}`, `* IMPACTS...${hazard.impacts}`].join('\n\n');
}

function stormWords(tags: Record<string, string[]> | undefined): string | null {
  const gust = tags?.['maxWindGust']?.[0];
  const hail = tags?.['maxHailSize']?.[0];
  const tornado = tags?.['tornadoDetection']?.[0];
  if (!gust && !hail && !tornado) return null;
  return [
    tornado ? `Tornado ${tornado.toLowerCase()}.` : '',
    gust ? `Gusts to ${gust.toLowerCase()}.` : '',
    hail ? `Hail to ${hail} inches.` : '',
  ]
    .filter(Boolean)
    .join(' ');
}

/** NWS products are at most 69 columns wide. */
function wrap(text: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line && line.length + 1 + word.length > 69) {
      lines.push(line);
      line = word;
    } else line = line ? `${line} ${word}` : word;
  }
  return [...lines, line].join('\n');
}
