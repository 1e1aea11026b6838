import { CirclePause, CirclePlay, Eraser, PlugZap, TriangleAlert } from 'lucide-react';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useLiveStatus, useServices } from '../../api/services.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/check.tsx';
import { Panel } from '../../ui/page.tsx';
import { FeedRowItem } from './feed-row.tsx';
import type { FeedStore, FeedView } from './feed-store.ts';
import { connectionWords, emptyWords, pausedWords } from './feed-words.ts';
import { makeFeed, openFeed } from './open-feed.ts';
import { useArrivalWords } from './use-arrival-words.ts';

const TONES: Record<string, BadgeTone> = { CONNECTED: 'ok', CONNECTING: 'plain', RECONNECTING: 'warn' };

/** Alerts in the moment they are issued, over the page's one live connection. */
export function RealTimeFeed() {
  const services = useServices();
  const feed = services.once(makeFeed);
  const view = useSyncExternalStore(feed.subscribe, feed.view, feed.view);
  const status = useLiveStatus();
  const [autoScroll, setAutoScroll] = useState(true);
  const words = useArrivalWords(view);
  useEffect(() => {
    const stop = new AbortController();
    void openFeed(services, stop.signal);
    return () => stop.abort();
  }, [services]);
  return (
    <Panel
      title="Real-Time Alert Feed"
      note={
        status.state === 'CONNECTED'
          ? 'Connected: alerts appear here as they are issued.'
          : 'Alerts appear here as they are issued, once connected.'
      }
      actions={<Badge tone={TONES[status.state] ?? 'bad'}>{connectionWords(status)}</Badge>}
      flush
    >
      <div className="flex flex-col gap-3 px-4 pb-3">
        {status.error ? <ConnectionError error={status.error} reconnect={() => services.live.reconnect()} /> : null}
        <Counters view={view} />
        <div className="flex flex-wrap items-center gap-2">
          <Button onClick={view.paused ? feed.resume : feed.pause}>
            {view.paused ? <CirclePlay size={16} aria-hidden="true" /> : <CirclePause size={16} aria-hidden="true" />}
            {view.paused ? 'Resume' : 'Pause'}
          </Button>
          <Button onClick={feed.clear} disabled={view.rows.length === 0 && view.pending === 0}>
            <Eraser size={16} aria-hidden="true" /> Clear
          </Button>
          <Checkbox label="Auto-scroll" checked={autoScroll} onChange={setAutoScroll} />
        </div>
        {view.paused ? <Paused view={view} feed={feed} /> : null}
        {view.rebuiltAtMs === null ? null : (
          <p className="rounded-lg bg-warn-bg px-3 py-2 text-[13px] text-warn">
            The connection lost its place at {clockOf(view.rebuiltAtMs)}: since then the list holds the newest of what was active, whenever
            it was issued.
          </p>
        )}
      </div>
      <Rows view={view} autoScroll={autoScroll} empty={emptyWords(status)} />
      <output className="sr-only">{words}</output>
    </Panel>
  );
}

/** A part that scrolls is reached by keys. */
const REACHABLE = { tabIndex: 0 };

function ConnectionError({ error, reconnect }: { error: string; reconnect: () => void }) {
  return (
    <div role="alert" className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-lg bg-bad-bg px-3 py-2 text-bad">
      <div className="flex min-w-0 gap-2">
        <TriangleAlert size={18} aria-hidden="true" className="mt-0.5 shrink-0" />
        <div className="min-w-0">
          <p className="font-semibold">Connection Error</p>
          <p className="text-[13px] break-words">{error}. Alerts issued now do not appear here.</p>
        </div>
      </div>
      <Button onClick={reconnect}>
        <PlugZap size={16} aria-hidden="true" /> Try reconnecting
      </Button>
    </div>
  );
}

function Counters({ view: { counts } }: { view: FeedView }) {
  const figures = [
    ['Total Alerts', counts.total],
    ['Severe/Extreme', counts.severeOrExtreme],
    ['Extreme Only', counts.extreme],
  ] as const;
  return (
    <dl className="grid grid-cols-3 gap-2" aria-label="Counters of the feed">
      {figures.map(([label, value]) => (
        <div key={label} className="flex min-w-0 flex-col-reverse justify-end rounded-lg border border-line px-3 py-1.5 max-sm:px-1.5">
          <dt className="text-[13px] text-muted max-sm:text-xs max-sm:tracking-tight">{label}</dt>
          <dd className="tnum text-lg font-bold">{value.toLocaleString('en-US')}</dd>
        </div>
      ))}
    </dl>
  );
}

function Paused({ view, feed }: { view: FeedView; feed: FeedStore }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-2 rounded-lg bg-warn-bg px-3 py-1.5 text-sm font-medium text-warn">
      <output className="tnum">{pausedWords(view.pending)}</output>
      <button type="button" className="target px-2 font-semibold underline" onClick={feed.resume}>
        Show them
      </button>
    </div>
  );
}

/** LIVE-13: about 24rem high; with auto-scroll new items are always in sight (LIVE-11). */
function Rows({ view, autoScroll, empty }: { view: FeedView; autoScroll: boolean; empty: string }) {
  const box = useRef<HTMLDivElement>(null);
  const newest = view.rows[0]?.event_id;
  useEffect(() => {
    if (autoScroll && box.current) box.current.scrollTop = 0;
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a new first row is what scrolls
  }, [newest, autoScroll]);
  if (view.rows.length === 0) return <p className="border-t border-line px-4 py-12 text-center text-muted">{empty}</p>;
  return (
    <>
      <section
        ref={box}
        {...REACHABLE}
        aria-label="Alerts of the feed"
        className="relative max-h-96 overflow-y-auto border-t border-line -outline-offset-2"
      >
        <ul className="divide-y divide-line">
          {view.rows.map((row) => (
            <FeedRowItem key={row.event_id} row={row} clock={clockOf} />
          ))}
        </ul>
      </section>
      {view.beyond > 0 ? (
        <p className="tnum border-t border-line px-4 py-2 text-[13px] text-muted">
          The newest {view.rows.length} of {view.counts.total.toLocaleString('en-US')} since the feed was opened.
        </p>
      ) : null}
    </>
  );
}

/** By the reader's own clock: when it came here. */
function clockOf(atMs: number): string {
  return new Date(atMs).toLocaleTimeString('en-US', { hourCycle: 'h23', hour: '2-digit', minute: '2-digit', second: '2-digit' });
}
