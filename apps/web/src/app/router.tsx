import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type ParsedLocation,
  redirect,
  type RouterHistory,
} from '@tanstack/react-router';
import type { SessionStore } from '../api/session.ts';
import { passageTo } from '../lib/access.ts';
import { PLACES, type PlacePath } from '../lib/places.ts';
import { ErrorPage } from './error-page.tsx';
import { Frame } from './frame.tsx';
import { PageSpinner } from './page-spinner.tsx';
import type { ScreenPath } from './pages/screens.ts';

interface RouterContext {
  session: SessionStore;
}

const root = createRootRouteWithContext<RouterContext>()({
  component: Frame,
  notFoundComponent: lazyRouteComponent(() => import('./not-found.tsx'), 'NotFound'),
});

const visitor = createRoute({
  getParentRoute: () => root,
  id: 'visitor',
  component: lazyRouteComponent(() => import('./visitor-frame.tsx'), 'VisitorFrame'),
});
const member = createRoute({
  getParentRoute: () => root,
  id: 'member',
  component: lazyRouteComponent(() => import('./shell/shell.tsx'), 'Shell'),
  beforeLoad: ({ context, location }) => guard(context.session, location),
});

/** Leads away who may not be here; until it is known who it is, the spinner shows (ROLE-03, ROLE-04). */
async function guard(session: SessionStore, location: ParsedLocation): Promise<void> {
  const state = await session.settled();
  const user = state.status === 'signed-in' ? state.user : null;
  const passage = passageTo(location.pathname, user);
  if (passage === 'home') throw redirect({ to: '/weather-alerts', replace: true });
  if (passage === 'open') return;
  // Whoever signed out meant to leave; for everybody else the way back is kept, in the history entry and not in the address (W12).
  const from = session.endedBy() === 'member' ? undefined : location.href;
  throw redirect({ to: '/login', replace: true, state: from === undefined ? {} : { from } });
}

const screen = (path: ScreenPath) => lazyRouteComponent(async () => (await import('./pages/screens.ts')).loadScreen(path));

const page = {
  '/': lazyRouteComponent(() => import('../features/landing/landing-page.tsx')),
  '/login': lazyRouteComponent(() => import('../features/auth/login-page.tsx')),
  alerts: lazyRouteComponent(() => import('./pages/alerts.tsx'), 'Alerts'),
  '/map': lazyRouteComponent(() => import('./pages/map.tsx'), 'WeatherMap'),
  '/advanced-features': lazyRouteComponent(() => import('./pages/advanced-features.tsx'), 'AdvancedFeatures'),
  '/admin': screen('/admin'),
  '/admin/users': screen('/admin/users'),
  '/admin/settings': screen('/admin/settings'),
  '/admin/audit': screen('/admin/audit'),
  '/dashboard': screen('/dashboard'),
  '/analytics': screen('/analytics'),
  '/performance': screen('/performance'),
  '/realtime': screen('/realtime'),
  '/geographic': screen('/geographic'),
  '/admin/monitoring': screen('/admin/monitoring'),
  '/intelligence': screen('/intelligence'),
  '/api-keys': screen('/api-keys'),
  planned: lazyRouteComponent(() => import('./pages/planned.tsx'), 'Planned'),
} as const;

/** Each screen reads its own parameters, with its own code; here they only pass through. */
const passThrough = (search: Record<string, unknown>): Record<string, unknown> => search;

/** ALRT-01: one screen, several addresses. */
const ALERT_PATHS = ['/weather-alerts', '/live-data', '/alerts'] as const;
const alertRoutes = ALERT_PATHS.map((path) =>
  createRoute({
    getParentRoute: () => member,
    path,
    component: page.alerts,
    validateSearch: passThrough,
  }),
);
const visitorRoutes = (['/', '/login'] as const).map((path) => createRoute({ getParentRoute: () => visitor, path, component: page[path] }));
const isAlertPath = (path: PlacePath): boolean => (ALERT_PATHS as readonly PlacePath[]).includes(path);
const otherRoutes = PLACES.filter(({ path, audience }) => audience !== 'visitor' && !isAlertPath(path)).map(({ path }) =>
  createRoute({
    getParentRoute: () => member,
    path,
    component: path in page ? page[path as keyof typeof page] : page.planned,
    validateSearch: passThrough,
  }),
);

const routeTree = root.addChildren([visitor.addChildren(visitorRoutes), member.addChildren([...alertRoutes, ...otherRoutes])]);

/** `history`: where the pages are when that is not the window's own address. */
export const createAppRouter = (session: SessionStore, history?: RouterHistory) =>
  createRouter({
    routeTree,
    // Without a window nobody says whose pages these are; all of their links begin with a slash.
    ...(history ? { history, origin: 'http://localhost' } : {}),
    context: { session },
    defaultPreload: 'intent',
    defaultPendingMs: 0,
    defaultPendingMinMs: 0,
    defaultPendingComponent: PageSpinner,
    defaultErrorComponent: ErrorPage,
    // Rendered outside a window it would leave an inline script, which no page policy of ours lets run.
    scrollRestoration: history === undefined,
    trailingSlash: 'never',
  });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
  interface HistoryState {
    /** Address that asked for a sign-in; read it through `samePlace` only. */
    from?: string;
  }
}
