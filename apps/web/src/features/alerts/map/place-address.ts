import type { Place } from '@nwms/contract';

/** What the address names: a position, or an area by its code (`IAC153`, `IAZ060`, `IA`). Names are looked up, never believed. */
export type PlaceAddress = { kind: 'point'; lat: number; lon: number } | { kind: 'area'; code: string };

const DEGREES = /^[+-]?\d{1,3}(\.\d{1,12})?$/;
const AREA = /^[A-Z]{2}([CZ]\d{3})?$/;

/** "35.78, -78.64" as somebody types it, latitude first; null for anything else and for places off the globe. */
export function typedPosition(text: string): { lat: number; lon: number } | null {
  const numbers = text.split(/[,;°\s]/).filter((part) => part !== '');
  const [lat = '', lon = ''] = numbers;
  if (numbers.length !== 2 || !DEGREES.test(lat) || !DEGREES.test(lon)) return null;
  return Math.abs(Number(lat)) <= 90 && Math.abs(Number(lon)) <= 180 ? { lat: Number(lat), lon: Number(lon) } : null;
}

/** Reads the address's `place`; what is not understood is no place. */
export function readPlace(text: string | undefined): PlaceAddress | null {
  if (text === undefined) return null;
  if (AREA.test(text)) return { kind: 'area', code: text };
  const at = typedPosition(text);
  return at && { kind: 'point', ...at };
}

export const writePosition = (lat: number, lon: number, digits = 4): string => `${lat.toFixed(digits)},${lon.toFixed(digits)}`;

/** An area by its code, anything else by where it is. */
export const writePlace = (place: Pick<Place, 'ugc' | 'lat' | 'lon'>): string => place.ugc ?? writePosition(place.lat, place.lon);
