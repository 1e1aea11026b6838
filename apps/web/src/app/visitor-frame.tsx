import { Link, Outlet } from '@tanstack/react-router';
import { CONNECTION_NOTICE, useSession } from '../api/session.ts';
import { homeOf } from '../lib/access.ts';
import { useOnline } from '../lib/use-online.ts';
import { usePathname } from '../lib/use-pathname.ts';
import { Alive } from '../ui/alive.tsx';
import { Part } from '../ui/part.tsx';
import { BarArea } from './bar-area.tsx';
import { Logo } from './shell/logo.tsx';
import { ThemeToggle } from './theme-toggle.tsx';

const loadLastKnown = async () => (await import('../features/alerts/last-known/last-known-panel.tsx')).LastKnownPanel;
/** Where even that cannot be loaded, the strips say what is the matter. */
const Nothing = () => null;

const ACTION = 'target inline-flex items-center rounded-lg px-3.5 text-sm font-medium whitespace-nowrap';

/** Around the start page and the sign-in: a bar of its own and no sidebar. */
export function VisitorFrame() {
  const pathname = usePathname();
  const session = useSession();
  const online = useOnline();
  // A start without the server leads here: what this device heard last is all there is to show.
  const isCutOff = !online || (session.status === 'anonymous' && session.notice === CONNECTION_NOTICE);
  return (
    <>
      <BarArea>
        <header className="border-b border-line bg-surface">
          <div className="mx-auto flex h-14 max-w-[1200px] items-center gap-1 px-4 sm:px-6">
            <Link to="/" aria-label="NWMS, start page" className="target mr-auto inline-flex items-center gap-2.5 text-base font-bold">
              <Logo />
              NWMS
            </Link>
            <a href="/docs" className={`${ACTION} text-muted hover:bg-hover hover:text-text max-sm:hidden`}>
              API Reference
            </a>
            <Alive>
              <ThemeToggle />
            </Alive>
            {session.status === 'signed-in' ? (
              <Link to={homeOf(session.user)} className={`${ACTION} ml-1 bg-accent text-on-accent hover:bg-accent-strong`}>
                {homeOf(session.user) === '/admin' ? 'Admin Dashboard' : 'Weather Alerts'}
              </Link>
            ) : pathname === '/login' ? null : (
              <Link to="/login" className={`${ACTION} ml-1 bg-accent text-on-accent hover:bg-accent-strong`}>
                Login
              </Link>
            )}
          </div>
        </header>
      </BarArea>
      {isCutOff ? <Part load={loadLastKnown} Failed={Nothing} /> : null}
      <Outlet />
    </>
  );
}
