/** Signs pages in as the local identity provider does it for people: an ID token of its own, then the same call as with Google. */
import type { BrowserContext, Page } from 'playwright-core';

export interface Person {
  name: string;
  email: string;
}

/** The first to sign in at a server becomes its administrator. */
export const ADMIN: Person = { name: 'Ada Admin', email: 'ada@example.test' };
export const MEMBER: Person = { name: 'Max Member', email: 'max@example.test' };

/** What `POST /auth/google` answers. */
export interface Login {
  access_token: string;
  user: { id: string; username: string; role: 'user' | 'admin' } & Record<string, unknown>;
}

async function post<T>(url: string, body: unknown): Promise<T> {
  const response = await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

/** One more session of this person at the server of this address. */
export async function logIn(url: string, person: Person): Promise<Login> {
  const { token } = await post<{ token: string }>(`${url}/api/v1/auth/local/token`, person);
  return post<Login>(`${url}/api/v1/auth/google`, { token });
}

/** Sessions of an administrator and of a member, made in this order, so that the first claims the administration. */
export async function logInBoth(url: string): Promise<{ admin: Login; member: Login }> {
  const admin = await logIn(url, ADMIN);
  return { admin, member: await logIn(url, MEMBER) };
}

/** Every page of this browser context opens with this session. */
export async function signIn(context: BrowserContext, login: Login): Promise<void> {
  await context.addInitScript(
    ({ token, user }) => {
      // Only once: a page that signs out stays signed out when it is loaded again.
      if (sessionStorage.getItem('e2e-signed-in')) return;
      sessionStorage.setItem('e2e-signed-in', 'yes');
      localStorage.setItem('auth_token', token);
      localStorage.setItem('auth_user', user);
    },
    { token: login.access_token, user: JSON.stringify(login.user) },
  );
}

/** A new page of this session. */
export async function signedInPage(context: BrowserContext, login: Login): Promise<Page> {
  await signIn(context, login);
  return context.newPage();
}
