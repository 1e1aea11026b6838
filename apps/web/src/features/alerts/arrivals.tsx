import { useEffect, useRef, useState } from 'react';
import type { AlertBook } from './alert-book.ts';

/** Several arrivals within this time are said at once. */
const GATHER_MS = 2500;

/** Says politely what came and what ended, once. */
export function Arrivals({ book }: { book: AlertBook | undefined }) {
  const [text, setText] = useState('');
  const said = useRef(0);
  const timer = useRef(0);
  useEffect(() => {
    if (!book) return;
    said.current ||= Date.now();
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => {
      const sentence = changeSentence(book, said.current);
      said.current = Date.now();
      if (sentence) setText(sentence);
    }, GATHER_MS);
  }, [book]);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  return <output className="sr-only">{text}</output>;
}

/** "1 new alert: Tornado Warning, Kay, OK. 2 alerts ended." Null when nothing happened after `sinceMs`. */
export function changeSentence(book: AlertBook, sinceMs: number): string | null {
  const rows = [...book.rows.values()];
  const arrived = rows.filter((row) => row.endedAtMs === null && (row.arrivedAtMs ?? 0) > sinceMs);
  const ended = rows.filter((row) => (row.endedAtMs ?? 0) > sinceMs).length;
  const parts: string[] = [];
  const first = arrived[0]?.alert;
  if (first) {
    parts.push(
      arrived.length === 1
        ? `1 new alert: ${first.severity} ${first.event}, ${first.location}.`
        : `${arrived.length} new alerts, among them ${first.severity} ${first.event}, ${first.location}.`,
    );
  }
  if (ended > 0) parts.push(ended === 1 ? '1 alert ended.' : `${ended} alerts ended.`);
  return parts.length > 0 ? parts.join(' ') : null;
}
