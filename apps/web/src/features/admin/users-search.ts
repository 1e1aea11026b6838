/** What the address of the user list says. */
export interface UsersSearch {
  q?: string | undefined;
  role?: 'admin' | 'user' | undefined;
  status?: 'active' | 'inactive' | undefined;
  sort?: UserSort | undefined;
  /** From 1. */
  page?: number | undefined;
}

/** Orders the server knows; a dash reverses. The newest account comes first unless said. */
export const USER_SORTS = ['created_at', 'username', 'last_login', 'total_api_requests'] as const;
export type UserSort = (typeof USER_SORTS)[number] | `-${(typeof USER_SORTS)[number]}`;
export const DEFAULT_SORT: UserSort = '-created_at';

/** USER-04. */
export const PAGE_SIZE = 25;
/** The server pages no further than this many rows from the start. */
const MAX_OFFSET = 10_000;
const LAST_PAGE = MAX_OFFSET / PAGE_SIZE + 1;

const isSort = (value: unknown): value is UserSort =>
  typeof value === 'string' && (USER_SORTS as readonly string[]).includes(value.startsWith('-') ? value.slice(1) : value);

/** Reads an address, whoever wrote it: what cannot be meant is left out. */
export function readUsersSearch(search: Record<string, unknown>): UsersSearch {
  const { q, role, status, sort, page } = search;
  const number = Number(page);
  return {
    q: typeof q === 'string' && q.trim() !== '' ? q.slice(0, 100) : undefined,
    role: role === 'admin' || role === 'user' ? role : undefined,
    status: status === 'active' || status === 'inactive' ? status : undefined,
    sort: isSort(sort) && sort !== DEFAULT_SORT ? sort : undefined,
    page: Number.isInteger(number) && number > 1 ? Math.min(number, LAST_PAGE) : undefined,
  };
}

/** The query of the server for this address. */
export function usersQuery(search: UsersSearch) {
  const q = search.q?.trim();
  return {
    offset: ((search.page ?? 1) - 1) * PAGE_SIZE,
    limit: PAGE_SIZE,
    order_by: search.sort ?? DEFAULT_SORT,
    ...(search.role ? { role: search.role } : {}),
    ...(search.status ? { is_active: search.status === 'active' } : {}),
    ...(q ? { q } : {}),
  };
}

/** USER-01: what the loaded page alone can say at once, while the server is asked about all users. */
export function matches(user: { username: string; email: string; full_name: string | null }, q: string): boolean {
  const fold = (text: string) => text.normalize('NFKC').toLowerCase();
  const wanted = fold(q.trim());
  return [user.username, user.email, user.full_name ?? ''].some((text) => fold(text).includes(wanted));
}

export interface PageWords {
  /** 'Showing 26 to 50 of 1,234 results' */
  showing: string;
  /** 'Page 2 of 50' */
  page: string;
  pages: number;
  /** More rows exist than can be paged to. */
  beyond: boolean;
}

/** Texts of USER-04. Null when everything fits on one page. */
export function pageWords(page: number, rows: number, total: number): PageWords | null {
  const all = Math.ceil(total / PAGE_SIZE);
  if (all <= 1 && page <= 1) return null;
  const pages = Math.max(Math.min(all, LAST_PAGE), 1);
  const first = rows === 0 ? 0 : (page - 1) * PAGE_SIZE + 1;
  const last = rows === 0 ? 0 : first + rows - 1;
  const n = (value: number) => value.toLocaleString('en-US');
  return {
    showing: `Showing ${n(first)} to ${n(last)} of ${n(total)} results`,
    page: `Page ${n(page)} of ${n(pages)}`,
    pages,
    beyond: all > LAST_PAGE,
  };
}
