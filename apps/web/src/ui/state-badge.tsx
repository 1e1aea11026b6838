/** State is told by words and outline style, not by hue: solid in force, dashed ahead, dotted or plain when over. */
const OUTLINE: Record<string, string> = {
  Active: 'border-solid border-text/70 font-semibold',
  Upcoming: 'border-dashed border-muted text-muted font-medium',
  Expired: 'border-transparent text-muted',
  Cancelled: 'border-dotted border-muted text-muted line-through decoration-1',
  Replaced: 'border-double border-[3px] border-muted text-muted',
};

/** `inline`: the note stands beside the badge where its container is wide. */
export function StateBadge({ word, note, inline = false }: { word: string; note?: string | null; inline?: boolean }) {
  return (
    <span
      className={`inline-flex flex-col items-start gap-0.5 max-sm:flex-row-reverse max-sm:items-center max-sm:gap-2 ${
        inline ? '@min-[45rem]:flex-row @min-[45rem]:items-center @min-[45rem]:gap-1.5' : ''
      }`}
    >
      <span className={`rounded-md border px-1.5 text-xs leading-5 whitespace-nowrap ${OUTLINE[word] ?? OUTLINE['Expired']}`}>{word}</span>
      {note ? <span className="text-xs leading-4 text-muted">{note}</span> : null}
    </span>
  );
}
