import type { Serve } from '../../platform/http/serve.ts';
import { registerOverviewRoutes } from './routes-overview.ts';
import { registerUserRoutes } from './routes-users.ts';
import type { AdminDeps } from './types.ts';

export type { AdminDeps, RequestFigures } from './types.ts';

/** Accounts as administrators manage them, and the figures of the dashboard. */
export function registerAdminRoutes(serve: Serve, deps: AdminDeps): void {
  registerOverviewRoutes(serve, deps);
  registerUserRoutes(serve, deps);
}
