import { Link, useNavigate } from '@tanstack/react-router';
import { LogOut } from 'lucide-react';
import { useState } from 'react';
import { useServices } from '../../api/services.ts';
import { useUser } from '../../api/session.ts';
import type { User } from '../../api/user.ts';
import { PLACES, type PlacePath } from '../../lib/places.ts';
import { Popover } from '../../ui/popover.tsx';
import { PLACE_ICONS } from './place-icons.ts';

/** screens without a place in the sidebar. */
const OWN_PLACES: readonly PlacePath[] = ['/notifications', '/advanced-features'];
const ITEM = 'target flex w-full items-center gap-3 rounded-lg px-2 text-left text-sm font-medium';

/** SHELL-07: who is signed in, and the way out. */
export function UserMenu() {
  const [open, setOpen] = useState(false);
  const user = useUser();
  if (!user) return null;
  return (
    <Popover
      // What is seen is part of what is said: who speaks to the device says what they see.
      label={`Account of ${user.username} (${initials(user)})`}
      open={open}
      onOpenChange={setOpen}
      triggerClassName="target inline-flex min-w-9 items-center justify-center rounded-full"
      trigger={
        <span
          aria-hidden="true"
          className="inline-flex size-8 items-center justify-center rounded-full bg-accent-bg text-xs font-semibold text-accent"
        >
          {initials(user)}
        </span>
      }
    >
      <Person user={user} />
      <AccountLinks onGo={() => setOpen(false)} />
    </Popover>
  );
}

export function Person({ user }: { user: User }) {
  return (
    <div className="min-w-0 px-2 pb-3">
      <p className="truncate text-sm font-semibold">{user.username}</p>
      <p className="truncate text-[13px] text-muted">{user.email}</p>
    </div>
  );
}

/** Also at the end of the slide-over on phones. */
export function AccountLinks({ onGo }: { onGo: () => void }) {
  const { session } = useServices();
  const navigate = useNavigate();
  return (
    <ul className="flex flex-col gap-0.5 border-t border-line pt-2">
      {PLACES.filter(({ path }) => OWN_PLACES.includes(path)).map(({ path, label }) => {
        const Icon = PLACE_ICONS[path];
        return (
          <li key={path}>
            <Link to={path} onClick={onGo} className={`${ITEM} text-muted hover:bg-hover hover:text-text`}>
              <Icon size={17} aria-hidden="true" />
              {label}
            </Link>
          </li>
        );
      })}
      <li>
        <button
          type="button"
          className={`${ITEM} text-muted hover:bg-hover hover:text-text`}
          onClick={() => {
            onGo();
            void session.signOut();
            void navigate({ to: '/login', replace: true });
          }}
        >
          <LogOut size={17} aria-hidden="true" />
          Sign out
        </button>
      </li>
    </ul>
  );
}

/** "AA" for Ada Admin, else the beginning of the user name. */
export function initials({ full_name, username }: Pick<User, 'full_name' | 'username'>): string {
  const words = (full_name ?? '').split(' ').filter(Boolean);
  const letters = words.length > 1 ? `${[...(words[0] ?? '')][0] ?? ''}${[...(words.at(-1) ?? '')][0] ?? ''}` : '';
  return (letters || [...username].slice(0, 2).join('')).toUpperCase();
}
