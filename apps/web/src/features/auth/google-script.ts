import { GoogleBroken } from './sign-in-words.ts';

/** The part of Google Identity Services that is used. */
export interface GoogleIdentity {
  initialize(options: {
    client_id: string;
    nonce: string;
    ux_mode: 'popup';
    auto_select: false;
    callback: (answer: { credential?: string }) => void;
  }): void;
  renderButton(place: HTMLElement, look: Record<string, string | number>): void;
}

const ADDRESS = 'https://accounts.google.com/gsi/client';
/** Milliseconds; a blocked script may neither load nor fail. */
const PATIENCE_MS = 15_000;

const identityOf = (win: Window): GoogleIdentity | null =>
  (win as { google?: { accounts?: { id?: GoogleIdentity } } }).google?.accounts?.id ?? null;

/** Loads Google's script, once per document. Only the sign-in page may: its policy alone allows the address. @throws GoogleBroken */
export function loadGoogle(win: Window): Promise<GoogleIdentity> {
  const known = identityOf(win);
  if (known) return Promise.resolve(known);
  return new Promise((found, failed) => {
    const script = win.document.createElement('script');
    const fail = (cause: unknown) => {
      script.remove();
      failed(new GoogleBroken(cause));
    };
    const timer = win.setTimeout(() => fail('timeout'), PATIENCE_MS);
    script.src = ADDRESS;
    script.async = true;
    script.addEventListener('error', (event) => {
      win.clearTimeout(timer);
      fail(event);
    });
    script.addEventListener('load', () => {
      win.clearTimeout(timer);
      const identity = identityOf(win);
      if (identity) found(identity);
      else fail('no identity');
    });
    win.document.head.append(script);
  });
}

/** Whether this document came with the sign-in page's own policy; a page reached by links inside the application did not. */
export function hasSignInPolicy(win: Window): boolean {
  const [entry] = win.performance.getEntriesByType('navigation');
  return entry !== undefined && new URL(entry.name).pathname === '/login';
}
