import { GitMerge } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { FIELD_LABELS, type Rebased, type UserDraft } from './user-draft.ts';

const words = (value: UserDraft[keyof UserDraft]): string =>
  value === true ? 'yes' : value === false ? 'no' : value === '' ? 'empty' : value;

/** Somebody else saved first: what was taken over from them, and where mine would replace theirs. */
export function OvertakenNote({ rebased }: { rebased: Rebased }) {
  const { taken, contested } = rebased;
  const note = useRef<HTMLDivElement>(null);
  // The form may be scrolled to its end, where the save button was pressed.
  useEffect(() => {
    if (taken.length + contested.length > 0) note.current?.scrollIntoView({ block: 'nearest' });
  }, [taken, contested]);
  return (
    <div ref={note} role="alert" className="flex items-start gap-3 rounded-xl border border-warn/40 bg-warn-bg px-4 py-3">
      <GitMerge size={18} aria-hidden="true" className="mt-0.5 shrink-0 text-warn" />
      <div className="min-w-0 text-[13px]">
        <p className="text-sm font-semibold text-warn">Changed meanwhile by somebody else</p>
        <p className="pt-1">Your changes are still here, on top of the newest version. Nothing has been saved yet: check and save again.</p>
        {taken.length > 0 ? <p className="pt-1">Taken over: {taken.map((field) => FIELD_LABELS[field]).join(', ')}.</p> : null}
        {contested.map(({ field, theirs }) => (
          <p key={field} className="pt-1 break-words">
            <span className="font-medium">{FIELD_LABELS[field]}</span> is now “{words(theirs)}”; saving replaces it with yours.
          </p>
        ))}
      </div>
    </div>
  );
}
