import { useNavigate } from '@tanstack/react-router';
import { useServices } from '../../api/services.ts';
import type { User } from '../../api/user.ts';
import { NewPasswordForm } from '../../features/auth/new-password-form.tsx';
import { Button } from '../../ui/button.tsx';
import { useHeadFocus } from './use-head-focus.ts';

/**
 * In place of every screen while the password is one that an administrator chose: the server answers nothing else either. The address stays,
 * so that the screen that was asked for opens afterwards.
 */
export function PasswordGate({ user }: { user: User }) {
  const { session } = useServices();
  const navigate = useNavigate();
  const head = useHeadFocus();
  return (
    <main id="main" tabIndex={-1} className="rings flex min-h-dvh flex-col items-center justify-center px-4 py-10 outline-none">
      <div className="card flex w-full max-w-[26rem] flex-col gap-5 p-6 shadow-pop sm:p-8">
        <div className="flex flex-col gap-1.5 text-center">
          <h1 ref={head} tabIndex={-1} className="text-xl font-bold outline-none">
            Choose your own password
          </h1>
          <p className="text-muted">An administrator chose the password of {user.username}. Until you replace it, nothing else opens.</p>
        </div>
        <NewPasswordForm onDone={() => session.renew({ ...user, must_change_password: false })} />
        <Button
          kind="quiet"
          onClick={() => {
            void session.signOut();
            void navigate({ to: '/login', replace: true });
          }}
        >
          Sign out
        </Button>
      </div>
    </main>
  );
}
