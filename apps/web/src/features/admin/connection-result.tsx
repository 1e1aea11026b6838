import { CircleCheck, CircleX, X } from 'lucide-react';
import type { ConnectionReport } from './connection-test.ts';

/** Outcome of 'Test Connection'. It stays until it is closed or another test is made. */
export function ConnectionResult({ report, close }: { report: ConnectionReport; close: () => void }) {
  return (
    <div
      role={report.ok ? 'status' : 'alert'}
      className={`flex items-start gap-3 rounded-xl border px-4 py-3 ${report.ok ? 'border-ok/40 bg-ok-bg' : 'border-bad/40 bg-bad-bg'}`}
    >
      {report.ok ? (
        <CircleCheck size={20} aria-hidden="true" className="mt-0.5 shrink-0 text-ok" />
      ) : (
        <CircleX size={20} aria-hidden="true" className="mt-0.5 shrink-0 text-bad" />
      )}
      <div className="min-w-0 flex-1">
        <p className={`font-semibold ${report.ok ? 'text-ok' : 'text-bad'}`}>{report.ok ? 'Connection test successful' : report.title}</p>
        {report.ok ? (
          <dl className="tnum flex flex-wrap gap-x-6 gap-y-1 pt-1 text-[13px]">
            {report.facts.map(({ label, value }) => (
              <div key={label} className="flex gap-1.5">
                <dt className="text-muted">{label}:</dt>
                <dd className="font-medium break-words">{value}</dd>
              </div>
            ))}
          </dl>
        ) : null}
        {!report.ok && report.detail ? <p className="pt-1 text-[13px]">{report.detail}</p> : null}
      </div>
      <button
        type="button"
        aria-label="Close the result"
        onClick={close}
        className="target inline-flex min-w-9 items-center justify-center rounded-lg hover:bg-hover"
      >
        <X size={16} aria-hidden="true" />
      </button>
    </div>
  );
}
