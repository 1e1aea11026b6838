import { CircleAlert } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { ApiError, detailOf } from '../../api/errors.ts';
import { useServices } from '../../api/services.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { CHANGE_PASSWORD } from './lines.ts';
import { checkNewPassword, type NewPassword, type NewPasswordFaults, type NewPasswordField, refusedFields } from './new-password-rules.ts';

const NO_FAULTS: NewPasswordFaults = new Map();

/** Three fields: the present password and twice the new one. `onDone` once the server has it. */
export function NewPasswordForm({ onDone }: { onDone: () => void }) {
  const { api } = useServices();
  const [given, setGiven] = useState<NewPassword>({ current: '', next: '', again: '' });
  const [faults, setFaults] = useState(NO_FAULTS);
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const tell = (form: HTMLFormElement, found: NewPasswordFaults) => {
    setFaults(found);
    const [first] = found.keys();
    if (first) form.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus();
  };
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    setFailure(null);
    const found = checkNewPassword(given);
    tell(form, found);
    if (found.size > 0) return;
    setBusy(true);
    try {
      // Never repeated by itself: after a lost answer the present password may be the new one already.
      await api.call(CHANGE_PASSWORD, { body: { current_password: given.current, new_password: given.next }, once: true });
      onDone();
    } catch (error) {
      const refused = error instanceof ApiError ? refusedFields(error) : NO_FAULTS;
      tell(form, refused);
      if (refused.size === 0) setFailure(detailOf(error, 'The password could not be changed.'));
    } finally {
      setBusy(false);
    }
  };
  const field = (name: NewPasswordField, label: string, autoComplete: string, hint?: string) => (
    <TextField
      label={label}
      name={name}
      type="password"
      autoComplete={autoComplete}
      value={given[name]}
      onChange={(value) => setGiven({ ...given, [name]: value })}
      error={faults.get(name) ?? null}
      {...(hint === undefined ? {} : { hint })}
    />
  );
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      {failure === null ? null : (
        <p role="alert" className="flex gap-3 rounded-lg border border-bad bg-bad-bg px-3.5 py-3">
          <CircleAlert size={18} aria-hidden="true" className="mt-0.5 shrink-0 text-bad" />
          {failure}
        </p>
      )}
      {field('current', 'Present password', 'current-password')}
      {field('next', 'New password', 'new-password', 'A sentence of a few unusual words is easy to keep and hard to guess.')}
      {field('again', 'New password again', 'new-password')}
      <Button type="submit" kind="primary" disabled={busy} aria-busy={busy} className="h-11">
        {busy ? 'Saving...' : 'Change password'}
      </Button>
    </form>
  );
}
