import type { Severity } from '@nwms/domain/alert/vocabulary';
import type { ReactNode } from 'react';

/** The one table of severities: tokens and icon. The icon tells them apart without colour. */
const LOOK: Record<Severity, { text: string; badge: string; icon: ReactNode }> = {
  Extreme: {
    text: 'text-(--extreme)',
    badge: 'bg-(--badge-extreme-bg) text-(--badge-extreme)',
    icon: <path fill="currentColor" fillRule="evenodd" d="M5.1 1h5.8L15 5.1v5.8L10.9 15H5.1L1 10.9V5.1zM7 4.2h2v4.7H7zm0 6h2v1.9H7z" />,
  },
  Severe: {
    text: 'text-(--severe)',
    badge: 'bg-(--badge-severe-bg) text-(--badge-severe)',
    icon: (
      <path
        fill="currentColor"
        fillRule="evenodd"
        d="M8 1.2c.5 0 .9.2 1.1.7l6 10.8c.5.9-.1 2-1.1 2H2c-1 0-1.6-1.1-1.1-2l6-10.8C7.1 1.4 7.5 1.2 8 1.2zM7.1 5.5h1.8v4.3H7.1zm0 5.4h1.8v1.8H7.1z"
      />
    ),
  },
  Moderate: {
    text: 'text-(--moderate)',
    badge: 'bg-(--moderate-bg) text-(--moderate)',
    icon: (
      <>
        <path fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinejoin="round" d="M8 1.5 14.5 8 8 14.5 1.5 8z" />
        <path fill="currentColor" d="M8 1.5 14.5 8 8 14.5z" />
      </>
    ),
  },
  Minor: {
    text: 'text-(--minor)',
    badge: 'bg-(--badge-minor-bg) text-(--badge-minor)',
    icon: <circle cx="8" cy="8" r="6.2" fill="none" stroke="currentColor" strokeWidth="1.6" />,
  },
  Unknown: {
    text: 'text-(--unknown)',
    badge: 'bg-(--unknown-bg) text-(--unknown)',
    icon: <circle cx="8" cy="8" r="6.2" fill="none" stroke="currentColor" strokeWidth="1.6" strokeDasharray="2.1 2.3" />,
  },
};

/** A severity this page does not know yet is shown as Unknown, never hidden. */
const lookOf = (severity: Severity) => LOOK[severity] ?? LOOK.Unknown;

export const SEVERITY_TOKEN: Record<Severity, string> = {
  Extreme: 'extreme',
  Severe: 'severe',
  Moderate: 'moderate',
  Minor: 'minor',
  Unknown: 'unknown',
};

export function SeverityIcon({ severity, className = '' }: { severity: Severity; className?: string }) {
  const look = lookOf(severity);
  return (
    <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true" className={`shrink-0 ${className || look.text}`}>
      {look.icon}
    </svg>
  );
}

export function SeverityBadge({ severity }: { severity: Severity }) {
  return (
    <span
      className={`inline-flex items-center gap-1.5 rounded-md px-2 py-0.5 text-[13px] leading-5 font-semibold whitespace-nowrap ${lookOf(severity).badge}`}
    >
      <SeverityIcon severity={severity} className="text-inherit" />
      {severity}
    </span>
  );
}
