import { keys as contract, type FieldFault } from '@nwms/contract';
import { AppError } from '../../platform/app-error.ts';
import type { RequestLimits } from '../../platform/http/principal.ts';

/** What members may say about a key's limits; absent = as it is, or as settings say. */
export interface GivenLimits {
  rate_limit_per_minute?: number;
  daily_limit?: number;
  monthly_limit?: number;
}

/** The description, trimmed. @throws AppError request.invalid */
export function readDescription(given: string): string {
  const text = given.trim();
  const length = [...text].length;
  if (length === 0) throw invalid({ name: 'description', reason: 'required', message: 'Please enter a description for the API key' });
  if (length > contract.KEY_DESCRIPTION_MAX) {
    const max = contract.KEY_DESCRIPTION_MAX;
    throw invalid({ name: 'description', reason: 'length', message: `The description must have at most ${max} characters`, max });
  }
  return text;
}

/** What administrators set for new keys. */
export const defaultLimits = (settings: {
  key_rate_limit_default: number;
  key_daily_limit_default: number;
  key_monthly_limit_default: number;
}): RequestLimits => ({
  perMinute: settings.key_rate_limit_default,
  perDay: settings.key_daily_limit_default,
  perMonth: settings.key_monthly_limit_default,
});

/** Limits of a new key: what is given, else the defaults, these lowered to the account's. @throws AppError key.limit_above_account */
export function newLimits(given: GivenLimits, defaults: RequestLimits, account: RequestLimits): RequestLimits {
  refuseAbove(given, account);
  return {
    perMinute: given.rate_limit_per_minute ?? Math.min(defaults.perMinute, account.perMinute),
    perDay: given.daily_limit ?? Math.min(defaults.perDay, account.perDay),
    perMonth: given.monthly_limit ?? Math.min(defaults.perMonth, account.perMonth),
  };
}

/** Limits after a change; those that are not mentioned stay, even if the account's were lowered since. @throws as `newLimits` */
export function changedLimits(given: GivenLimits, now: RequestLimits, account: RequestLimits): RequestLimits {
  refuseAbove(given, account);
  return {
    perMinute: given.rate_limit_per_minute ?? now.perMinute,
    perDay: given.daily_limit ?? now.perDay,
    perMonth: given.monthly_limit ?? now.perMonth,
  };
}

function refuseAbove(given: GivenLimits, account: RequestLimits): void {
  const compared: [keyof GivenLimits, number][] = [
    ['rate_limit_per_minute', account.perMinute],
    ['daily_limit', account.perDay],
    ['monthly_limit', account.perMonth],
  ];
  const faults = compared.flatMap(([name, max]): FieldFault[] =>
    (given[name] ?? 0) > max
      ? [{ name, reason: 'range', message: `${name} must not be above the limit of your account, ${max}`, max }]
      : [],
  );
  if (faults.length > 0) throw new AppError('key.limit_above_account', { public: `${faults[0]?.message}.`, fields: faults });
}

const invalid = (field: FieldFault) => new AppError('request.invalid', { public: `${field.message}.`, fields: [field] });
