import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useServices } from '../../../api/services.ts';
import { unwrapBox } from '../../../ui/map/map-features.ts';
import type { MapEngine } from '../../../ui/map/map-types.ts';
import { placeQuery } from './place-queries.ts';

/** A county or two around the place. */
const PLACE_ZOOM = 7.5;

/**
 * Marks the address's place and leads there when it changes. A place that the page was opened with is led to only where the address names
 * no view of its own.
 */
export function usePlaceOnMap(engine: MapEngine | null, address: string | undefined, hasView: boolean): void {
  const { api } = useServices();
  const place = useQuery(placeQuery(api, address)).data ?? null;
  const led = useRef<string | undefined>(hasView ? address : undefined);
  useEffect(() => {
    if (!engine) return;
    engine.pin(place);
    if (!place) {
      if (address === undefined) led.current = undefined;
      return;
    }
    if (led.current === address) return;
    led.current = address;
    if (place.bbox) engine.fit(unwrapBox(place.bbox));
    else engine.goTo({ lat: place.lat, lon: place.lon, zoom: PLACE_ZOOM });
  }, [engine, place, address]);
}
