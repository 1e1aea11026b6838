import type { ApiKey, OwnUsage } from '@nwms/contract';
import { type FormEvent, useId, useMemo, useRef, useState } from 'react';
import { useServices } from '../../api/services.ts';
import { Button } from '../../ui/button.tsx';
import { ChoiceField } from '../../ui/choice-field.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { NumberField, TextField } from '../../ui/field.tsx';
import {
  changeOf,
  checkChange,
  checkKey,
  draftOf,
  EXPIRIES,
  type KeyDraft,
  type KeyField,
  LIMIT_FIELDS,
  newDraft,
  newKeyOf,
} from './key-form-rules.ts';
import { createKey, updateKey } from './queries.ts';
import { useDeed } from './use-deed.ts';

export interface KeyFormProps {
  /** Null makes a new key. */
  apiKey: ApiKey | null;
  account: OwnUsage['limits'];
  /** What a new key gets unless something else is typed. */
  defaults: OwnUsage['limits'];
  onClose: () => void;
  onCreated: (key: ApiKey, secret: string | null) => void;
  onSaved: (key: ApiKey) => void;
}

type Faults = ReadonlyMap<KeyField, string>;

/** KEY-03: makes or changes a key. Nothing typed is lost by a refusal; what is sent again is sent under the same key, and makes one. */
export function KeyForm({ apiKey, account, defaults, onClose, onCreated, onSaved }: KeyFormProps) {
  const { api } = useServices();
  const formId = useId();
  const form = useRef<HTMLFormElement>(null);
  const [draft, setDraft] = useState<KeyDraft>(() => (apiKey ? draftOf(apiKey) : newDraft(defaults)));
  const [faults, setFaults] = useState<Faults>(new Map());
  const deed = useDeed(apiKey ? 'Failed to update API key' : 'Failed to create API key');
  const sent = useMemo(() => new Map<string, string>(), []);
  const change = (part: Partial<KeyDraft>, field: KeyField) => {
    setDraft((old) => ({ ...old, ...part }));
    setFaults((old) => new Map([...old].filter(([name]) => name !== field)));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (deed.busy) return;
    const found = apiKey ? checkChange(apiKey, draft, account) : checkKey(draft, account);
    setFaults(found);
    const [first] = found.keys();
    if (first) return form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
    void deed.run(async () => {
      if (apiKey) {
        const body = changeOf(apiKey, draft);
        return onSaved(Object.keys(body).length > 0 ? await updateKey(api, apiKey, body) : apiKey);
      }
      const body = newKeyOf(draft);
      const text = JSON.stringify(body);
      const once = sent.get(text) ?? crypto.randomUUID();
      sent.set(text, once);
      const issued = await createKey(api, body, once);
      onCreated(issued, issued.api_key);
    });
  };
  return (
    <Dialog
      open
      onClose={() => !deed.busy && onClose()}
      firstFocus={() => form.current?.querySelector('input') ?? null}
      title={apiKey ? 'Edit API key' : 'Create API key'}
      footer={
        <>
          <p role="alert" className="min-w-0 flex-1 basis-60 self-center text-[13px] font-medium break-words text-bad">
            {deed.error}
          </p>
          <Button onClick={onClose} disabled={deed.busy}>
            Cancel
          </Button>
          <Button type="submit" form={formId} kind="primary" disabled={deed.busy}>
            {deed.busy ? 'Saving...' : apiKey ? 'Save' : 'Create key'}
          </Button>
        </>
      }
    >
      <form ref={form} id={formId} noValidate onSubmit={submit} className="flex flex-col gap-5">
        <TextField
          label="Description"
          name="description"
          required
          autoComplete="off"
          hint="What uses it, so that you know it again."
          value={draft.description}
          error={faults.get('description')}
          onChange={(description) => change({ description }, 'description')}
        />
        {apiKey ? null : (
          <div className="flex flex-col gap-3">
            <ChoiceField
              label="Expires after"
              name="expiry"
              value={draft.expiry}
              options={EXPIRIES}
              onChange={(expiry) => change({ expiry }, 'expires_in_days')}
            />
            {draft.expiry === 'own' ? (
              <NumberField
                label="Days"
                name="expires_in_days"
                unit="days"
                value={draft.ownDays}
                error={faults.get('expires_in_days')}
                onChange={(ownDays) => change({ ownDays }, 'expires_in_days')}
              />
            ) : null}
          </div>
        )}
        <fieldset className="flex flex-col gap-3">
          <legend className="pb-1 text-sm font-semibold">Limits of this key</legend>
          <p className="text-[13px] text-muted">A request counts against its key and against your account; the smaller limit decides.</p>
          <div className="grid gap-4 sm:grid-cols-3">
            {LIMIT_FIELDS.map(({ field, label, of }) => (
              <NumberField
                key={field}
                label={label}
                name={field}
                hint={`1 to ${account[of].toLocaleString('en-US')}`}
                value={draft[field]}
                error={faults.get(field)}
                onChange={(value) => change({ [field]: value }, field)}
              />
            ))}
          </div>
        </fieldset>
      </form>
    </Dialog>
  );
}
