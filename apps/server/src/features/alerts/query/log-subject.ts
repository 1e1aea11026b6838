import type { LiveAlert } from '@nwms/contract';
import { type PreparedShape, shapeOfBbox } from '@nwms/domain';
import type { Board } from '../board/board.ts';
import type { FilterSubject } from '../board/row.ts';
import { foldText } from './fold.ts';

/** An alert as it was told (log entry, live message), ready to be filtered. */
export function subjectOf(alert: LiveAlert, board: Pick<Board, 'row' | 'shapes'>): FilterSubject {
  let folded: string | undefined;
  return {
    alert,
    // Only countable alerts are ever told.
    countable: true,
    shape: () => shapeOf(alert, board),
    folded: () => (folded ??= foldText(`${alert.headline ?? ''}\n${alert.event}\n${alert.area_desc}\n${alert.description ?? ''}`)),
  };
}

/** A shape too large to be told: the board's when it has it, else the box around it, which tells one too many rather than one too few. */
function shapeOf(alert: LiveAlert, board: Pick<Board, 'row' | 'shapes'>): PreparedShape | null {
  if (alert.geometry !== null) return board.shapes.prepare(alert.geometry);
  if (!alert.geometry_omitted) return null;
  const known = board.row(alert.event_id);
  if (known && known.alert.updated_at === alert.updated_at) return known.shape();
  return alert.bbox && board.shapes.prepare(shapeOfBbox(alert.bbox));
}
