import { useState } from 'react';
import type { MapEngine } from '../../../ui/map/map-types.ts';

/** A county or two around the place. */
const HERE_ZOOM = 7.5;
const TIMEOUT_MS = 10_000;

const REFUSALS: Record<number, string> = {
  1: 'This browser may not tell where you are. Allow it in the settings of the page.',
  2: 'This device cannot tell where it is.',
  3: 'This device took too long to tell where it is.',
};

/** Asks the device where it is, only when the reader asks, and moves the map there. The place stays on the device. */
export function useHere(engine: MapEngine | null): { ask: () => void; asking: boolean; words: string | null } {
  const [asking, setAsking] = useState(false);
  const [words, setWords] = useState<string | null>(null);
  const ask = () => {
    const { geolocation } = navigator as { geolocation?: Geolocation };
    if (!geolocation) return setWords(REFUSALS[2] ?? null);
    setAsking(true);
    setWords(null);
    geolocation.getCurrentPosition(
      ({ coords }) => {
        setAsking(false);
        engine?.goTo({ lat: coords.latitude, lon: coords.longitude, zoom: HERE_ZOOM });
        setWords(`Your place, within ${Math.max(1, Math.round(coords.accuracy / 1000))} km.`);
      },
      (error) => {
        setAsking(false);
        setWords(REFUSALS[error.code] ?? REFUSALS[2] ?? null);
      },
      { timeout: TIMEOUT_MS, maximumAge: 300_000 },
    );
  };
  return { ask, asking, words };
}
