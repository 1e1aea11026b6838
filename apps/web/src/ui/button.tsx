import type { AnchorHTMLAttributes, ComponentPropsWithRef } from 'react';

const BASE =
  'target inline-flex items-center justify-center gap-2 rounded-lg px-3 text-sm font-medium whitespace-nowrap transition-colors disabled:opacity-50';
const KIND = {
  plain: 'border border-line-strong bg-surface text-text hover:bg-hover',
  primary: 'bg-accent text-on-accent hover:bg-accent-strong',
  danger: 'bg-bad text-surface hover:opacity-90',
  quiet: 'text-muted hover:bg-hover hover:text-text',
} as const;

type Kind = { kind?: keyof typeof KIND };

export function Button({ kind = 'plain', className = '', type = 'button', ...rest }: ComponentPropsWithRef<'button'> & Kind) {
  // oxlint-disable-next-line react/button-has-type -- given by the caller, 'button' unless said
  return <button type={type} className={`${BASE} ${KIND[kind]} ${className}`} {...rest} />;
}

export function LinkButton({ kind = 'plain', className = '', children, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement> & Kind) {
  return (
    <a className={`${BASE} ${KIND[kind]} ${className}`} {...rest}>
      {children}
    </a>
  );
}
