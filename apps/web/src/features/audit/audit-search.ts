/** What the address of the audit page says: the filters of the log. */
export interface AuditSearch {
  actor?: string | undefined;
  action?: string | undefined;
  target?: string | undefined;
  outcome?: 'ok' | 'refused' | undefined;
  /** UTC days, both included. */
  from?: string | undefined;
  to?: string | undefined;
}

const MAX = 128;
const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value.slice(0, MAX) : undefined);
const day = (value: unknown): string | undefined => {
  const given = text(value);
  return given && /^\d{4}-\d{2}-\d{2}$/.test(given) && !Number.isNaN(Date.parse(given)) ? given : undefined;
};

/** Reads an address, whoever wrote it: what cannot be meant is left out. */
export function readAuditSearch(search: Record<string, unknown>): AuditSearch {
  const outcome = search['outcome'];
  return {
    actor: text(search['actor']),
    action: text(search['action']),
    target: text(search['target']),
    outcome: outcome === 'ok' || outcome === 'refused' ? outcome : undefined,
    from: day(search['from']),
    to: day(search['to']),
  };
}

const DAY_MS = 86_400_000;

/** The query of the server: its `to` is the first instant that does not belong. */
export function auditQuery({ to, ...rest }: AuditSearch): AuditSearch {
  if (to === undefined) return rest;
  return { ...rest, to: new Date(Date.parse(to) + DAY_MS).toISOString().slice(0, 10) };
}

export const hasFilter = (search: AuditSearch): boolean => Object.values(search).some((value) => value !== undefined);
