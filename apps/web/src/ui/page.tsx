import type { ReactNode } from 'react';

/** The content of a screen: the one `main`, as wide as the product goes. The heading of the screen stands in the bar above. */
export function Page({ children, width = 'full' }: { children: ReactNode; width?: 'full' | 'form' }) {
  return (
    <main
      id="main"
      tabIndex={-1}
      className={`mx-auto flex w-full flex-col gap-4 px-4 py-4 outline-none sm:px-6 ${width === 'form' ? 'max-w-4xl' : 'max-w-[1600px]'}`}
    >
      {children}
    </main>
  );
}

/** A titled part of a screen, in a card. `actions` stand at the right end of its head. */
export function Panel({
  title,
  note,
  actions,
  children,
  flush = false,
}: {
  title: ReactNode;
  note?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  /** Content to the edges: tables. */
  flush?: boolean;
}) {
  return (
    <section className="card min-w-0">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 pt-4 pb-3">
        <div className="min-w-0">
          <h2 className="text-base font-semibold">{title}</h2>
          {note ? <div className="text-[13px] text-muted">{note}</div> : null}
        </div>
        {actions ? <div className="flex flex-wrap items-center gap-2">{actions}</div> : null}
      </div>
      <div className={flush ? '[&>output]:px-4 [&>output]:pb-4' : 'px-4 pb-4'}>{children}</div>
    </section>
  );
}
