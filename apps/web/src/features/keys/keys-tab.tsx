import type { ApiKey } from '@nwms/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { useCallback, useRef, useState } from 'react';
import { sentenceOf } from '../../api/errors.ts';
import { useServices } from '../../api/services.ts';
import { useUser } from '../../api/session.ts';
import { useNow } from '../../lib/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { Notice } from '../../ui/notice.tsx';
import { FailedWindow } from '../../ui/part-failed.tsx';
import { EmptyState, Skeleton, StaleNote } from '../../ui/states.tsx';
import { useToast } from '../../ui/toast.tsx';
import { AccountPanel } from './account-panel.tsx';
import { KeyCard } from './key-card.tsx';
import { DeleteKey, RefreshKey } from './key-questions.tsx';
import { LoadFailure } from './load-failure.tsx';
import { KEYS_KEY, keysOf, LIST_PATH, ownUsageOf, updateKey } from './queries.ts';
import { RevealPanel, type Secret } from './reveal-panel.tsx';
import { failureOf } from './use-deed.ts';

const KeyForm = lazyPart({ load: async () => (await import('./key-form.tsx')).KeyForm, Failed: FailedWindow });
const KeyUsageDialog = lazyPart({ load: async () => (await import('./key-usage-dialog.tsx')).KeyUsageDialog, Failed: FailedWindow });

type Open = { what: 'create' } | { what: 'edit' | 'refresh' | 'delete'; key: ApiKey };

export interface KeysTabProps {
  /** Key whose use is looked at; stands in the address. */
  shown: string | undefined;
  show: (id: string | undefined) => void;
}

/** KEY-01 to KEY-13: the member's keys. The secret of a new one lives in this component alone and is gone with it. */
export function KeysTab(props: KeysTabProps) {
  const user = useUser();
  // KEY-01: the way here leads through the sign-in; a session can end while the page is open.
  if (!user) return <Notice icon={<KeyRound size={26} aria-hidden="true" />} title="Please log in to view API keys" />;
  return <Keys {...props} user={user} />;
}

function Keys({ shown, show, user }: KeysTabProps & { user: NonNullable<ReturnType<typeof useUser>> }) {
  const services = useServices();
  const { api, origin } = services;
  const queries = useQueryClient();
  const toast = useToast();
  const now = useNow(15);
  const list = useQuery(keysOf(services));
  const usage = useQuery(ownUsageOf(services));
  const [open, setOpen] = useState<Open | null>(null);
  const [secret, setSecret] = useState<Secret | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const create = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLElement>(null);
  const [busyKey, setBusyKey] = useState<string | null>(null);
  const hide = useCallback(() => {
    if (panel.current?.contains(document.activeElement)) create.current?.focus({ preventScroll: true });
    setSecret(null);
  }, []);

  const account = usage.data?.limits ?? {
    per_minute: user.api_rate_limit_per_minute,
    per_day: user.api_daily_limit,
    per_month: user.api_monthly_limit,
  };
  const renew = () => void queries.invalidateQueries({ queryKey: KEYS_KEY });
  /** Without a deed. It may be that the key was changed or deleted elsewhere: the list says so then. */
  const close = () => {
    setOpen(null);
    renew();
  };
  const done = (words: string) => {
    setOpen(null);
    setFailure(null);
    toast(words);
    renew();
  };
  const reveal = (key: ApiKey, text: string | null, made: Secret['made']) => {
    setOpen(null);
    setFailure(null);
    renew();
    if (text !== null) return setSecret({ text, description: key.description, made });
    // The first answer was lost on its way, and a secret is given once.
    setFailure(`"${key.description}" was ${made}, but its key was lost on the way here. Refresh it to get another one.`);
  };
  const toggle = async (key: ApiKey) => {
    setBusyKey(key.id);
    setFailure(null);
    try {
      await updateKey(api, key, { is_active: !key.is_active });
      done(`"${key.description}" is ${key.is_active ? 'switched off' : 'active'}`);
    } catch (error) {
      setFailure(failureOf('Failed to update API key', error));
      renew();
    } finally {
      setBusyKey(null);
    }
  };
  const keys = list.data ?? [];
  const looked = keys.find(({ id }) => id === shown);
  const most = usage.data?.max_keys;
  const deeds = {
    usage: (key: ApiKey) => show(key.id),
    edit: (key: ApiKey) => setOpen({ what: 'edit', key }),
    refresh: (key: ApiKey) => setOpen({ what: 'refresh', key }),
    toggle: (key: ApiKey) => void toggle(key),
    remove: (key: ApiKey) => setOpen({ what: 'delete', key }),
  };
  if (list.error && !list.data) {
    return <LoadFailure error={list.error} url={origin + api.url(LIST_PATH)} reload={() => window.location.reload()} />;
  }
  return (
    <div className="flex flex-col gap-4">
      {secret ? <RevealPanel key={secret.text} ref={panel} secret={secret} close={hide} /> : null}
      {failure ? (
        <p
          role="alert"
          // What failed may have been pressed far below.
          ref={sightOf}
          className="scroll-mt-[calc(var(--bar-height)+1rem)] rounded-lg bg-bad-bg px-3 py-2 text-sm font-medium break-words text-bad"
        >
          {failure}
        </p>
      ) : null}
      {list.error ? (
        <StaleNote onRetry={() => void list.refetch()} busy={list.isFetching}>
          The keys could not be asked again: {sentenceOf(list.error)} Shown is what was known at{' '}
          {new Date(list.dataUpdatedAt).toISOString().slice(11, 19)} UTC.
        </StaleNote>
      ) : null}
      <div className="grid items-start gap-4 pane:grid-cols-[minmax(0,1fr)_22rem]">
        <section aria-label="API keys" className="flex min-w-0 flex-col gap-3">
          <div className="flex flex-wrap items-center justify-between gap-2">
            <p className="tnum text-muted">
              {list.data ? `${keys.length}${most === undefined ? '' : ` of ${most}`} ${(most ?? keys.length) === 1 ? 'key' : 'keys'}` : ''}
            </p>
            <Button ref={create} kind="primary" onClick={() => setOpen({ what: 'create' })} disabled={list.isPending}>
              <Plus size={16} aria-hidden="true" /> Create API key
            </Button>
          </div>
          {list.isPending ? <Skeleton label="Loading API keys" rows={6} className="card p-4" /> : null}
          {list.data && keys.length === 0 ? (
            <div className="card">
              <EmptyState icon={<KeyRound size={26} aria-hidden="true" />} title="No API keys yet">
                A key lets a program of yours ask with limits of its own.
                {usage.data
                  ? ` Without one the public calls answer ${usage.data.anonymous_per_minute.toLocaleString('en-US')} times per minute.`
                  : ''}
              </EmptyState>
            </div>
          ) : null}
          <ul className={`flex flex-col gap-3 ${list.error ? 'opacity-60' : ''}`}>
            {keys.map((key) => (
              <KeyCard key={key.id} apiKey={key} now={now} deeds={deeds} busy={busyKey === key.id} />
            ))}
          </ul>
          <PlaceCredit keys={keys} />
        </section>
        <AccountPanel usage={usage} />
      </div>
      {open?.what === 'create' || open?.what === 'edit' ? (
        <KeyForm
          apiKey={open.what === 'edit' ? open.key : null}
          account={account}
          defaults={usage.data?.new_key ?? lowered(account)}
          onClose={close}
          onCreated={(key, text) => reveal(key, text, 'created')}
          onSaved={(key) => done(`"${key.description}" was saved`)}
        />
      ) : null}
      {looked ? <KeyUsageDialog apiKey={looked} onClose={() => show(undefined)} /> : null}
      {open?.what === 'refresh' ? (
        <RefreshKey apiKey={open.key} onClose={close} onRefreshed={(key, text) => reveal(key, text, 'refreshed')} />
      ) : null}
      {open?.what === 'delete' ? (
        <DeleteKey
          apiKey={open.key}
          onClose={close}
          onDeleted={(key) => done(`"${key.description}" was deleted`)}
          next={() => create.current}
        />
      ) : null}
    </div>
  );
}

const sightOf = (note: HTMLElement | null) => note?.scrollIntoView({ block: 'nearest' });

/** Whose data the countries are, where it asks for that. */
function PlaceCredit({ keys }: { keys: readonly ApiKey[] }) {
  const credit = keys.find(({ last_used_from: from }) => from?.attribution)?.last_used_from?.attribution;
  if (!credit) return null;
  return (
    <p className="text-xs text-muted">
      <a href={credit.url} className="underline" rel="noreferrer">
        {credit.text}
      </a>
    </p>
  );
}

/** KEY-09, until the server has said what it gives: at most what the account has. */
const lowered = (account: { per_minute: number; per_day: number; per_month: number }) => ({
  per_minute: Math.min(60, account.per_minute),
  per_day: Math.min(10_000, account.per_day),
  per_month: Math.min(100_000, account.per_month),
});
