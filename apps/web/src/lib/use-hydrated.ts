import { useSyncExternalStore } from 'react';

const never = (): (() => void) => () => {};

/**
 * False while React takes over what came painted: its first render must say what the document says, whatever has been heard meanwhile.
 * True from then on, and always where nothing came painted.
 */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
