import { Link } from '@tanstack/react-router';
import { useUser } from '../../api/session.ts';
import { PlaceMenu } from './place-menu.tsx';
import { Logo } from './logo.tsx';

/** A rail of icons on medium screens, with words on wide ones; on phones the same stands in a slide-over. */
export function Sidebar() {
  return (
    <div className="fixed top-0 bottom-(--ticker-height) left-0 z-30 hidden w-16 flex-col border-r border-line bg-surface md:flex side:w-56">
      <Link
        to="/"
        className="flex h-14 shrink-0 items-center gap-2.5 px-5 text-base font-bold max-side:justify-center max-side:px-0"
        aria-label="NWMS, start page"
      >
        <Logo />
        <span className="max-side:hidden">NWMS</span>
      </Link>
      <nav aria-label="Main" className="min-h-0 grow overflow-y-auto px-3 pb-3 max-side:px-2.5">
        <PlaceMenu />
      </nav>
      <Standing />
    </div>
  );
}

/** SHELL-04: the role, capitalised, and what it may ask per minute. */
export function Standing() {
  const user = useUser();
  if (!user) return null;
  return (
    <p className="mx-3 flex shrink-0 items-center justify-between gap-2 border-t border-line px-2 py-3 text-[13px] max-side:md:flex-col max-side:md:gap-0 max-side:md:px-0 max-side:md:text-xs">
      <span className="font-semibold">{capitalised(user.role)}</span>
      <span className="tnum text-muted">{user.api_rate_limit_per_minute}/min</span>
    </p>
  );
}

export const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
