import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';

/** KEY-06: how long 'Copied!' stays. */
const SHOWN_MS = 2_000;

/** Copies a text and says so, to the eye and to the ear. Where copying is forbidden it says that. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [result, setResult] = useState<'copied' | 'refused' | null>(null);
  useEffect(() => {
    if (!result) return undefined;
    const timer = setTimeout(() => setResult(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [result]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setResult('copied');
    } catch {
      setResult('refused');
    }
  };
  return (
    <span className="inline-flex shrink-0 items-center">
      <output className={`font-sans text-xs text-muted ${result === null ? 'sr-only' : 'px-1'}`}>
        {result === 'copied' ? 'Copied!' : result === 'refused' ? 'Copying is not allowed here' : ''}
      </output>
      <button
        type="button"
        aria-label={label}
        title={label}
        onClick={() => void copy()}
        className="target inline-flex min-w-9 items-center justify-center rounded-lg text-muted hover:bg-hover hover:text-text"
      >
        {result === 'copied' ? <Check size={16} aria-hidden="true" className="text-ok" /> : <Copy size={16} aria-hidden="true" />}
      </button>
    </span>
  );
}
