import { useRef, useState } from 'react';
import { detailOf } from '../../api/errors.ts';
import { useServices } from '../../api/services.ts';
import { saveFile } from '../../lib/csv.ts';
import { useToast } from '../../ui/toast.tsx';
import { auditCsv } from './audit-csv.ts';
import type { AuditSearch } from './audit-search.ts';
import { EXPORT_MAX, exportAudit } from './queries.ts';

/** Export of the matching entries with its progress; a second press stops it. */
export function useAuditExport(search: AuditSearch) {
  const { api } = useServices();
  const toast = useToast();
  const [rows, setRows] = useState<number | null>(null);
  const running = useRef<AbortController | null>(null);
  const run = async () => {
    const abort = new AbortController();
    running.current = abort;
    setRows(0);
    try {
      const { entries, complete } = await exportAudit(api, search, { onProgress: setRows, signal: abort.signal });
      saveFile(`nwms-audit-${new Date().toISOString().slice(0, 10)}.csv`, auditCsv(entries));
      const n = entries.length.toLocaleString('en-US');
      if (complete) toast(`${n} entries exported`);
      else
        toast(
          `Only the newest ${n} entries were exported (at most ${EXPORT_MAX.toLocaleString('en-US')}): filter to get the others`,
          'bad',
        );
    } catch (error) {
      toast(abort.signal.aborted ? 'Export stopped' : `Export failed: ${detailOf(error, 'Operation failed')}`, 'bad');
    } finally {
      running.current = null;
      setRows(null);
    }
  };
  return { rows, toggle: () => (running.current ? running.current.abort() : void run()) };
}
