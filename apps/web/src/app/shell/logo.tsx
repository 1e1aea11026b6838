/** The product's mark: a radar sweep. */
export function Logo() {
  return (
    <svg
      viewBox="0 0 24 24"
      width="24"
      height="24"
      aria-hidden="true"
      fill="none"
      stroke="var(--accent)"
      strokeWidth="2"
      strokeLinecap="round"
    >
      <path d="M19.5 7.2A9 9 0 1 1 12 3" />
      <path d="M16.4 9.6A5 5 0 1 1 12 7" />
      <path d="M12 12 18.5 5.5" />
      <circle cx="12" cy="12" r="1.3" fill="var(--accent)" stroke="none" />
    </svg>
  );
}
