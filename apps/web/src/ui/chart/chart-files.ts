import { csvOf, saveFile } from '../../lib/csv.ts';
import type { ChartSpec } from './chart-spec.ts';
import { tableOf } from './chart-words.ts';
import type { Look } from './look.ts';

/** "Request trends" on 2025-12-15: nwms-request-trends-2025-12-15. */
export const fileNameOf = (title: string, nowMs: number): string =>
  `nwms-${title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')}-${new Date(nowMs).toISOString().slice(0, 10)}`;

/** Rows of a chart; `mark` ("Simulated weather") stands in a column of its own in every row, so that no row is taken for real. */
export function chartCsv(spec: ChartSpec, mark: string | null): string {
  const { head, rows } = tableOf(spec);
  const more = mark === null ? [] : ['note'];
  return csvOf(
    [...head, ...more],
    rows.map(({ label, values }) => [label, ...values, ...(mark === null ? [] : [mark])]),
  );
}

const PAD = 24;
const HEAD = 56;

/** The drawing under its title, with what it is made of below: a picture that can stand alone. Twice the size of the screen's. */
export async function savePicture(
  drawn: HTMLCanvasElement,
  look: Look,
  words: { title: string; note: string; name: string },
): Promise<void> {
  const canvas = document.createElement('canvas');
  canvas.width = drawn.width + 4 * PAD;
  canvas.height = drawn.height + 2 * (HEAD + 2 * PAD);
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('This browser draws no pictures');
  pen.scale(2, 2);
  pen.fillStyle = look.surface;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = look.text;
  pen.font = `600 16px ${look.font}`;
  pen.fillText(words.title, PAD, PAD + 16, drawn.width / 2);
  pen.fillStyle = look.muted;
  pen.font = `13px ${look.font}`;
  pen.fillText(words.note, PAD, canvas.height / 2 - PAD, drawn.width / 2);
  pen.drawImage(drawn, PAD, HEAD, drawn.width / 2, drawn.height / 2);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
  if (!blob) throw new Error('This browser draws no pictures');
  saveFile(`${words.name}.png`, blob, 'image/png');
}
