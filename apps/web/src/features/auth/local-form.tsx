import { type FormEvent, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { localFault } from './sign-in-words.ts';

/** Stands in for Google on a server that only this machine reaches: any name and e-mail address will do. */
export function LocalForm({ busy, onSubmit }: { busy: boolean; onSubmit: (person: { name: string; email: string }) => void }) {
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [tried, setTried] = useState(false);
  const fault = tried ? localFault({ name, email }) : null;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    const wrong = localFault({ name, email });
    if (!wrong) return onSubmit({ name, email });
    event.currentTarget.querySelector<HTMLInputElement>(`[name="${wrong.field}"]`)?.focus();
  };
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <p className="rounded-lg border border-line bg-bg px-3 py-2.5 text-[13px] text-muted">
        <strong className="font-semibold text-text">Development sign-in on this machine.</strong> No Google account is set up here, so the
        server takes your word for who you are. It works from this machine only.
      </p>
      <TextField
        label="Name"
        name="name"
        autoComplete="name"
        value={name}
        onChange={setName}
        error={fault?.field === 'name' ? fault.message : null}
      />
      <TextField
        label="E-mail"
        name="email"
        type="email"
        autoComplete="email"
        value={email}
        onChange={setEmail}
        error={fault?.field === 'email' ? fault.message : null}
      />
      <Button type="submit" kind="primary" disabled={busy} aria-busy={busy} className="h-11">
        {busy ? 'Signing in...' : `Continue as ${name.trim() === '' ? '...' : name.trim().slice(0, 40)}`}
      </Button>
    </form>
  );
}
