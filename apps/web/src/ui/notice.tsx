import type { ReactNode } from 'react';

/** A statement in place of content: an empty list, a failure. It stays until its cause is gone. */
export function Notice(props: {
  icon: ReactNode;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  tone?: 'plain' | 'bad' | 'warn';
}) {
  const tone = { plain: 'text-muted', bad: 'text-bad', warn: 'text-warn' }[props.tone ?? 'plain'];
  return (
    <div className="flex flex-col items-center gap-2 px-6 py-14 text-center">
      <div className={tone}>{props.icon}</div>
      <p className="text-base font-semibold">{props.title}</p>
      {props.children ? <div className="max-w-md text-muted">{props.children}</div> : null}
      {props.action ? <div className="pt-2">{props.action}</div> : null}
    </div>
  );
}
