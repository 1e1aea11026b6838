import { SearchX, Users } from 'lucide-react';
import { ApiError, sentenceOf } from '../../api/errors.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ErrorCard, ForbiddenState, StaleNote } from '../../ui/states.tsx';

/** The list could not be loaded. Rows that are there stay, and say from when they are. */
export function UsersFailure({
  error,
  kept,
  at,
  busy,
  retry,
}: {
  error: unknown;
  kept: boolean;
  at: number;
  busy: boolean;
  retry: () => void;
}) {
  const message = `Failed to fetch users list: ${sentenceOf(error)}`;
  if (error instanceof ApiError && error.status === 403) return <ForbiddenState />;
  if (!kept)
    return <ErrorCard message={message} requestId={error instanceof ApiError ? error.requestId : null} onRetry={retry} busy={busy} />;
  return (
    <StaleNote onRetry={retry} busy={busy}>
      {message} Shown is the list as of {new Date(at).toISOString().slice(11, 19)} UTC.
    </StaleNote>
  );
}

/** No row to show, and why. */
export function NoUsers(props: { filtered: boolean; waiting: boolean; beyond: boolean; clear: () => void }) {
  if (props.waiting) {
    return <p className="px-4 py-14 text-center text-muted">Searching all users …</p>;
  }
  if (props.beyond) {
    return <Notice icon={<SearchX size={28} aria-hidden="true" />} title="This page is past the end of the list" />;
  }
  if (!props.filtered) {
    return (
      <Notice icon={<Users size={28} aria-hidden="true" />} title="No users registered yet">
        Accounts appear here when somebody signs in, or when you add one.
      </Notice>
    );
  }
  return (
    <Notice
      icon={<SearchX size={28} aria-hidden="true" />}
      title="No user matches these filters"
      action={<Button onClick={props.clear}>Clear filters</Button>}
    >
      All users were searched, by username, email and full name.
    </Notice>
  );
}
