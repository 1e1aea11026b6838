import { Download } from 'lucide-react';
import { useState } from 'react';
import { detailOf } from '../../api/errors.ts';
import { useServices } from '../../api/services.ts';
import { saveFile } from '../../lib/csv.ts';
import { Button } from '../../ui/button.tsx';
import { fileNameOf } from '../../ui/chart/chart-files.ts';
import { useToast } from '../../ui/toast.tsx';

/** A list as the server writes it, whole rather than what is on the screen. */
export function CsvButton({ label, path, query }: { label: string; path: string; query: Record<string, string | number | undefined> }) {
  const { api } = useServices();
  const toast = useToast();
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    try {
      saveFile(`${fileNameOf(label, Date.now())}.csv`, await api.file(path, { ...query, format: 'csv' }));
    } catch (error) {
      toast(`Export failed: ${detailOf(error, 'Operation failed')}`, 'bad');
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button onClick={() => void run()} disabled={busy} aria-label={`${label}: export CSV`}>
      <Download size={15} aria-hidden="true" /> {busy ? 'Exporting...' : 'CSV'}
    </Button>
  );
}
