import type { QuotaLimits, QuotaState, QuotaWindow } from '@nwms/domain';

export type AllowanceScope = 'key' | 'account' | 'session';

/** One allowance a request must fit in. */
export interface Allowance {
  /** `key:key_...`, `account:usr_...` or `session:usr_...`. */
  subject: string;
  scope: AllowanceScope;
  limits: QuotaLimits;
}

export interface ScopedState extends QuotaState {
  scope: AllowanceScope | 'address';
}

/** Where somebody stands: units used, and those that can be had. What other processes hold idle, and what was lost, is neither. */
export interface Standing extends ScopedState {
  used: number;
}

/** Units that were taken for a request, to be settled when its cost is known. */
export interface Taken {
  ok: true;
  units: number;
  /** Gives units back that the request did not cost in the end; once. */
  giveBack(units: number): void;
  /** Where the caller stands now. */
  states(): ScopedState[];
}

/** Nothing was taken. `exceeded`: the window that is open longest of those that are used up. */
export interface Exceeded {
  ok: false;
  exceeded: ScopedState;
  states(): ScopedState[];
}

/** Units of one allowance in its running windows. */
export type Used = Record<QuotaWindow, number> & { refusedToday: number };

export interface Quotas {
  /** Takes units from all allowances at once or from none. Answers at once when enough is granted already. */
  take(allowances: readonly Allowance[], units: number): Taken | Exceeded | Promise<Taken | Exceeded>;
  /** Used units of every subject, those of other processes included; subjects nobody used are missing. */
  usedBy(subjects: readonly string[]): Promise<Map<string, Used>>;
  /** Where somebody stands without taking anything. */
  statesOf(allowances: readonly Allowance[]): Promise<Standing[]>;
  /** Writes down what is owed and gives back what lies idle. */
  flush(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}
