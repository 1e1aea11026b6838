import { Link } from '@tanstack/react-router';
import { Info } from 'lucide-react';

/** SETT-01 in the words of R-05: what holds for every setting here. */
export function ImportantNotes({ waiting }: { waiting: number }) {
  return (
    <section aria-label="Important Notes" className="card px-4 py-4">
      <h2 className="flex items-center gap-2 text-base font-semibold">
        <Info size={17} aria-hidden="true" className="text-muted" /> Important Notes
      </h2>
      <ul className="flex list-disc flex-col gap-2 pt-3 pl-5 text-[13px] text-muted marker:text-line-strong">
        <li>
          Settings are stored on the server and hold for everybody. Beside each of them stands when a change takes effect; most do at once.
        </li>
        <li>
          {waiting === 0
            ? 'Nothing waits for a system restart at the moment.'
            : `${waiting === 1 ? 'One setting waits' : `${waiting} settings wait`} for a system restart; each says so beside it.`}
        </li>
        <li>Limits here are what new users and new keys start with. Those that exist keep their own.</li>
        <li>A value outside its range is refused with the reason, never adjusted.</li>
        <li>If somebody else saves while you edit, you see what they changed before you save, and your edits stay.</li>
        <li>
          Every save is written to the{' '}
          <Link to="/admin/audit" search={{ action: 'settings.saved' }} className="font-medium text-accent underline">
            audit log
          </Link>{' '}
          with the values before and after.
        </li>
      </ul>
    </section>
  );
}
