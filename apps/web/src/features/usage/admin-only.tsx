import { Lock } from 'lucide-react';

/** ANLY-03: in place of the figures of the overview when the server refuses them. */
export function AdminOnlyCard() {
  return (
    <div className="card col-span-full flex items-center gap-3 p-4">
      <Lock size={18} aria-hidden="true" className="text-muted" />
      <div>
        <p className="font-semibold">Admin Only</p>
        <p className="text-[13px] text-muted">Admin access required</p>
      </div>
    </div>
  );
}
