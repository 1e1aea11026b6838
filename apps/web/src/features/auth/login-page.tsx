import { Link, useLocation, useRouter } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { CircleAlert, Info } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useServices } from '../../api/services.ts';
import { useSession } from '../../api/session.ts';
import { destinationAfterSignIn } from '../../lib/access.ts';
import { Button } from '../../ui/button.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { authConfigQuery } from './lines.ts';
import { type SignInFailure, WORDS } from './sign-in-words.ts';
import { type SignIn, useSignIn } from './use-sign-in.ts';
import { takeWayBack } from './way-back.ts';
import { WaysIn } from './ways-in.tsx';

/** AUTH-08: after a sign-in here; whoever comes signed in is sent on at once. */
const MOVE_ON_MS = 200;

/** The sign-in. */
export default function LoginPage() {
  const session = useSession();
  const signIn = useSignIn();
  useMoveOn();
  return (
    <main
      id="main"
      tabIndex={-1}
      // From above, not from the middle: what is loaded later makes the card longer and moves nothing.
      className="rings flex min-h-[calc(100dvh-3.5rem)] flex-col items-center px-4 pt-[max(1.5rem,9dvh)] pb-10 outline-none"
    >
      <div className="card flex w-full max-w-[26rem] flex-col gap-5 p-6 shadow-pop sm:p-8">
        <div className="flex flex-col gap-1.5 text-center">
          <h1 className="text-xl font-bold">Welcome to NWMS</h1>
          <p className="text-muted">Sign in for your alerts, places and API keys.</p>
        </div>
        {session.status === 'loading' ? (
          <div className="grid place-items-center py-10">
            <Spinner label={WORDS.checking} />
          </div>
        ) : session.status === 'signed-in' ? (
          <output className="py-10 text-center">Signed in as {session.user.username}. One moment...</output>
        ) : (
          <Anonymous notice={session.notice} signIn={signIn} />
        )}
      </div>
      <Foot waits={session.status === 'loading'} asked={session.status === 'anonymous'} />
    </main>
  );
}

/** Below a card whose length is known. */
function Foot({ waits, asked }: { waits: boolean; asked: boolean }) {
  const services = useServices();
  const { isPending } = useQuery({ ...authConfigQuery(services), enabled: asked });
  if (waits || (asked && isPending)) return null;
  return (
    <p className="max-w-[26rem] pt-6 text-center text-[13px] text-muted">
      No account is needed to see alerts:{' '}
      <Link to="/" className="underline underline-offset-2">
        the start page
      </Link>{' '}
      and{' '}
      <a href="/docs" className="underline underline-offset-2">
        the API
      </a>{' '}
      are open.
    </p>
  );
}

function Anonymous({ notice, signIn }: { notice: string | null; signIn: SignIn }) {
  const services = useServices();
  const config = useQuery(authConfigQuery(services));
  return (
    <>
      {signIn.failure ? <FailureBox failure={signIn.failure} /> : notice ? <NoticeBox>{notice}</NoticeBox> : null}
      {config.data ? (
        <WaysIn config={config.data} signIn={signIn} />
      ) : config.isError ? (
        <>
          <NoticeBox>The ways to sign in cannot be loaded right now.</NoticeBox>
          <Button onClick={() => void config.refetch()} disabled={config.isFetching}>
            {config.isFetching ? 'Trying again...' : 'Retry'}
          </Button>
          <p className="text-center text-[13px] text-muted">{WORDS.firstAdmin}</p>
        </>
      ) : (
        <div className="flex flex-col gap-4" aria-busy="true">
          <div className="skeleton h-14" />
          <div className="skeleton h-10" />
          <div className="skeleton h-11" />
          <p className="text-center text-[13px] text-muted">{WORDS.firstAdmin}</p>
        </div>
      )}
    </>
  );
}

function FailureBox({ failure }: { failure: SignInFailure }) {
  return (
    <div role="alert" className="flex gap-3 rounded-lg border border-bad bg-bad-bg px-3.5 py-3">
      <CircleAlert size={18} aria-hidden="true" className="mt-0.5 shrink-0 text-bad" />
      <div className="flex min-w-0 flex-col gap-0.5 wrap-anywhere">
        <p className="font-semibold text-bad">{WORDS.failed}</p>
        <p>{failure.message}</p>
        {failure.hint ? <p className="text-[13px] text-muted">{failure.hint}</p> : null}
      </div>
    </div>
  );
}

function NoticeBox({ children }: { children: ReactNode }) {
  return (
    <div role="alert" className="flex gap-3 rounded-lg border border-line-strong bg-warn-bg px-3.5 py-3 text-warn">
      <Info size={18} aria-hidden="true" className="mt-0.5 shrink-0" />
      <p>{children}</p>
    </div>
  );
}

/** AUTH-08, R-18: to the page they came from if their role may open it, else to the home of their role. */
function useMoveOn(): void {
  const session = useSession();
  const router = useRouter();
  const { from } = useLocation().state;
  const wasAnonymous = useRef(false);
  const user = session.status === 'signed-in' ? session.user : null;
  useEffect(() => {
    if (session.status === 'anonymous') wasAnonymous.current = true;
    if (!user) return undefined;
    const go = () => {
      const destination = destinationAfterSignIn(user, from ?? takeWayBack(() => window.sessionStorage));
      // A document that let Google's script in is left for good: the next one has the strict policy again.
      if ('google' in window) window.location.replace(destination);
      else router.history.replace(destination);
    };
    if (!wasAnonymous.current) return go();
    const timer = setTimeout(go, MOVE_ON_MS);
    return () => clearTimeout(timer);
  }, [user, session.status, from, router]);
}
