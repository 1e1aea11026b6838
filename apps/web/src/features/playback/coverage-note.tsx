import type { playback } from '@nwms/contract';
import { useServices } from '../../api/services.ts';
import { coveredWords } from './timeline-rules.ts';

/** How much of the range our record holds: a gap is told, never drawn as calm. */
export function CoverageNote({ coverage, all }: { coverage: playback.Timeline['coverage']; all: boolean }) {
  const { labels } = useServices();
  const since = coverage.archive_since;
  return (
    <>
      {all ? (
        <p className="tnum text-[13px] text-muted">
          {since
            ? `ALL begins with the first message of this record, ${labels.full(Date.parse(since), 'UTC')}.`
            : 'ALL shows the last day: when this record begins is still being worked out.'}
        </p>
      ) : null}
      {coverage.gaps.length > 0 ? (
        <p className="rounded-lg bg-warn-bg px-3 py-2 text-[13px] text-warn">
          The record does not cover all of this time ({coveredWords(coverage.share)}): in the hatched parts alerts may be missing, and
          nothing can be said about them.
        </p>
      ) : null}
    </>
  );
}
