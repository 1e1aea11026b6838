import { Pause, Play, SkipBack, SkipForward, ZoomIn, ZoomOut } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import type { Span } from './timeline-rules.ts';
import { ZOOM } from './timeline-search.ts';
import type { Playback } from './use-playback.ts';

/** TIME-09 */
export function TimeControls(props: { playback: Playback; span: Span | null; zoom: number; onZoom: (zoom: number) => void }) {
  const { playback, span, zoom, onZoom } = props;
  const none = span === null;
  return (
    <div className="flex flex-wrap items-center gap-2 max-sm:gap-1">
      <Button aria-label="Reset to start" disabled={none} onClick={() => span && playback.moveTo(span.fromMs)}>
        <SkipBack size={16} aria-hidden="true" />
      </Button>
      <Button kind="primary" className="min-w-24 max-sm:min-w-20 max-sm:px-2" disabled={none} onClick={playback.toggle}>
        {playback.playing ? <Pause size={16} aria-hidden="true" /> : <Play size={16} aria-hidden="true" />}
        {playback.playing ? 'Pause' : 'Play'}
      </Button>
      <Button aria-label="Skip to end" disabled={none} onClick={() => span && playback.moveTo(span.toMs)}>
        <SkipForward size={16} aria-hidden="true" />
      </Button>
      <span className="mx-1 h-6 w-px bg-line max-sm:hidden" aria-hidden="true" />
      <Button aria-label="Zoom out" disabled={zoom <= ZOOM.least} onClick={() => onZoom(zoom - ZOOM.step)}>
        <ZoomOut size={16} aria-hidden="true" />
      </Button>
      <output aria-label="Zoom" className="tnum w-10 text-center text-sm">
        {zoom}x
      </output>
      <Button aria-label="Zoom in" disabled={zoom >= ZOOM.most} onClick={() => onZoom(zoom + ZOOM.step)}>
        <ZoomIn size={16} aria-hidden="true" />
      </Button>
    </div>
  );
}
