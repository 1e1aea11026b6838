import { RefreshCw } from 'lucide-react';

/** A new version is installed and waits (BOOT-02): it takes over when the reader says so, never under their hands. */
export function UpdateStrip({ apply }: { apply: () => void }) {
  return (
    <output className="strip flex flex-wrap items-center justify-center gap-x-3 border-b border-line-strong bg-accent-bg px-4 py-1 text-center text-[13px] font-semibold text-accent">
      A new version of this page is ready.
      <button
        type="button"
        className="target inline-flex items-center gap-1.5 rounded-lg px-2 underline underline-offset-2 hover:bg-hover"
        onClick={apply}
      >
        <RefreshCw size={14} aria-hidden="true" /> Reload to update
      </button>
    </output>
  );
}
