import { saveFile } from '../../lib/csv.ts';
import type { LegendEntry } from './chart-legend.ts';
import type { Look } from './look.ts';

const PAD = 24;
const TITLE = 32;
const LINE = 20;
/** Of a colour in the legend, with the room behind it. */
const SWATCH = 18;
const BETWEEN = 20;
/** A ring is small; words need more room. */
const LEAST_WIDTH = 480;
const SCALE = 2;

/** Lines of a text that are no wider than this; a word that is stands alone. */
export function linesOf(text: string, width: number, widthOf: (text: string) => number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ').filter(Boolean)) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && widthOf(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** Where entries of these widths stand, one behind the other, in lines that are no wider than `width`. */
export function placesOf(widths: readonly number[], width: number): { x: number; line: number }[] {
  let [x, line] = [0, 0];
  return widths.map((own) => {
    if (x > 0 && x + own > width) [x, line] = [0, line + 1];
    const place = { x, line };
    x += own + BETWEEN;
    return place;
  });
}

const textOf = ({ name, value }: LegendEntry): string => (value === null ? name : `${name}: ${value}`);

/** The drawing under its title, with its legend and what it is made of below: a picture that can stand alone. Twice the size of the screen's. */
export async function savePicture(
  drawn: HTMLCanvasElement,
  look: Look,
  words: { title: string; note: string; name: string; legend: readonly LegendEntry[] },
): Promise<void> {
  const canvas = document.createElement('canvas');
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('This browser draws no pictures');
  const small = `13px ${look.font}`;
  pen.font = small;
  const width = Math.max(LEAST_WIDTH, drawn.width / SCALE);
  const measure = (text: string) => pen.measureText(text).width;
  const { legend } = words;
  const places = placesOf(
    legend.map((entry) => (entry.tone === null ? 0 : SWATCH) + measure(textOf(entry))),
    width,
  );
  const note = linesOf(words.note, width, measure);
  const below = PAD + TITLE + drawn.height / SCALE + PAD;
  const legendLines = (places.at(-1)?.line ?? -1) + 1;
  canvas.width = SCALE * (width + 2 * PAD);
  canvas.height = SCALE * (below + (legendLines + note.length) * LINE + PAD);
  // A new size forgets what the pen was.
  pen.scale(SCALE, SCALE);
  pen.fillStyle = look.surface;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = look.text;
  pen.font = `600 16px ${look.font}`;
  pen.fillText(words.title, PAD, PAD + 16, width);
  pen.drawImage(drawn, PAD + (width - drawn.width / SCALE) / 2, PAD + TITLE, drawn.width / SCALE, drawn.height / SCALE);
  pen.font = small;
  for (const [at, entry] of legend.entries()) {
    const { x = 0, line = 0 } = places[at] ?? {};
    const [left, base] = [PAD + x, below + line * LINE];
    if (entry.tone !== null) {
      pen.fillStyle = look.tones[entry.tone];
      pen.fillRect(left, entry.line ? base - 6 : base - 10, 12, entry.line ? 2 : 10);
    }
    pen.fillStyle = look.text;
    pen.fillText(textOf(entry), left + (entry.tone === null ? 0 : SWATCH), base);
  }
  pen.fillStyle = look.muted;
  for (const [at, line] of note.entries()) pen.fillText(line, PAD, below + (legendLines + at) * LINE + 4);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
  if (!blob) throw new Error('This browser draws no pictures');
  saveFile(`${words.name}.png`, blob, 'image/png');
}
