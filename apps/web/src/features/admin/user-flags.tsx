import type { AdminUser } from '@nwms/contract';

const FLAG = 'rounded-md border px-1.5 text-xs leading-5 whitespace-nowrap';

/** Role and what is unusual about an account, in words: colour says nothing that the words do not. */
export function UserFlags({ user, status = false }: { user: AdminUser; status?: boolean }) {
  return (
    <span className="inline-flex flex-wrap gap-1">
      <span
        className={`${FLAG} ${user.role === 'admin' ? 'border-accent/40 bg-accent-bg font-semibold text-accent' : 'border-line-strong text-muted'}`}
      >
        {user.role === 'admin' ? 'Admin' : 'User'}
      </span>
      {status || !user.is_active ? (
        <span className={`${FLAG} ${user.is_active ? 'border-line-strong font-medium' : 'border-dashed border-muted text-muted'}`}>
          {user.is_active ? 'Active' : 'Inactive'}
        </span>
      ) : null}
      {user.locked_until ? <span className={`${FLAG} border-transparent bg-warn-bg font-semibold text-warn`}>Locked</span> : null}
      {user.special_access ? <span className={`${FLAG} border-line-strong text-muted`}>Special access</span> : null}
    </span>
  );
}
