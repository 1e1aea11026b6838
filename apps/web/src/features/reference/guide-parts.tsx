import type { ReactNode } from 'react';

/** Running text of the guides. */
export function Text({ children }: { children: ReactNode }) {
  return <p className="max-w-prose text-sm">{children}</p>;
}
export function Code({ children }: { children: ReactNode }) {
  return <code className="rounded bg-hover px-1 font-mono text-[13px] break-words">{children}</code>;
}

/** A list of things with what is said of each. */
export function Terms({ rows }: { rows: readonly (readonly [ReactNode, ReactNode])[] }) {
  return (
    <dl className="grid gap-x-6 text-sm sm:grid-cols-[minmax(9rem,15rem)_minmax(0,1fr)]">
      {rows.map(([term, about], index) => (
        // oxlint-disable-next-line react/no-array-index-key -- fixed text that never moves
        <div key={index} className="border-t border-line py-2 sm:col-span-2 sm:grid sm:grid-cols-subgrid">
          <dt className="min-w-0 font-medium break-words">{term}</dt>
          <dd className="max-w-prose min-w-0 break-words text-muted">{about}</dd>
        </div>
      ))}
    </dl>
  );
}

export function Guide({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="card flex min-w-0 flex-col gap-4 p-4 sm:p-5">
      <h2 className="text-base font-semibold">{title}</h2>
      {children}
    </section>
  );
}
