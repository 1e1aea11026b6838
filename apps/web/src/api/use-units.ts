import { type Measured, measureIn, numberIn, type Quantity, unitOf, type UnitSystem } from '@nwms/domain/units';
import { useSyncExternalStore } from 'react';
import { createUnitStore } from '../lib/units/unit-store.ts';
import { useServices } from './services.ts';

export interface Units {
  system: UnitSystem;
  /** "72°F" out of 22.2; values are metric: Celsius, km/h, hPa, mm, km. `N/A` without a value. */
  measure: (quantity: Quantity, value: Measured) => string;
  number: (quantity: Quantity, value: Measured) => string;
  unit: (quantity: Quantity) => string;
}

/** Made by the first screen that shows measures: the start page shows none. */
const makeUnits = () => createUnitStore(window);
export const useUnitStore = () => useServices().once(makeUnits);

/** Measures in the reader's own system; rendered anew when it is switched. */
export function useUnits(): Units {
  const units = useUnitStore();
  const system = useSyncExternalStore(units.subscribe, units.system);
  return {
    system,
    measure: (quantity, value) => measureIn(quantity, value, system),
    number: (quantity, value) => numberIn(quantity, value, system),
    unit: (quantity) => unitOf(quantity, system),
  };
}
