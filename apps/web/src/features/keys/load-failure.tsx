import { TriangleAlert } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { loadFault } from './load-fault.ts';

/** KEY-12: what failed, with status and address; Retry loads the page again. */
export function LoadFailure({ error, url, reload }: { error: unknown; url: string; reload: () => void }) {
  const fault = loadFault(error);
  return (
    <div role="alert" className="card flex flex-col items-center gap-2 px-6 py-10 text-center">
      <TriangleAlert size={26} aria-hidden="true" className="text-bad" />
      <p className="max-w-md font-semibold break-words">{fault.text}</p>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 text-left text-[13px] text-muted">
        <dt>Status:</dt>
        <dd className="tnum">{fault.status ?? 'no answer'}</dd>
        <dt>URL:</dt>
        <dd className="break-all">{url}</dd>
      </dl>
      <Button className="mt-2" onClick={reload}>
        Retry
      </Button>
    </div>
  );
}
