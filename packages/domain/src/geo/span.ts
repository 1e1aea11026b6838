/** Spans are [west, east] with east >= west, in any turn; answers the shortest arc of the circle that holds all. */
export function smallestSpan(spans: readonly (readonly [number, number])[]): [number, number] {
  let west = Infinity;
  let east = -Infinity;
  for (const span of spans) {
    if (span[1] - span[0] >= 360) return [-180, 180];
    west = Math.min(west, span[0]);
    east = Math.max(east, span[1]);
  }
  // The common case: nothing near the antimeridian and no gap that could be larger than the rest of the circle.
  if (west >= -180 && east <= 180 && east - west <= 180) return [west, east];
  const turned = spans.map(([from, to]): [number, number] => {
    const start = wrapLon(from);
    return [start, start === from ? to : start + (to - from)];
  });
  turned.sort((a, b) => a[0] - b[0]);
  return aroundLargestGap(turned);
}

function aroundLargestGap(sorted: readonly [number, number][]): [number, number] {
  const first = sorted[0];
  if (!first) return [-180, 180];
  let reach = first[1];
  let best = { gap: -1, from: 0, to: 0 };
  for (const [from, to] of sorted.slice(1)) {
    if (from - reach > best.gap) best = { gap: from - reach, from: reach, to: from };
    reach = Math.max(reach, to);
  }
  const outerGap = first[0] + 360 - reach;
  if (outerGap >= best.gap) best = { gap: outerGap, from: reach, to: first[0] };
  if (best.gap < 0) return [-180, 180];
  const west = wrapLon(best.to);
  const east = wrapLon(best.from);
  return [west === 180 && east !== 180 ? -180 : west, east === -180 ? 180 : east];
}

/** Into [-180, 180]; values already there stay bit for bit. */
export function wrapLon(lon: number): number {
  if (lon >= -180 && lon <= 180) return lon;
  const turned = ((((lon + 180) % 360) + 360) % 360) - 180;
  return turned;
}
