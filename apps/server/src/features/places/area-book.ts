import { type Bbox, mergeBboxes } from '@nwms/domain';
import type { Atlas } from './atlas.ts';
import type { AreaBook } from './types.ts';
import type { ZoneBook } from './zone-book.ts';

/** Names and places of areas out of the zones that are known. */
export function createAreaBook(book: ZoneBook, atlas: Atlas): AreaBook {
  let stateBoxes: Map<string, Bbox[]> | null = null;
  return {
    generation: () => book.generation(),
    named: () => book.named(),
    whereabouts(code, family) {
      const props = book.find(code, family, Infinity)?.props;
      return props?.labelPoint && props.bbox ? { labelPoint: props.labelPoint, bbox: props.bbox } : null;
    },
    stateBox: (state) => mergeBboxes((stateBoxes ??= boxesByState(atlas)).get(state) ?? []),
  };
}

/** From the boxes of the atlas: no county is prepared for it, and a large state has 254. */
function boxesByState(atlas: Atlas): Map<string, Bbox[]> {
  const byState = new Map<string, Bbox[]>();
  for (const [code, boxes] of atlas.boxes()) {
    const state = code.slice(0, 2);
    byState.set(state, [...(byState.get(state) ?? []), ...boxes]);
  }
  return byState;
}
