import type { AdminUser } from '@nwms/contract';
import { type FormEvent, type ReactNode, useId, useMemo, useRef, useState } from 'react';
import { useServices } from '../../api/services.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { OvertakenNote } from './overtaken-note.tsx';
import { createKeys, type SaveOutcome, saveUser } from './save-user.ts';
import { draftOf, isChanged, type LimitDefaults, newDraft, type UserDraft, type UserField } from './user-draft.ts';
import { UserFields } from './user-fields.tsx';
import { checkUser, type Faults } from './user-form-rules.ts';

export interface UserFormProps {
  /** Null makes a new account. */
  user: AdminUser | null;
  /** Whether it is the account of whoever looks: its own role and state are not for itself to change. */
  own: boolean;
  defaults: LimitDefaults;
  onClose: () => void;
  onSaved: (user: AdminUser) => void;
}

const NO_FAULTS: Faults = new Map();
type Overtaken = Extract<SaveOutcome, { kind: 'overtaken' }>;

/** USER-05: one form for new and existing accounts. Nothing typed is lost by a refusal, a conflict or a stray Escape. */
export function UserForm({ user: given, own, defaults, onClose, onSaved }: UserFormProps) {
  const { api } = useServices();
  const form = useRef<HTMLFormElement>(null);
  const formId = useId();
  const [user, setUser] = useState(given);
  const [start] = useState(() => (given ? draftOf(given) : newDraft(defaults)));
  const [draft, setDraft] = useState(start);
  const [faults, setFaults] = useState<Faults>(NO_FAULTS);
  const [failure, setFailure] = useState<string | null>(null);
  const [overtaken, setOvertaken] = useState<Overtaken | null>(null);
  const [busy, setBusy] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const keyOf = useMemo(() => createKeys(() => crypto.randomUUID()), []);
  const creating = given === null;

  const change = <F extends UserField>(field: F, value: UserDraft[F]) => {
    setDraft((old) => ({ ...old, [field]: value }));
    // A fault goes when its field is touched; whether the new value is better is told at the next save.
    setFaults((old) => (old.has(field) ? new Map([...old].filter(([name]) => name !== field)) : old));
  };
  const show = (found: Faults) => {
    setFaults(found);
    const [first] = found.keys();
    if (first) form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setFailure(null);
    const found = checkUser(draft, creating ? 'create' : 'edit');
    if (found.size > 0) return show(found);
    setBusy(true);
    const outcome = await saveUser(api, { user, draft, keyOf });
    setBusy(false);
    if (outcome.kind === 'saved') return onSaved(outcome.user);
    if (outcome.kind === 'refused') {
      setFailure(outcome.text);
      return show(outcome.fields);
    }
    setUser(outcome.user);
    setDraft(outcome.rebased.draft);
    setOvertaken(outcome);
  };
  const close = () => {
    if (busy) return;
    if (isChanged(user ? draftOf(user) : start, draft)) setLeaving(true);
    else onClose();
  };

  return (
    <Dialog
      open
      onClose={close}
      title={creating ? 'Create New User' : 'Edit User'}
      footer={
        <>
          <Explanation text={failure ?? summaryOf(faults)} urgent={failure !== null} />
          <Button onClick={close} disabled={busy}>
            Cancel
          </Button>
          <Button type="submit" form={formId} kind="primary" disabled={busy}>
            {busy ? 'Saving...' : creating ? 'Create User' : 'Update User'}
          </Button>
        </>
      }
    >
      <form ref={form} id={formId} noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-6">
        {overtaken ? <OvertakenNote rebased={overtaken.rebased} /> : null}
        <UserFields
          draft={draft}
          faults={faults}
          creating={creating}
          losesPassword={Boolean(given?.has_password)}
          own={own}
          change={change}
        />
      </form>
      <ConfirmDialog
        open={leaving}
        title="Discard what you changed?"
        confirm="Discard"
        danger
        onConfirm={onClose}
        onCancel={() => setLeaving(false)}
      >
        The form has not been saved.
      </ConfirmDialog>
    </Dialog>
  );
}

/** Why it was not saved, at the buttons. Faults of fields are announced there, so only what belongs to none of them is urgent here. */
function Explanation({ text, urgent }: { text: ReactNode; urgent: boolean }) {
  return (
    <p role={urgent ? 'alert' : undefined} className="min-w-0 flex-1 basis-60 self-center text-[13px] font-medium break-words text-bad">
      {text}
    </p>
  );
}

function summaryOf(faults: Faults): string | null {
  if (faults.size === 0) return null;
  return faults.size === 1 ? 'One field needs attention.' : `${faults.size} fields need attention.`;
}
