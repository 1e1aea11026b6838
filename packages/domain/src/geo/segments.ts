/** How two segments meet. `cross` = each passes properly through the other; `touch` = they share a point or a stretch. */
export type Meeting = 'none' | 'touch' | 'cross';

function side(ax: number, ay: number, bx: number, by: number, px: number, py: number): number {
  return (bx - ax) * (py - ay) - (px - ax) * (by - ay);
}

function between(a: number, b: number, value: number): boolean {
  return a <= b ? value >= a && value <= b : value >= b && value <= a;
}

/** Segments a-b and c-d, plane coordinates. */
export function meetingOf(ax: number, ay: number, bx: number, by: number, cx: number, cy: number, dx: number, dy: number): Meeting {
  const c = side(ax, ay, bx, by, cx, cy);
  const d = side(ax, ay, bx, by, dx, dy);
  if ((c > 0 && d > 0) || (c < 0 && d < 0)) return 'none';
  const a = side(cx, cy, dx, dy, ax, ay);
  const b = side(cx, cy, dx, dy, bx, by);
  if ((a > 0 && b > 0) || (a < 0 && b < 0)) return 'none';
  if (c !== 0 && d !== 0 && a !== 0 && b !== 0) return 'cross';
  const touches =
    (c === 0 && between(ax, bx, cx) && between(ay, by, cy)) ||
    (d === 0 && between(ax, bx, dx) && between(ay, by, dy)) ||
    (a === 0 && between(cx, dx, ax) && between(cy, dy, ay)) ||
    (b === 0 && between(cx, dx, bx) && between(cy, dy, by));
  return touches ? 'touch' : 'none';
}
