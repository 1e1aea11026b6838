import { CircleCheck, TriangleAlert } from 'lucide-react';
import { ALL_FIELDS } from './setting-fields.ts';

export type SaveResult =
  | { ok: true; appliedNow: readonly string[]; waiting: readonly string[] }
  /** `detail`: what the server said, when it said more than that it failed. */
  | { ok: false; detail: string | null };

const labelOf = (path: string): string => ALL_FIELDS.find((field) => field.path === path)?.label ?? path;

/** SETT-03: the texts of the specification, and after them what is true of this very save. */
export function SaveOutcome({ result }: { result: SaveResult | null }) {
  return (
    <div role={result && !result.ok ? 'alert' : 'status'} className="empty:-mt-4">
      {result?.ok ? (
        <div className="flex items-start gap-3 rounded-xl border border-ok/40 bg-ok-bg px-4 py-3">
          <CircleCheck size={18} aria-hidden="true" className="mt-0.5 shrink-0 text-ok" />
          <div className="min-w-0">
            <p className="font-semibold text-ok">Settings saved successfully! Changes will take effect after system restart.</p>
            <p className="pt-1 text-[13px]">
              {result.appliedNow.length > 0 ? `Already in effect, without a restart: ${result.appliedNow.map(labelOf).join(', ')}. ` : ''}
              {result.waiting.length > 0
                ? `Waiting for the restart: ${result.waiting.map(labelOf).join(', ')}.`
                : 'Nothing waits for a restart.'}
            </p>
          </div>
        </div>
      ) : null}
      {result && !result.ok ? (
        <div className="flex items-start gap-3 rounded-xl border border-bad/40 bg-bad-bg px-4 py-3">
          <TriangleAlert size={18} aria-hidden="true" className="mt-0.5 shrink-0 text-bad" />
          <div className="min-w-0">
            <p className="font-semibold text-bad">Failed to save settings. Please try again.</p>
            {result.detail ? <p className="pt-1 text-[13px] break-words">{result.detail}</p> : null}
          </div>
        </div>
      ) : null}
    </div>
  );
}
