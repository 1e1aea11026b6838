import type { AuthConfig } from '@nwms/contract';
import { useState } from 'react';
import { TextField } from '../../ui/field.tsx';
import { GoogleButton } from './google-button.tsx';
import { LocalForm } from './local-form.tsx';
import { PasswordForm } from './password-form.tsx';
import { WORDS } from './sign-in-words.ts';
import type { SignIn } from './use-sign-in.ts';

/** What this server offers to sign in with. */
export function WaysIn({ config, signIn }: { config: AuthConfig; signIn: SignIn }) {
  const [password, setPassword] = useState(false);
  const [setupToken, setSetupToken] = useState('');
  const { google } = config;
  const link = 'target -mx-2 inline-flex items-center self-center rounded-lg px-2 text-[13px] text-muted underline underline-offset-2';
  if (password) {
    return (
      <>
        <PasswordForm busy={signIn.busy === 'password'} onSubmit={(given) => void signIn.withPassword(given)} />
        <button type="button" className={link} onClick={() => setPassword(false)}>
          Back to the other sign-in
        </button>
      </>
    );
  }
  return (
    <>
      {config.setup_token_required ? (
        <TextField
          label="Setup token"
          hint="The server printed it when it was first started. Only the first administrator needs it."
          autoComplete="off"
          spellCheck={false}
          value={setupToken}
          onChange={setSetupToken}
        />
      ) : null}
      {google.enabled && google.mode === 'google' && google.client_id !== null ? (
        <div aria-busy={signIn.busy === 'google'} className="flex flex-col gap-2">
          <GoogleButton
            clientId={google.client_id}
            nonce={config.nonce}
            onCredential={(token) => void signIn.withGoogle(token, setupToken)}
            onBroken={signIn.fail}
          />
          {signIn.busy === 'google' ? <output className="text-center text-muted">Signing in...</output> : null}
        </div>
      ) : google.enabled ? (
        <LocalForm busy={signIn.busy === 'local'} onSubmit={(person) => void signIn.withLocal(person, config.nonce, setupToken)} />
      ) : (
        <p className="text-muted">
          Signing in with Google is not set up on this server. Its administrator has to name a Google client first.
        </p>
      )}
      <p className="text-center text-[13px] text-muted">
        {WORDS.firstAdmin} {config.first_admin_open ? 'Nobody has yet.' : 'This server has one.'}
      </p>
      {config.password_enabled ? (
        <button type="button" className={link} onClick={() => setPassword(true)}>
          Use a password
        </button>
      ) : null}
    </>
  );
}
