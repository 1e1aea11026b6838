import { useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { isTyping } from './palette-keys.ts';

/** Milliseconds after the last key before the list follows. */
const SEARCH_DELAY_MS = 200;

/** Free-text search of the alerts on screen; `/` leads here. The text lives in the address. */
export function SearchBox({ q }: { q: string }) {
  const navigate = useNavigate();
  const [text, setText] = useState(q);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (document.activeElement !== input.current) setText(q);
  }, [q]);
  useEffect(() => {
    if (text.trim() === q) return;
    const timer = setTimeout(() => {
      const next = text.trim() || undefined;
      void navigate({ to: '.', search: (old: object) => ({ ...old, q: next, page: undefined }), replace: true, resetScroll: false });
    }, SEARCH_DELAY_MS);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react/exhaustive-deps -- only typing starts a search
  }, [text]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || isTyping(event.target)) return;
      event.preventDefault();
      input.current?.focus();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return (
    <search className="w-60 min-w-0 shrink-0 transition-[width] duration-150 max-sm:w-11 max-sm:focus-within:w-44">
      <label className="target flex items-center gap-2 rounded-lg border border-line-strong bg-surface px-3 focus-within:border-accent max-sm:justify-center max-sm:gap-0 max-sm:px-2 max-sm:not-focus-within:border-transparent">
        <Search size={16} aria-hidden="true" className="shrink-0 text-muted" />
        <input
          ref={input}
          type="search"
          aria-label="Search alerts"
          placeholder="Search alerts"
          maxLength={100}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => event.key === 'Escape' && setText('')}
          className="min-w-0 grow bg-transparent text-sm outline-none placeholder:text-muted max-sm:w-0 max-sm:not-focus:opacity-0"
        />
        <kbd className="shrink-0 rounded border border-line px-1 font-sans text-xs text-muted max-md:hidden">/</kbd>
      </label>
    </search>
  );
}
