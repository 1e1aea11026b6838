import { Outlet } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useUser } from '../../api/session.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { FailedPart } from '../../ui/part-failed.tsx';
import { ToastArea } from '../../ui/toast.tsx';
import { BarArea } from '../bar-area.tsx';
import { PageSpinner } from '../page-spinner.tsx';
import { Sidebar } from './sidebar.tsx';
import { TopBar } from './top-bar.tsx';

/** Needed once in the life of an account, if ever. */
const PasswordGate = lazyPart({
  load: async () => (await import('./password-gate.tsx')).PasswordGate,
  Waiting: PageSpinner,
  Failed: FailedPart,
});

/** What is around every screen of a member. */
export function Shell() {
  const user = useUser();
  const gated = user?.must_change_password === true;
  const wasGated = useRef(gated);
  useEffect(() => {
    // The form is gone and the keyboard with it: it goes on in the screen that was asked for.
    if (wasGated.current && !gated) document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true });
    wasGated.current = gated;
  }, [gated]);
  if (gated) {
    return (
      <>
        <BarArea />
        <PasswordGate user={user} />
      </>
    );
  }
  return (
    <ToastArea>
      <div className="md:pl-16 side:pl-56">
        <Sidebar />
        <BarArea>
          <TopBar />
        </BarArea>
        <Outlet />
      </div>
    </ToastArea>
  );
}
