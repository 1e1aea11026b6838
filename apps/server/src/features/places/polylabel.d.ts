declare module 'polylabel' {
  /** Pole of inaccessibility: the point farthest from the polygon's edges, within `precision`, and that distance. */
  export default function polylabel(polygon: number[][][], precision?: number, debug?: boolean): [number, number] & { distance: number };
}
