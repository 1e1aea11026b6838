/** Who may open a screen. Comfort only: the server decides for itself (W1). */
export type Audience = 'visitor' | 'member' | 'admin';
export type Section = 'main' | 'analytics' | 'administration';

export interface Place {
  path: string;
  /** Words of its menu entry and of the palette. */
  label: string;
  /** Heading of the screen and title of the document (SHELL-10). */
  title: string;
  audience: Audience;
  /** Where it stands in the sidebar; without one it is reached otherwise. */
  section?: Section;
  /** Highlighted only when the address is exactly this (SHELL-02). */
  exact?: boolean;
}

/** Every address of the product, in the order of the menus (ROLE-03 to ROLE-05, SHELL-01 to SHELL-03). */
export const PLACES = [
  { path: '/', label: 'Start page', title: 'Weather alerts for people and programs', audience: 'visitor' },
  { path: '/login', label: 'Login', title: 'Sign in', audience: 'visitor' },

  { path: '/my-dashboard', label: 'My Dashboard', title: 'Personalized Weather Dashboard', audience: 'member', section: 'main' },
  { path: '/weather-alerts', label: 'Weather Alerts', title: 'Weather Alerts Dashboard', audience: 'member', section: 'main' },
  { path: '/ai-insights', label: 'AI Weather Insights', title: 'AI Weather Insights', audience: 'member', section: 'main' },
  { path: '/weather-intelligence', label: 'Weather Intelligence', title: 'Weather Intelligence', audience: 'member', section: 'main' },
  { path: '/map', label: 'Weather Map', title: 'Weather Alerts Map', audience: 'member', section: 'main' },
  { path: '/intelligence', label: 'Intelligence', title: 'Intelligence Analytics', audience: 'member', section: 'main' },
  { path: '/api-keys', label: 'API Keys', title: 'API Keys', audience: 'member', section: 'main' },
  { path: '/live-data', label: 'Live Data', title: 'Weather Alerts Dashboard', audience: 'member' },
  { path: '/alerts', label: 'Alerts', title: 'Weather Alerts Dashboard', audience: 'member' },
  { path: '/notifications', label: 'Notifications', title: 'Notification Settings', audience: 'member' },
  { path: '/advanced-features', label: 'Advanced Features', title: 'Advanced Features', audience: 'member' },

  { path: '/dashboard', label: 'Dashboard', title: 'Analytics Dashboard', audience: 'admin', section: 'analytics', exact: true },
  { path: '/analytics', label: 'Analytics', title: 'Detailed Analytics', audience: 'admin', section: 'analytics' },
  { path: '/performance', label: 'Performance', title: 'Performance Analytics', audience: 'admin', section: 'analytics' },
  {
    path: '/realtime',
    label: 'Real-time & Geographic',
    title: 'Real-time & Geographic Analytics',
    audience: 'admin',
    section: 'analytics',
  },
  { path: '/geographic', label: 'Geographic', title: 'Geographic Analytics', audience: 'admin', section: 'analytics' },
  { path: '/admin', label: 'Admin Dashboard', title: 'Admin Dashboard', audience: 'admin', section: 'administration', exact: true },
  { path: '/admin/users', label: 'User Management', title: 'User Management', audience: 'admin', section: 'administration' },
  { path: '/admin/settings', label: 'System Settings', title: 'System Settings', audience: 'admin', section: 'administration' },
  { path: '/admin/monitoring', label: 'API Monitoring', title: 'API Usage Monitoring', audience: 'admin', section: 'administration' },
  { path: '/admin/audit', label: 'Audit Log', title: 'Audit Log', audience: 'admin', section: 'administration' },
] as const satisfies readonly Place[];

export type PlacePath = (typeof PLACES)[number]['path'];

/** The place of an address without its query; a slash at the end does not matter. */
export function placeAt(pathname: string): Place | undefined {
  const path = pathname.length > 1 && pathname.endsWith('/') ? pathname.slice(0, -1) : pathname;
  return PLACES.find((place) => place.path === path);
}
