import type { AdminUser } from '@nwms/contract';
import { useNavigate } from '@tanstack/react-router';
import { Copy, LockOpen, LogOut, Pencil, ScrollText, Trash2 } from 'lucide-react';
import { RowMenu } from '../../ui/row-menu.tsx';

const ICON =
  'target inline-flex min-w-9 items-center justify-center rounded-lg text-muted enabled:hover:bg-hover enabled:hover:text-text disabled:opacity-40';

/** What can be done with an account from its row. */
export interface UserDeeds {
  edit: (user: AdminUser) => void;
  remove: (user: AdminUser) => void;
  endSessions: (user: AdminUser) => void;
  unlock: (user: AdminUser) => void;
}

/** USER-03: edit, delete, and what is done more rarely. `own`: the account of whoever looks. */
export function RowActions({ user, own, deeds }: { user: AdminUser; own: boolean; deeds: UserDeeds }) {
  const navigate = useNavigate();
  return (
    <div className="flex items-center gap-0.5">
      <button type="button" className={ICON} aria-label={`Edit ${user.username}`} title="Edit" onClick={() => deeds.edit(user)}>
        <Pencil size={16} aria-hidden="true" />
      </button>
      <button
        type="button"
        className={`${ICON} enabled:hover:text-bad`}
        aria-label={own ? `Delete ${user.username}: nobody deletes their own account here` : `Delete ${user.username}`}
        title={own ? 'Nobody deletes their own account here' : 'Delete'}
        disabled={own}
        onClick={() => deeds.remove(user)}
      >
        <Trash2 size={16} aria-hidden="true" />
      </button>
      <RowMenu
        label={`More for ${user.username}`}
        actions={[
          {
            label: 'Unlock',
            icon: <LockOpen size={16} aria-hidden="true" />,
            run: () => deeds.unlock(user),
            disabled: user.locked_until === null,
          },
          { label: 'End sessions', icon: <LogOut size={16} aria-hidden="true" />, run: () => deeds.endSessions(user) },
          {
            label: 'Audit log of this user',
            icon: <ScrollText size={16} aria-hidden="true" />,
            run: () => void navigate({ to: '/admin/audit', search: { target: user.id } }),
          },
          { label: 'Copy id', icon: <Copy size={16} aria-hidden="true" />, run: () => void navigator.clipboard.writeText(user.id) },
        ]}
      />
      {own ? <span className="pl-1 text-xs text-muted">You</span> : null}
    </div>
  );
}
