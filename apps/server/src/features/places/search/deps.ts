import type { Log } from '../../../platform/log.ts';
import type { AreaBook, Places } from '../types.ts';
import type { Gazetteer } from './gazetteer.ts';

export interface PlaceSearchDeps {
  log: Log;
  places: Pick<Places, 'coverage'>;
  areas: AreaBook;
  /** Null = none installed. Called once, at the first question. */
  openGazetteer?: () => Promise<Gazetteer | null>;
}
