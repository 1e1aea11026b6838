import type { AlertDetail } from '@nwms/contract';
import { Section } from './section.tsx';
import { textSections } from './text-sections.ts';

/** The official words, all of them, in the sections they have themselves. */
export function Texts({ detail }: { detail: AlertDetail }) {
  return (
    <>
      <Section title="Safety instructions">
        {detail.instruction ? (
          <div className="rounded-lg border border-line-strong bg-hover p-3">
            <Words text={detail.instruction} />
          </div>
        ) : (
          <p className="text-muted">This message has no instructions.</p>
        )}
      </Section>
      <Section title="Description">
        {detail.description ? <Words text={detail.description} /> : <p className="text-muted">This message has no description.</p>}
      </Section>
      {detail.wea?.text ? (
        <Section title="Sent to phones in the area">
          <p className="break-words whitespace-pre-line">{detail.wea.text}</p>
        </Section>
      ) : null}
    </>
  );
}

function Words({ text }: { text: string }) {
  return (
    <div className="flex flex-col gap-2.5 text-sm leading-6">
      {textSections(text).map(({ heading, body }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- paragraphs of a text that does not change
        <div key={index} className="min-w-0">
          {heading ? <h4 className="text-[13px] font-semibold">{heading}</h4> : null}
          <p className="break-words whitespace-pre-line">{body}</p>
        </div>
      ))}
    </div>
  );
}
