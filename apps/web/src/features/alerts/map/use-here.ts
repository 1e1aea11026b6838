import { useState } from 'react';
import { writePosition } from './place-address.ts';

const TIMEOUT_MS = 10_000;
/** Decimals of a device's position in the address: about 100 m, so that a copied link names no house. */
const DIGITS = 3;

const REFUSALS: Record<number, string> = {
  1: 'This browser may not tell where you are. Allow it in the settings of the page.',
  2: 'This device cannot tell where it is.',
  3: 'This device took too long to tell where it is.',
};

/** Asks the device where it is, only when the reader asks; from then on that is the chosen place, as if it had been typed. */
export function useHere(onPlace: (address: string) => void): { ask: () => void; asking: boolean; words: string | null } {
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
        setWords(`Your place, within ${Math.max(1, Math.round(coords.accuracy / 1000))} km.`);
        onPlace(writePosition(coords.latitude, coords.longitude, DIGITS));
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
