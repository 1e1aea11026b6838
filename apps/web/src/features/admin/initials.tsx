import type { AdminUser } from '@nwms/contract';

/** First letters of the first and last word of the name. */
export function initialsOf(user: Pick<AdminUser, 'username' | 'full_name'>): string {
  const words = (user.full_name ?? user.username).split(/[\s._-]+/).filter((word) => /\p{L}|\p{N}/u.test(word));
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map(
    (word) => [...(word ?? '')].find((sign) => /\p{L}|\p{N}/u.test(sign)) ?? '',
  );
  return letters.join('').toUpperCase() || '?';
}

export function Initials({ user }: { user: Pick<AdminUser, 'username' | 'full_name'> }) {
  return (
    <span
      aria-hidden="true"
      className="inline-flex size-9 shrink-0 items-center justify-center rounded-full bg-accent-bg text-[13px] font-semibold text-accent"
    >
      {initialsOf(user)}
    </span>
  );
}
