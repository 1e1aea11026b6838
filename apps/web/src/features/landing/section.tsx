import { type ReactNode, useId } from 'react';

export const WIDE = 'mx-auto w-full max-w-[1200px] px-4 sm:px-6';

/** One part of the page: a heading, a sentence, and what it is about. */
export function Section(props: { title: string; lead?: ReactNode; id?: string; aside?: ReactNode; children: ReactNode }) {
  const heading = useId();
  return (
    <section
      aria-labelledby={heading}
      id={props.id}
      className="landing-later scroll-mt-[calc(var(--bar-height)+1.5rem)] border-t border-line py-14 sm:py-20"
    >
      <div className={WIDE}>
        <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-3 pb-8">
          <div className="max-w-2xl">
            <h2 id={heading} className="text-xl leading-tight font-bold tracking-tight">
              {props.title}
            </h2>
            {props.lead ? <p className="pt-2 text-base text-muted">{props.lead}</p> : null}
          </div>
          {props.aside}
        </div>
        {props.children}
      </div>
    </section>
  );
}
