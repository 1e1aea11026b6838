import type { AdminUser } from '@nwms/contract';
import { useState } from 'react';
import { ApiError, detailOf } from '../../api/errors.ts';
import { useServices } from '../../api/services.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { deleteUser, endSessionsOf } from './queries.ts';

interface Props {
  user: AdminUser;
  onClose: () => void;
  onDone: (words: string) => void;
}

/** Runs one change of one account and keeps the refusal in sight. */
function useDeed(run: () => Promise<unknown>, done: () => void, failed: (error: unknown) => string) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const start = async () => {
    setBusy(true);
    setError(null);
    try {
      await run();
    } catch (cause) {
      setBusy(false);
      // Gone already, by another administrator or by a first try whose answer was lost: what was wanted holds.
      if (cause instanceof ApiError && cause.status === 404) return done();
      return setError(failed(cause));
    }
    done();
  };
  return { busy, error, start: () => void start() };
}

/** USER-06: names the account and says what ends with it. */
export function DeleteUser({ user, onClose, onDone }: Props) {
  const { api } = useServices();
  const deed = useDeed(
    () => deleteUser(api, user.id),
    () => onDone(`User "${user.username}" was deleted`),
    (error) =>
      error instanceof ApiError && error.status === 409 ? `Failed to delete user. ${detailOf(error, '')}` : 'Failed to delete user',
  );
  return (
    <ConfirmDialog
      open
      title={`Are you sure you want to delete user "${user.username}"?`}
      confirm="Delete user"
      danger
      busyLabel="Deleting..."
      busy={deed.busy}
      error={deed.error}
      onConfirm={deed.start}
      onCancel={onClose}
    >
      <div className="flex flex-col gap-2">
        <p>
          Their sessions, {keysOf(user.key_count)}, live connections, webhooks and notifications end within a second. This cannot be taken
          back.
        </p>
        <p>The audit log stays, and usage figures stay without their name.</p>
      </div>
    </ConfirmDialog>
  );
}

export function EndSessions({ user, onClose, onDone }: Props) {
  const { api } = useServices();
  const deed = useDeed(
    () => endSessionsOf(api, user.id),
    () => onDone(`All sessions of "${user.username}" were ended`),
    (error) => detailOf(error, 'Operation failed'),
  );
  return (
    <ConfirmDialog
      open
      title={`End all sessions of "${user.username}"?`}
      confirm="End sessions"
      danger
      busyLabel="Ending..."
      busy={deed.busy}
      error={deed.error}
      onConfirm={deed.start}
      onCancel={onClose}
    >
      <p>They have to sign in again on every device. Their API keys go on working.</p>
    </ConfirmDialog>
  );
}

const keysOf = (count: number): string => (count === 0 ? 'API keys' : count === 1 ? 'one API key' : `${count} API keys`);
