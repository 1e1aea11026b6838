import { useEffect, useRef, useState } from 'react';
import { newsOf } from './rotation.ts';
import type { TickerItem } from './ticker-item.ts';
import type { TickerView } from './ticker-view.ts';

/** These screens say arrivals themselves; twice would be once too often. */
const SAID_THERE: readonly string[] = ['/weather-alerts', '/live-data', '/alerts', '/map', '/advanced-features'];
const LOST = 'Connection lost. Alerts shown may be out of date.';

/** What a screen reader hears of the bar: new dangerous alerts once each, and a lost connection once. Never the rotation. */
export function useNews(items: readonly TickerItem[], kind: TickerView['kind'], pathname: string): string {
  const [said, setSaid] = useState('');
  const heard = useRef<ReadonlySet<string> | null>(null);
  const silent = SAID_THERE.includes(pathname);
  useEffect(() => {
    if (kind === 'lost') return setSaid(LOST);
    if (kind !== 'alerts' && kind !== 'clear') return;
    const { news, heard: next } = newsOf(items, heard.current);
    heard.current = next;
    if (news.length > 0 && !silent) setSaid(news.map(({ severity, event, location }) => `${severity} ${event}, ${location}`).join('. '));
    else setSaid((before) => (before === LOST ? 'Connection restored.' : before));
    // oxlint-disable-next-line react/exhaustive-deps -- a new array every second; its ids say whether it changed
  }, [items.map(({ event_id }) => event_id).join(' '), kind]);
  return said;
}
