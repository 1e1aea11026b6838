import { Link } from '@tanstack/react-router';
import { BellRing } from 'lucide-react';
import { Panel } from '../../../ui/page.tsx';

/** TIME-01: where the push settings are. They stand on a screen of their own, so that they are in one place. */
export function PushCard() {
  return (
    <Panel title="Push notifications">
      <p className="text-[13px] text-muted">
        No alert is pushed to this browser: push is not in this version yet. Its settings will stand on a screen of their own.
      </p>
      <Link to="/notifications" className="target mt-2 inline-flex items-center gap-2 font-medium text-accent hover:underline">
        <BellRing size={16} aria-hidden="true" /> Open the notification settings
      </Link>
    </Panel>
  );
}
