import { SEVERITIES, type Severity } from '@nwms/domain/alert/vocabulary';

/** The severities that are on; all of them where the address says nothing that is understood. */
export function readSeverities(text: string | undefined): ReadonlySet<Severity> {
  if (text === 'none') return new Set();
  const named = SEVERITIES.filter((name) => (text ?? '').split(',').includes(name));
  return new Set(named.length > 0 ? named : SEVERITIES);
}

/** For the address: undefined when all are on. */
export function writeSeverities(on: ReadonlySet<Severity>): string | undefined {
  const named = SEVERITIES.filter((name) => on.has(name));
  if (named.length === SEVERITIES.length) return undefined;
  return named.length === 0 ? 'none' : named.join(',');
}

/** The same severities with this one switched over. */
export function switched(on: ReadonlySet<Severity>, severity: Severity): ReadonlySet<Severity> {
  const next = new Set(on);
  if (!next.delete(severity)) next.add(severity);
  return next;
}
