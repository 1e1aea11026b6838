import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { type RouterHistory, RouterProvider } from '@tanstack/react-router';
import { ServicesContext } from '../api/services.ts';
import { SessionContext } from '../api/session.ts';
import { guardSinks } from '../lib/trusted-types.ts';
import { createAppRouter } from './router.tsx';
import { createServices } from './services.ts';
import { watchErrors } from './watch-errors.ts';

/** Builds everything the page is made of, once; with services.ts the only place that knows all of it. `history`: as for createAppRouter. */
export function createApp(win: Window & typeof globalThis, history?: RouterHistory) {
  guardSinks(win);
  const services = createServices(win);
  const { session } = services;
  const errors = watchErrors(win, services.api);
  const router = createAppRouter(session, history);
  session.start();
  // What is known at once, that nobody is signed in, is no change.
  let known = session.state().status;
  session.subscribe(() => {
    const now = session.state().status;
    if (now === known) return;
    known = now;
    // Signing in moves on by itself (AUTH-08); an end leads to the sign-in, with the way back unless its member meant to leave.
    if (now !== 'signed-in') void router.invalidate();
  });
  function App() {
    return (
      <CSPProvider disableStyleElements>
        <ServicesContext value={services}>
          <SessionContext value={session}>
            <QueryClientProvider client={services.queries}>
              <RouterProvider router={router} />
            </QueryClientProvider>
          </SessionContext>
        </ServicesContext>
      </CSPProvider>
    );
  }
  return { App, errors, router, services };
}
