import { Readable } from 'node:stream';
import type { Freshness } from '@nwms/contract';
import type { WholeTimeline } from './timeline.ts';

const LINES_PER_TURN = 200;

/** The whole timeline as lines: head, then shapes before their first user, items, frames or entries in order, and an end that says all came. */
export function streamTimeline(
  whole: WholeTimeline,
  freshness: Freshness,
  fault: (error: unknown) => { code: string; detail: string },
): Readable {
  return Readable.from(lines(whole, freshness, fault), { objectMode: false });
}

async function* lines(
  whole: WholeTimeline,
  freshness: Freshness,
  fault: (error: unknown) => { code: string; detail: string },
): AsyncGenerator<string> {
  const { reply, rows, present } = whole;
  const { range, total, coverage, insufficient, warnings, by_severity, sparkline } = reply;
  yield line({ type: 'head', range, total, by_severity, sparkline, coverage, insufficient, warnings, freshness });
  const shapes = new Set<string>();
  let items = 0;
  try {
    if (!reply.entries) {
      for (let start = 0; start < rows.length; start += LINES_PER_TURN) {
        for (const { item, shape } of await present(start, start + LINES_PER_TURN)) {
          if (shape && !shapes.has(shape.id)) {
            shapes.add(shape.id);
            yield line({ type: 'shape', id: shape.id, geometry: shape.geometry });
          }
          items += 1;
          yield line({ type: 'item', ...item });
        }
      }
    }
    for (const frame of reply.frames ?? []) yield line({ type: 'frame', ...frame });
    for (const entry of reply.entries ?? []) yield line({ type: 'entry', ...entry });
  } catch (error) {
    yield line({ type: 'error', ...fault(error) });
    return;
  }
  yield line({ type: 'end', items, shapes: shapes.size, frames: reply.frames?.length ?? 0, entries: reply.entries?.length ?? 0 });
}

const line = (value: object): string => `${JSON.stringify(value)}\n`;
