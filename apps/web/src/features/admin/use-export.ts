import { useRef, useState } from 'react';
import { detailOf } from '../../api/errors.ts';
import { useServices } from '../../api/services.ts';
import { saveFile } from '../../lib/csv.ts';
import type { ToastTone } from '../../ui/toast.tsx';
import { exportUsers } from './queries.ts';
import { usersCsv } from './users-csv.ts';
import type { UsersSearch } from './users-search.ts';

/** Export of every matching account with its progress; a second press stops it. */
export function useExport(search: UsersSearch, say: (text: string, tone: ToastTone) => void) {
  const { api } = useServices();
  const [share, setShare] = useState<number | null>(null);
  const running = useRef<AbortController | null>(null);
  const run = async () => {
    const abort = new AbortController();
    running.current = abort;
    setShare(0);
    try {
      const { users, total } = await exportUsers(api, search, { onProgress: setShare, signal: abort.signal });
      saveFile(`nwms-users-${new Date().toISOString().slice(0, 10)}.csv`, usersCsv(users));
      const all = users.length >= total;
      const n = (value: number) => value.toLocaleString('en-US');
      say(
        all
          ? `${n(users.length)} users exported`
          : `Only the oldest ${n(users.length)} of ${n(total)} users were exported: filter to get the others`,
        all ? 'ok' : 'bad',
      );
    } catch (error) {
      say(abort.signal.aborted ? 'Export stopped' : `Export failed: ${detailOf(error, 'Operation failed')}`, 'bad');
    } finally {
      running.current = null;
      setShare(null);
    }
  };
  return { share, toggle: () => (running.current ? running.current.abort() : void run()) };
}
