import { CopyButton } from '../../ui/copy-button.tsx';

/** Code or an answer: scrolls in itself, is copied whole. */
export function CodeBlock({ text, label, tall = false }: { text: string; label: string; tall?: boolean }) {
  return (
    <div className="relative min-w-0 rounded-lg border border-line bg-bg">
      <div className="absolute top-1 right-1 z-10 rounded-lg bg-bg">
        <CopyButton text={text} label={`Copy: ${label}`} />
      </div>
      <pre
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label={label}
        className={`overflow-auto p-3 pr-12 font-mono text-[13px] leading-5 ${tall ? 'max-h-112' : 'max-h-80'}`}
      >
        <code>{text}</code>
      </pre>
    </div>
  );
}
