import type { PointFeature } from '../../ui/map/map-features.ts';

const RADIUS_PX = 4;

export interface SpotsLook {
  /** Pixels of the canvas at a position. */
  place(position: readonly number[]): { x: number; y: number };
  fillOf(severity: string): string;
  /** Around every spot, so that one is told from the next. */
  edge: string;
}

type Pen = Pick<CanvasRenderingContext2D, 'beginPath' | 'arc' | 'fill' | 'stroke' | 'fillStyle' | 'strokeStyle' | 'lineWidth'>;

/** One spot for every alert, the most dangerous on top. */
export function drawSpots(pen: Pen, points: readonly PointFeature[], look: SpotsLook): void {
  pen.strokeStyle = look.edge;
  pen.lineWidth = 1;
  for (const { properties, geometry } of points.toSorted((a, b) => a.properties.order - b.properties.order)) {
    const { x, y } = look.place(geometry.coordinates);
    pen.fillStyle = look.fillOf(properties.severity);
    pen.beginPath();
    pen.arc(x, y, RADIUS_PX, 0, 2 * Math.PI);
    pen.fill();
    pen.stroke();
  }
}
