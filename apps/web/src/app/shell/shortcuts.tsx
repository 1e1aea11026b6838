import { Dialog } from '../../ui/dialog.tsx';
import { SHORTCUTS } from './palette-keys.ts';

/** What `?` shows. */
export function Shortcuts({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title="Keyboard shortcuts" size="small">
      <dl className="flex flex-col gap-3">
        {SHORTCUTS.map(({ keys, does }) => (
          <div key={does} className="flex items-baseline justify-between gap-6">
            <dt className="text-sm">{does}</dt>
            <dd className="flex shrink-0 gap-1">
              {keys.map((key) => (
                <kbd key={key} className="rounded border border-line-strong bg-hover px-1.5 py-0.5 font-sans text-xs font-medium">
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
