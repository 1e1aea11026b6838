/**
 * Draws the icons of the installed application: `npm run icons` writes apps/web/public/icons. The mark is that of public/favicon.svg, a radar
 * sweep on a square of 32 units.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';

const FOLDER = resolve(import.meta.dirname, '../apps/web/public/icons');
const GROUND = [0x2f, 0x55, 0xd4] as const;
const MARK = [0xff, 0xff, 0xff] as const;
const CENTRE = 16;
const STROKE = 2.2;

type Distance = (x: number, y: number) => number;

/** Distance to an arc around the centre, clockwise from `from` to `to` (degrees, 0 to the right, y downwards). */
function arc(radius: number, from: number, to: number): Distance {
  const end = (degrees: number) => [radius * Math.cos((degrees * Math.PI) / 180), radius * Math.sin((degrees * Math.PI) / 180)] as const;
  const ends = [end(from), end(to)];
  return (x, y) => {
    const [dx, dy] = [x - CENTRE, y - CENTRE];
    const turned = ((((Math.atan2(dy, dx) * 180) / Math.PI - from) % 360) + 360) % 360;
    if (turned <= to - from) return Math.abs(Math.hypot(dx, dy) - radius) - STROKE / 2;
    return Math.min(...ends.map(([ex, ey]) => Math.hypot(dx - ex, dy - ey))) - STROKE / 2;
  };
}

/** Distance to a stroke from the centre to this point. */
const ray =
  (toX: number, toY: number): Distance =>
  (x, y) => {
    const [vx, vy] = [toX - CENTRE, toY - CENTRE];
    const along = Math.max(0, Math.min(1, ((x - CENTRE) * vx + (y - CENTRE) * vy) / (vx * vx + vy * vy)));
    return Math.hypot(x - CENTRE - along * vx, y - CENTRE - along * vy) - STROKE / 2;
  };
const dot =
  (radius: number): Distance =>
  (x, y) =>
    Math.hypot(x - CENTRE, y - CENTRE) - radius;
const roundedSquare =
  (corner: number): Distance =>
  (x, y) => {
    const [dx, dy] = [Math.abs(x - CENTRE) - (CENTRE - corner), Math.abs(y - CENTRE) - (CENTRE - corner)];
    return Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - corner;
  };

const PARTS: readonly Distance[] = [arc(10, -33, 270), arc(5.5, -30, 270), ray(23, 9), dot(1.9)];

/** `shrink`: of the mark; masks of phones cut away up to a fifth of each side. `corner` null: the ground fills the square. */
function draw(sizePx: number, { shrink = 1, corner }: { shrink?: number; corner: number | null }): Buffer {
  const unitsPerPx = (2 * CENTRE) / sizePx;
  const rows = Buffer.alloc(sizePx * (1 + sizePx * 4));
  // One pixel of soft edge.
  const cover = (distance: number, scale: number) => Math.max(0, Math.min(1, 0.5 - distance / (unitsPerPx * scale)));
  const ground = corner === null ? null : roundedSquare(corner);
  for (let row = 0; row < sizePx; row += 1) {
    for (let column = 0; column < sizePx; column += 1) {
      const [x, y] = [(column + 0.5) * unitsPerPx, (row + 0.5) * unitsPerPx];
      const [mx, my] = [(x - CENTRE) / shrink + CENTRE, (y - CENTRE) / shrink + CENTRE];
      const mark = cover(Math.min(...PARTS.map((part) => part(mx, my))), 1 / shrink);
      const at = row * (1 + sizePx * 4) + 1 + column * 4;
      for (const [channel, base] of GROUND.entries()) rows[at + channel] = Math.round(base + ((MARK[channel] ?? 0) - base) * mark);
      rows[at + 3] = Math.round(255 * (ground ? cover(ground(x, y), 1) : 1));
    }
  }
  return png(sizePx, rows);
}

/** PNG (ISO/IEC 15948): signature, header, one block of data, end. */
function png(sizePx: number, rows: Buffer): Buffer {
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, check]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(sizePx, 0);
  header.writeUInt32BE(sizePx, 4);
  // Eight bits of red, green, blue and opacity each.
  header.set([8, 6, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(rows, { level: 9 })), chunk('IEND', Buffer.alloc(0))]);
}

mkdirSync(FOLDER, { recursive: true });
const icons = {
  'icon-192.png': draw(192, { corner: 8 }),
  'icon-512.png': draw(512, { corner: 8 }),
  'maskable-512.png': draw(512, { corner: null, shrink: 0.72 }),
  // Phones of this kind round the corners themselves and show no transparency.
  'apple-touch-180.png': draw(180, { corner: null, shrink: 0.86 }),
};
for (const [name, data] of Object.entries(icons)) {
  writeFileSync(join(FOLDER, name), data);
  console.log(`${name} ${data.length} bytes`);
}
