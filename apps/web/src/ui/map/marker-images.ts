import type { Severity } from '@nwms/domain/alert/vocabulary';
import { SEVERITIES } from '@nwms/domain/alert/vocabulary';
import { SEVERITY_TOKEN } from '../severity.tsx';

/** Names of images: "marker-Severe", "cluster-4-23" (severity 5 Extreme to 1 Unknown, and how many). */
export const MARKER_IMAGE = 'marker';
export const CLUSTER_IMAGE = 'cluster';
/** Drawn larger than shown, so that they are sharp on dense screens. */
export const PIXEL_RATIO = 3;

/** Silhouettes in a box of 16: the icons of ui/severity, filled, told apart without colour. */
const SILHOUETTE: Record<Severity, string> = {
  Extreme: 'M5.1 1h5.8L15 5.1v5.8L10.9 15H5.1L1 10.9V5.1z',
  Severe: 'M8 1.4 15.2 14.2H.8z',
  Moderate: 'M8 .8 15.2 8 8 15.2.8 8z',
  Minor: 'M8 2a6 6 0 1 1 0 12A6 6 0 1 1 8 2z',
  Unknown: 'M8 2a6 6 0 1 1 0 12A6 6 0 1 1 8 2z',
};
const MARK_PX = 18;

export type ImageParts = { kind: 'marker'; severity: Severity } | { kind: 'cluster'; severity: Severity; count: string };

/** What an image of this name shows; null: not a name of ours. */
export function partsOf(name: string): ImageParts | null {
  const [kind, first = '', ...rest] = name.split('-');
  if (kind === MARKER_IMAGE) return { kind, severity: SEVERITIES.find((severity) => severity === first) ?? 'Unknown' };
  if (kind !== CLUSTER_IMAGE || rest.length === 0) return null;
  return { kind, severity: SEVERITIES[SEVERITIES.length - Number(first)] ?? 'Unknown', count: rest.join('-') };
}

/** The image of this name in the colours of the theme; null when the name is not ours or the device cannot draw. */
export function drawImage(name: string, read: (token: string) => string): ImageData | null {
  const parts = partsOf(name);
  if (!parts) return null;
  return parts.kind === 'marker' ? drawMarker(parts.severity, read) : drawCluster(parts.severity, parts.count, read);
}

function canvasOf(sizePx: number): { context: OffscreenCanvasRenderingContext2D; done: () => ImageData } | null {
  const side = Math.round(sizePx * PIXEL_RATIO);
  const context = new OffscreenCanvas(side, side).getContext('2d', { willReadFrequently: true });
  if (!context) return null;
  context.scale(PIXEL_RATIO, PIXEL_RATIO);
  return { context, done: () => context.getImageData(0, 0, side, side) };
}

function drawMarker(severity: Severity, read: (token: string) => string): ImageData | null {
  const canvas = canvasOf(MARK_PX);
  if (!canvas) return null;
  const { context } = canvas;
  const token = SEVERITY_TOKEN[severity];
  const path = new Path2D(SILHOUETTE[severity]);
  context.translate(1, 1);
  context.lineJoin = 'round';
  context.lineWidth = 3;
  context.strokeStyle = read('--surface');
  context.stroke(path);
  context.fillStyle = read(`--fill-${token}`);
  // oxlint-disable-next-line unicorn/no-array-fill-with-reference-type -- a canvas, not an array
  context.fill(path);
  context.lineWidth = 1.2;
  context.strokeStyle = read(`--edge-${token}`);
  if (severity === 'Unknown') context.setLineDash([2, 1.8]);
  context.stroke(path);
  return canvas.done();
}

/** A disc with the number of alerts in it, ringed in the colour of the worst of them. */
function drawCluster(severity: Severity, count: string, read: (token: string) => string): ImageData | null {
  const size = 26 + Math.min(3, count.length) * 4;
  const canvas = canvasOf(size);
  if (!canvas) return null;
  const { context } = canvas;
  const token = SEVERITY_TOKEN[severity];
  const middle = size / 2;
  context.beginPath();
  context.arc(middle, middle, middle - 3, 0, 2 * Math.PI);
  context.fillStyle = read('--raised');
  context.fill();
  context.lineWidth = 4;
  context.strokeStyle = read(`--fill-${token}`);
  context.stroke();
  context.beginPath();
  context.arc(middle, middle, middle - 0.8, 0, 2 * Math.PI);
  context.lineWidth = 1;
  context.strokeStyle = read(`--edge-${token}`);
  context.stroke();
  context.fillStyle = read('--text');
  context.font = "700 12px 'Inter Variable', system-ui, sans-serif";
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(count, middle, middle + 0.5);
  return canvas.done();
}
