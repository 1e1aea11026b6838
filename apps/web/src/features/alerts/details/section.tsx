import type { ReactNode } from 'react';

/** A part of the popup under its heading. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="border-t border-line pt-3">
      <h3 className="pb-1.5 text-[13px] font-semibold">{title}</h3>
      {children}
    </section>
  );
}

/** Named values, two to four in a row. `fact: null` is told, never left out. */
export function Facts({ facts, wide = false }: { facts: readonly (readonly [string, ReactNode])[]; wide?: boolean }) {
  return (
    <dl className={`grid gap-x-4 gap-y-2 text-sm ${wide ? 'grid-cols-2 sm:grid-cols-3' : 'grid-cols-2 sm:grid-cols-4'}`}>
      {facts.map(([name, value]) => (
        <div key={name} className="min-w-0">
          <dt className="text-xs text-muted">{name}</dt>
          <dd className="tnum break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
