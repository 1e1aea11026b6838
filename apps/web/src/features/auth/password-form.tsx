import { type FormEvent, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';

/** For accounts an administrator made with a password. */
export function PasswordForm(props: { busy: boolean; onSubmit: (given: { username: string; password: string }) => void }) {
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [tried, setTried] = useState(false);
  const missing = username.trim() === '' ? 'username' : password === '' ? 'password' : null;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    if (!missing) return props.onSubmit({ username: username.trim(), password });
    event.currentTarget.querySelector<HTMLInputElement>(`[name="${missing}"]`)?.focus();
  };
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <TextField
        label="Username or e-mail"
        name="username"
        autoComplete="username"
        value={username}
        onChange={setUsername}
        error={tried && missing === 'username' ? 'Enter your username or e-mail.' : null}
      />
      <TextField
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
        error={tried && missing === 'password' ? 'Enter your password.' : null}
      />
      <Button type="submit" kind="primary" disabled={props.busy} aria-busy={props.busy} className="h-11">
        {props.busy ? 'Signing in...' : 'Sign in'}
      </Button>
    </form>
  );
}
