import { GitMerge } from 'lucide-react';
import { type MeanwhileChange, wordsOf } from './settings-draft.ts';

/** Somebody else saved first: what they changed, setting by setting. My edits are kept and not yet saved. */
export function MeanwhileNote({ changes, by }: { changes: readonly MeanwhileChange[]; by: string | null }) {
  return (
    <div role="alert" className="flex items-start gap-3 rounded-xl border border-warn/40 bg-warn-bg px-4 py-3">
      <GitMerge size={18} aria-hidden="true" className="mt-0.5 shrink-0 text-warn" />
      <div className="min-w-0 flex-1">
        <p className="font-semibold text-warn">Changed meanwhile{by ? ` by ${by}` : ''}</p>
        <p className="pt-1 text-[13px]">
          Nothing has been saved yet. Your edits are kept, on top of the newest values: check and save again.
        </p>
        <ul className="tnum flex flex-col gap-1 pt-2 text-[13px]">
          {changes.map(({ field, before, now, mine }) => (
            <li key={field.path} className="break-words">
              <span className="font-medium">{field.label}</span>: was {wordsOf(field, before)}, is now {wordsOf(field, now)}
              {mine === null ? '.' : `; yours is ${wordsOf(field, mine)} and will replace it.`}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
