/**
 * Screens behind the sign-in, by their path. A file of its own, so that the first load of every page does not list their parts: that of
 * the start page is short of room.
 */
const CHARTED = {
  '/intelligence': () => import('../../features/trends/intelligence-page.tsx'),
  '/dashboard': () => import('../../features/usage/dashboard-page.tsx'),
  '/analytics': () => import('../../features/usage/analytics-page.tsx'),
  '/performance': () => import('../../features/usage/performance-page.tsx'),
  '/realtime': () => import('../../features/usage/realtime-page.tsx'),
  '/geographic': () => import('../../features/usage/geographic-page.tsx'),
  '/admin/monitoring': () => import('../../features/usage/monitoring/monitoring-page.tsx'),
} as const;
const SCREENS = {
  ...CHARTED,
  '/api-keys': () => import('./api-keys-page.tsx'),
  '/admin': () => import('../../features/admin/admin-page.tsx'),
  '/admin/users': () => import('../../features/admin/users-page.tsx'),
  '/admin/settings': () => import('../../features/settings/settings-page.tsx'),
  '/admin/audit': () => import('../../features/audit/audit-page.tsx'),
} as const;
export type ScreenPath = keyof typeof SCREENS;

/** The module of a screen; with it the drawing library where there are charts, also when only a link to it is pointed at. */
export function loadScreen(path: ScreenPath) {
  // Drawn later by whoever needs it; a failure is told there.
  if (path in CHARTED) import('../../ui/chart/chart-engine.ts').catch(() => {});
  return SCREENS[path]();
}
