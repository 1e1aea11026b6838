import type { ReactNode } from 'react';
import { Switch } from '../../ui/check.tsx';
import { ChoiceField } from '../../ui/choice-field.tsx';
import { NumberField, TextAreaField, TextField } from '../../ui/field.tsx';
import type { UserDraft, UserField } from './user-draft.ts';
import { type Faults, NOTES_MAX } from './user-form-rules.ts';

const ROLES = [
  { value: 'user', label: 'User' },
  { value: 'admin', label: 'Admin' },
] as const;
type TextName = {
  [F in UserField]: UserDraft[F] extends string ? F : never;
}[UserField];

/** The sections of USER-05. */
export function UserFields(props: {
  draft: UserDraft;
  faults: Faults;
  creating: boolean;
  /** The account has a password, which "Google only" would remove. */
  losesPassword: boolean;
  own: boolean;
  change: <F extends UserField>(field: F, value: UserDraft[F]) => void;
}) {
  const { draft, faults, creating, own, change } = props;
  const text = (name: TextName) => ({
    name,
    value: draft[name],
    error: faults.get(name),
    onChange: (value: string) => change(name, value as UserDraft[typeof name]),
    autoComplete: 'off',
    spellCheck: false,
  });
  return (
    <>
      <Section title="Basic Information">
        <TextField label="Username" required {...text('username')} />
        <TextField label="Email" type="email" required {...text('email')} />
        <TextField label="Full name" {...text('full_name')} />
        <TextField label="Organization" {...text('organization')} />
      </Section>
      <Section title={creating ? 'Password' : 'Change Password (Optional)'}>
        <div className="sm:col-span-2">
          <Switch
            label="Signs in with Google only"
            hint={
              props.losesPassword && draft.google_only
                ? 'Saving removes the password of this account.'
                : 'The account has no password and takes none.'
            }
            checked={draft.google_only}
            onChange={(checked) => change('google_only', checked)}
          />
        </div>
        {draft.google_only ? null : (
          <>
            <TextField
              label={creating ? 'Password' : 'New password'}
              required={creating}
              hint={creating ? 'At least 6 characters; to be changed at the first sign-in.' : 'Empty: the present one stays.'}
              {...text('password')}
              type="password"
              autoComplete="new-password"
            />
            <TextField label="Confirm password" required={creating} {...text('confirmation')} type="password" autoComplete="new-password" />
          </>
        )}
      </Section>
      <Section title="Role & Status">
        <ChoiceField
          name="role"
          label="Role"
          value={draft.role}
          options={ROLES}
          onChange={(value) => change('role', value)}
          disabled={own}
          hint={own ? 'Nobody changes their own role; another administrator can.' : undefined}
        />
        <div className="flex flex-col gap-3">
          <Switch
            label="Active"
            disabled={own}
            hint={own ? 'Nobody deactivates themselves.' : 'Switched off, its sessions and keys end within a second.'}
            checked={draft.is_active}
            onChange={(checked) => change('is_active', checked)}
          />
          <Switch
            label="Special access"
            hint="Its API keys may use the AI and ML routes."
            checked={draft.special_access}
            onChange={(checked) => change('special_access', checked)}
          />
        </div>
      </Section>
      <Section title="API Limits" columns="sm:grid-cols-3">
        <NumberField label="Rate limit per minute" required hint="1 to 10,000" {...text('api_rate_limit_per_minute')} />
        <NumberField label="Daily limit" required hint="Requests per UTC day" {...text('api_daily_limit')} />
        <NumberField label="Monthly limit" hint={creating ? 'Empty: the default' : 'Empty: unchanged'} {...text('api_monthly_limit')} />
      </Section>
      <Section title="Notes" columns="">
        <TextAreaField
          label="Notes about this account"
          hint={`Only administrators see them. Up to ${NOTES_MAX.toLocaleString('en-US')} characters.`}
          {...text('notes')}
          spellCheck
        />
      </Section>
    </>
  );
}

function Section({ title, columns = 'sm:grid-cols-2', children }: { title: string; columns?: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-3">
      <h3 className="border-b border-line pb-1.5 text-sm font-semibold">{title}</h3>
      <div className={`grid grid-cols-1 gap-x-5 gap-y-3 ${columns}`}>{children}</div>
    </section>
  );
}
