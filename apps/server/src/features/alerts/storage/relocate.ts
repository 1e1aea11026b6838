import { locate, type Diff, type EventState, type Instant, type Stepped } from '@nwms/domain';
import { eventShapeInput, type MessageLookup } from '../alert-area.ts';
import type { Places } from '../../places/types.ts';
import type { Held, ShapeFacts, WorkingSet } from './working-set.ts';

/** Where an event is, as far as shapes are known now. */
export type ShapeOf = (event: EventState, message: MessageLookup, at: Instant) => ShapeFacts;

/** Shapes from the places slice. */
export function createShapeOf(places: Places): ShapeOf {
  return (event, message, at) => {
    const { source, quality, areaKm2 } = places.resolve(eventShapeInput(event, message, at));
    return { source, quality, areaKm2 };
  };
}

/** Areas that differ by less are the same shape computed twice. */
const SAME_AREA_SHARE = 0.001;

/** `located` when the shape is another than the last entry told. */
export function relocateEvent(held: Held, shapeOf: ShapeOf, set: WorkingSet, now: Instant): Stepped {
  const { event, shape: before } = held;
  const after = shapeOf(event, (id) => set.message(id), now);
  if (before && sameShape(before, after)) return { event, entries: [] };
  const geometry: NonNullable<Diff['geometry']> = {
    source: { from: before?.source ?? 'none', to: after.source },
    area_km2: { from: before?.areaKm2 ?? null, to: after.areaKm2 },
    overlap_share: null,
  };
  return locate(event, geometry, now);
}

function sameShape(a: ShapeFacts, b: ShapeFacts): boolean {
  if (a.source !== b.source || a.quality !== b.quality) return false;
  return Math.abs((a.areaKm2 ?? 0) - (b.areaKm2 ?? 0)) <= SAME_AREA_SHARE * Math.max(a.areaKm2 ?? 0, b.areaKm2 ?? 0);
}
