import type { ApiKey } from '@nwms/contract';
import { useMemo, useRef, useState } from 'react';
import { ApiError } from '../../api/errors.ts';
import { useServices } from '../../api/services.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ChoiceField } from '../../ui/choice-field.tsx';
import { shownPrefix } from './key-words.ts';
import { deleteKey, refreshKey } from './queries.ts';
import { useDeed } from './use-deed.ts';

const OVERLAPS = [
  { value: '0', label: 'At once' },
  { value: '300', label: '5 min' },
  { value: '3600', label: '1 hour' },
  { value: '86400', label: '1 day' },
] as const;
const LATER: Readonly<Record<string, string>> = { '300': 'for 5 more minutes', '3600': 'for one more hour', '86400': 'for one more day' };

/** Why a new secret would not work either. */
const IDLE: Readonly<Partial<Record<ApiKey['status'], string>>> = {
  expired: 'This key has expired: the new one will not work either. Create another key instead.',
  inactive: 'This key is switched off: the new one works when you activate it.',
};

interface RefreshProps {
  apiKey: ApiKey;
  onClose: () => void;
  onRefreshed: (key: ApiKey, secret: string | null) => void;
}

/** KEY-05, R-45: asks first, and offers that the old key works on beside the new one for a while. */
export function RefreshKey({ apiKey, onClose, onRefreshed }: RefreshProps) {
  const { api } = useServices();
  const deed = useDeed('Failed to refresh API key');
  const [overlap, setOverlap] = useState<(typeof OVERLAPS)[number]['value']>('0');
  // One question, one effect: a repeated press after a lost answer does not refresh twice.
  const once = useMemo(() => new Map<string, string>(), []);
  const run = () =>
    deed.run(async () => {
      const key = once.get(overlap) ?? crypto.randomUUID();
      once.set(overlap, key);
      const issued = await refreshKey(api, apiKey, Number(overlap), key);
      onRefreshed(issued, issued.api_key);
    });
  return (
    <ConfirmDialog
      open
      title={`Refresh the API key "${apiKey.description}"?`}
      confirm="Refresh key"
      busyLabel="Refreshing..."
      busy={deed.busy}
      error={deed.error}
      onConfirm={() => void run()}
      onCancel={onClose}
    >
      <div className="flex flex-col gap-3">
        <p>You get a new key; limits, expiry and figures stay. When shall the old one stop working?</p>
        <ChoiceField label="The old key stops working" name="overlap" value={overlap} options={OVERLAPS} onChange={setOverlap} />
        <p>
          {overlap === '0'
            ? `Everything that uses ${shownPrefix(apiKey.key_prefix)} stops working at once.`
            : `${shownPrefix(apiKey.key_prefix)} works ${LATER[overlap]}: time to put the new one in its place.`}
        </p>
        {IDLE[apiKey.status] ? <p className="font-medium text-warn">{IDLE[apiKey.status]}</p> : null}
      </div>
    </ConfirmDialog>
  );
}

interface DeleteProps {
  apiKey: ApiKey;
  onClose: () => void;
  onDeleted: (key: ApiKey) => void;
  /** What has the focus when the key's own buttons are gone. */
  next: () => HTMLElement | null;
}

/** KEY-05: names the key; what is deleted does not come back. */
export function DeleteKey({ apiKey, onClose, onDeleted, next }: DeleteProps) {
  const { api } = useServices();
  const deed = useDeed('Failed to delete API key');
  const isDeleted = useRef(false);
  const run = () =>
    deed.run(async () => {
      try {
        await deleteKey(api, apiKey);
      } catch (error) {
        // Gone already, in another tab or by a first try whose answer was lost: what was wanted holds.
        if (!(error instanceof ApiError && error.status === 404)) throw error;
      }
      isDeleted.current = true;
      onDeleted(apiKey);
    });
  return (
    <ConfirmDialog
      open
      title={`Delete the API key "${apiKey.description}"?`}
      confirm="Delete key"
      danger
      busyLabel="Deleting..."
      finalFocus={() => (isDeleted.current ? next() : true)}
      busy={deed.busy}
      error={deed.error}
      onConfirm={() => void run()}
      onCancel={onClose}
    >
      <p>Everything that uses {shownPrefix(apiKey.key_prefix)} stops working at once. This cannot be taken back.</p>
    </ConfirmDialog>
  );
}
