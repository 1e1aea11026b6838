/** For page chunks and the check of a session; data has skeletons. Invisible for its first 150 ms, so that quick loads do not flicker. */
export function Spinner({ label, size = 28 }: { label: string; size?: number }) {
  return (
    <output className="appearing inline-flex flex-col items-center gap-3 text-sm text-muted">
      <svg viewBox="0 0 24 24" width={size} height={size} aria-hidden="true" className="animate-spin motion-reduce:animate-none">
        <circle cx="12" cy="12" r="9" fill="none" stroke="var(--line-strong)" strokeWidth="2.5" />
        <path d="M21 12a9 9 0 0 0-9-9" fill="none" stroke="var(--accent)" strokeWidth="2.5" strokeLinecap="round" />
      </svg>
      <span>{label}</span>
    </output>
  );
}
