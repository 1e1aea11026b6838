import { Link } from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import { useSession } from '../api/session.ts';
import { homeOf } from '../lib/access.ts';
import { Notice } from '../ui/notice.tsx';
import { BarArea } from './bar-area.tsx';

/** An address that is none of the product's. */
export function NotFound() {
  const session = useSession();
  const to = session.status === 'signed-in' ? homeOf(session.user) : '/';
  return (
    <>
      <BarArea />
      <main id="main" tabIndex={-1} className="mx-auto flex min-h-[70dvh] max-w-lg flex-col justify-center outline-none">
        <h1 className="sr-only">Page not found</h1>
        <Notice
          icon={<Compass size={32} aria-hidden="true" />}
          title="There is no such page"
          action={
            <Link
              to={to}
              className="target inline-flex items-center rounded-lg bg-accent px-4 font-medium text-on-accent hover:bg-accent-strong"
            >
              {to === '/' ? 'To the start page' : 'Back to work'}
            </Link>
          }
        >
          The address may be old or mistyped. This says nothing about the weather.
        </Notice>
      </main>
    </>
  );
}
