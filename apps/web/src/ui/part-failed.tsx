import { Button } from './button.tsx';

interface Again {
  again: () => void;
}

/** In the place of a part of a screen that could not be loaded. It says nothing of the data. */
export function FailedPart({ again }: Again) {
  return (
    <div role="alert" className="flex flex-wrap items-center gap-x-3 gap-y-1 p-4 text-sm">
      <p className="text-bad">This part of the page could not be loaded.</p>
      <Button onClick={again}>Try again</Button>
    </div>
  );
}

/** In the place of a dialog or a drawer, above the page that asked for it. */
export function FailedWindow({ again, onClose }: Again & { onClose: () => void }) {
  return (
    <div
      role="alert"
      className="fixed inset-x-4 bottom-[calc(var(--ticker-height)+1rem)] z-50 mx-auto flex max-w-md flex-wrap items-center gap-x-3 gap-y-2 rounded-xl border border-line-strong bg-raised p-4 text-sm shadow-pop"
    >
      <p className="min-w-0 grow text-bad">This could not be opened: its file did not load.</p>
      <Button onClick={again}>Try again</Button>
      <Button onClick={onClose}>Close</Button>
    </div>
  );
}

/** Of what only adds to a screen that is whole without it. */
export const FailedQuietly = () => null;
