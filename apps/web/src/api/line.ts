import type { RouteSpec } from '@nwms/contract';

/**
 * Method and path of one contract route, with the route's type but not its schemas: a page that loaded every schema would weigh
 * three times as much. The compiler holds both words to the route object. A whole route object fits too.
 */
export interface Line<R extends RouteSpec> {
  readonly method: R['method'];
  readonly path: R['path'];
  /** Never set; carries the type. */
  readonly route?: R;
}

/** `line<typeof admin.listUsers>('GET', '/auth/admin/users')`, with `import type { admin } from '@nwms/contract'`. */
export const line = <const R extends RouteSpec>(method: R['method'], path: R['path']): Line<R> => ({ method, path });
