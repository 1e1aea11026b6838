import { memo } from 'react';
import type { MapBoard } from './use-map-board.ts';

/**
 * MAP-10: four figures of what the map shows, flat, so that the map has the room; nothing loaded shows dashes, never zeros. Each has the height of its figure and of two
 * lines of words before there are any.
 */
export const MapTiles = memo(function MapTiles({ board, dimmed }: { board: MapBoard; dimmed: boolean }) {
  const { figures, rows, matching } = board;
  const known = board.book !== undefined;
  const words = (value: number) => value.toLocaleString('en-US');
  const { polygon, zones, counties, none } = figures.bySource;
  const tiles = [
    {
      label: 'Alerts shown',
      value: rows.length,
      note: rows.length < matching ? `the most dangerous of ${words(matching)}` : `${words(figures.upcoming)} of them upcoming`,
    },
    { label: 'Severe', value: figures.severeOrExtreme, note: `incl. ${words(figures.extreme)} Extreme`, severe: true },
    {
      label: 'On the map',
      value: figures.drawn,
      note: none > 0 ? `${words(none)} without a known shape` : rows.length > 0 ? 'every one of them' : 'nothing to draw',
    },
    { label: 'Issued areas', value: polygon, note: `${words(zones)} by zones, ${words(counties)} by counties` },
  ];
  return (
    <section aria-label="Figures" className={`grid grid-cols-2 gap-3 pane:grid-cols-4 ${dimmed ? 'opacity-90 grayscale' : ''}`}>
      {tiles.map(({ label, value, note, severe }) => (
        <div
          key={label}
          className="card flex min-w-0 items-center gap-3 px-4 py-2.5 max-sm:flex-col max-sm:items-start max-sm:gap-0.5 max-sm:px-3"
        >
          {known ? (
            <p className={`tnum text-xl font-bold ${severe && value > 0 ? 'text-severe' : ''}`}>{words(value)}</p>
          ) : board.error ? (
            <p className="text-xl font-bold">
              <span aria-hidden="true">—</span>
              <span className="sr-only">not known</span>
            </p>
          ) : (
            <div aria-hidden="true" className="skeleton h-[2.45rem] w-10 shrink-0" />
          )}
          <div className="min-w-0 text-[13px] leading-[1.15rem]">
            <h2 className="font-medium">{label}</h2>
            <p className="tnum text-muted max-sm:min-h-[2.3rem]">{known ? note : 'not known'}</p>
          </div>
        </div>
      ))}
    </section>
  );
});
