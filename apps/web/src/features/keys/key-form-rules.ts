import type { ApiKey, BodyOf, keys, OwnUsage } from '@nwms/contract';

type NewKey = BodyOf<typeof keys.createKey>;
type KeyChange = BodyOf<typeof keys.updateKey>;
export type LimitField = 'rate_limit_per_minute' | 'daily_limit' | 'monthly_limit';
export type KeyField = 'description' | 'expires_in_days' | LimitField;

/** What stands in the form; numbers as typed. */
export interface KeyDraft extends Record<LimitField, string> {
  description: string;
  /** Days as text, `never`, or `own` with the number in `ownDays`. */
  expiry: string;
  ownDays: string;
}

type Limits = OwnUsage['limits'];
export const LIMIT_FIELDS: readonly { field: LimitField; label: string; of: keyof Limits }[] = [
  { field: 'rate_limit_per_minute', label: 'Requests per minute', of: 'per_minute' },
  { field: 'daily_limit', label: 'Requests per day', of: 'per_day' },
  { field: 'monthly_limit', label: 'Requests per month', of: 'per_month' },
];
export const EXPIRIES = [
  { value: 'never', label: 'Never' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: 'own', label: 'Other' },
] as const;
const DESCRIPTION_MAX = 200;
const DAYS_MAX = 3650;

export const newDraft = (limits: Limits): KeyDraft => ({ description: '', expiry: 'never', ownDays: '', ...limitTexts(limits) });
export const draftOf = (key: ApiKey): KeyDraft => ({
  description: key.description,
  expiry: 'never',
  ownDays: '',
  ...limitTexts({ per_minute: key.rate_limit_per_minute, per_day: key.daily_limit, per_month: key.monthly_limit }),
});
const limitTexts = (limits: Limits): Record<LimitField, string> => ({
  rate_limit_per_minute: String(limits.per_minute),
  daily_limit: String(limits.per_day),
  monthly_limit: String(limits.per_month),
});

/** Whole number as people write it, with or without separators; NaN otherwise. */
export const integerOf = (text: string): number =>
  /^\d{1,12}$/.test(text.replaceAll(/[,\s]/g, '')) ? Number(text.replaceAll(/[,\s]/g, '')) : Number.NaN;

/** KEY-03, and limits up to the account's. First fault of each field, in the order of the form. */
export function checkKey(draft: KeyDraft, account: Limits): ReadonlyMap<KeyField, string> {
  const faults = new Map<KeyField, string>();
  const description = draft.description.trim();
  if (description === '') faults.set('description', 'Please enter a description for the API key');
  else if ([...description].length > DESCRIPTION_MAX) faults.set('description', `At most ${DESCRIPTION_MAX} characters`);
  const days = integerOf(draft.ownDays);
  if (draft.expiry === 'own' && !(days >= 1 && days <= DAYS_MAX))
    faults.set('expires_in_days', `A number of days from 1 to ${number(DAYS_MAX)}`);
  for (const { field, of } of LIMIT_FIELDS) {
    const value = integerOf(draft[field]);
    if (!(value >= 1)) faults.set(field, 'A whole number from 1 on');
    else if (value > account[of]) faults.set(field, `Your account has ${number(account[of])}; a key cannot have more`);
  }
  return faults;
}
const number = (value: number): string => value.toLocaleString('en-US');

const limitsOf = (draft: KeyDraft): Record<LimitField, number> => ({
  rate_limit_per_minute: integerOf(draft.rate_limit_per_minute),
  daily_limit: integerOf(draft.daily_limit),
  monthly_limit: integerOf(draft.monthly_limit),
});

/** The body of a new key; the draft is without faults. */
export function newKeyOf(draft: KeyDraft): NewKey {
  const expires_in_days = draft.expiry === 'never' ? null : draft.expiry === 'own' ? integerOf(draft.ownDays) : Number(draft.expiry);
  return { description: draft.description.trim(), expires_in_days, ...limitsOf(draft) };
}

/** Only what is different: a limit that stands above a lowered account may stay as it is. */
export function changeOf(key: ApiKey, draft: KeyDraft): KeyChange {
  const change: KeyChange = {};
  if (draft.description.trim() !== key.description) change.description = draft.description.trim();
  for (const [field, value] of Object.entries(limitsOf(draft)) as [LimitField, number][]) if (value !== key[field]) change[field] = value;
  return change;
}

/** Faults of a change: limits that stay are not judged. */
export function checkChange(key: ApiKey, draft: KeyDraft, account: Limits): ReadonlyMap<KeyField, string> {
  const changed = draftOf(key);
  return new Map([...checkKey(draft, account)].filter(([field]) => field === 'expires_in_days' || draft[field] !== changed[field]));
}
