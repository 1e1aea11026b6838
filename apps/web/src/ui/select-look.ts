import type { ReactNode } from 'react';

export interface SelectOption {
  value: string;
  label: string;
  icon?: ReactNode;
  /** Shown at the right end: a count. */
  note?: string;
}

export interface SelectProps {
  label: string;
  value: string;
  options: readonly SelectOption[];
  onChange: (value: string) => void;
  icon?: ReactNode;
  className?: string;
}

export const triggerLook = (iconOnly: boolean): string =>
  `target inline-flex items-center justify-between gap-2 rounded-lg text-sm font-medium whitespace-nowrap ${
    iconOnly ? 'min-w-9 justify-center px-2 text-muted' : 'border border-line-strong bg-surface px-3'
  }`;
