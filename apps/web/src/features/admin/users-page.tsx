import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { AdminUser } from '@nwms/contract';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { detailOf } from '../../api/errors.ts';
import { useServices } from '../../api/services.ts';
import { useUser } from '../../api/session.ts';
import { useMedia } from '../../lib/use-media.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { Page } from '../../ui/page.tsx';
import { FailedWindow } from '../../ui/part-failed.tsx';
import { useToast } from '../../ui/toast.tsx';
import { ADMIN_KEY, limitDefaultsOf, unlockUser, usersOf } from './queries.ts';
import { useExport } from './use-export.ts';
import { useTypedSearch } from './use-typed-search.ts';
import { FALLBACK_LIMITS } from './user-draft.ts';
import { DeleteUser, EndSessions } from './user-questions.tsx';
import { UserCards, UserSkeleton, UserTable } from './user-table.tsx';
import { NoUsers, UsersFailure } from './users-notices.tsx';
import { UsersPager } from './users-pager.tsx';
import { DEFAULT_SORT, matches, readUsersSearch, type UserSort, type UsersSearch } from './users-search.ts';
import { UsersToolbar } from './users-toolbar.tsx';

/** Most visits only look at the list. */
const UserForm = lazyPart({ load: async () => (await import('./user-form.tsx')).UserForm, Failed: FailedWindow });

type Open = { what: 'create' } | { what: 'edit' | 'delete' | 'sessions'; user: AdminUser };

/** USER-01 to USER-13: every account, found, changed and removed. */
export default function UsersPage() {
  const services = useServices();
  const queries = useQueryClient();
  const me = useUser();
  const navigate = useNavigate();
  const search = readUsersSearch(useSearch({ strict: false }));
  const change = (next: Partial<UsersSearch>) =>
    void navigate({
      to: '.',
      search: (old: object) => ({ ...old, page: undefined, ...next }),
      replace: !('page' in next),
      resetScroll: false,
    });
  const typing = useTypedSearch(search.q ?? '', (q) => change({ q: q === '' ? undefined : q }));
  const list = useQuery(usersOf(services, search));
  const defaults = useQuery(limitDefaultsOf(services)).data ?? FALLBACK_LIMITS;
  const wide = useMedia('(min-width: 64rem)');
  const [open, setOpen] = useState<Open | null>(null);
  const toast = useToast();
  const exports = useExport(search, toast);

  const renew = () => void queries.invalidateQueries({ queryKey: ADMIN_KEY });
  const done = (text: string) => {
    setOpen(null);
    toast(text);
    renew();
  };
  const unlock = async (user: AdminUser) => {
    try {
      await unlockUser(services.api, user.id);
      done(`"${user.username}" was unlocked`);
    } catch (error) {
      toast(`"${user.username}" was not unlocked: ${detailOf(error, 'Operation failed')}`, 'bad');
    }
  };
  // Until the server has answered about all users, the loaded page alone is searched (USER-01, R-27).
  const waiting = typing.pending || list.isPlaceholderData;
  const loaded = list.data?.users ?? [];
  const users = waiting ? loaded.filter((user) => matches(user, typing.text)) : loaded;
  const filtered = Boolean(search.q ?? search.role ?? search.status);
  const table = {
    users,
    sort: search.sort ?? DEFAULT_SORT,
    onSort: (sort: UserSort) => change({ sort: sort === DEFAULT_SORT ? undefined : sort }),
    dimmed: list.error !== null,
    ownId: me?.id,
    deeds: {
      edit: (user: AdminUser) => setOpen({ what: 'edit', user }),
      remove: (user: AdminUser) => setOpen({ what: 'delete', user }),
      endSessions: (user: AdminUser) => setOpen({ what: 'sessions', user }),
      unlock: (user: AdminUser) => void unlock(user),
    },
  };
  return (
    <Page>
      <UsersToolbar
        text={typing.text}
        onText={typing.setText}
        {...{ search, change }}
        refreshing={list.isFetching}
        refresh={() => void list.refetch()}
        exporting={exports.share}
        onExport={exports.toggle}
        onAdd={() => setOpen({ what: 'create' })}
      />
      {list.error ? (
        <UsersFailure
          error={list.error}
          kept={list.data !== undefined}
          at={list.dataUpdatedAt}
          busy={list.isFetching}
          retry={() => void list.refetch()}
        />
      ) : null}
      <section aria-label="Users" hidden={list.error !== null && !list.data} className="card min-w-0 overflow-hidden">
        {list.isPending ? <UserSkeleton /> : null}
        {list.data && users.length > 0 ? wide ? <UserTable {...table} /> : <UserCards {...table} /> : null}
        {list.data && users.length === 0 ? (
          <NoUsers
            filtered={filtered || typing.text !== ''}
            waiting={waiting}
            beyond={!waiting && list.data.total > 0}
            clear={() => {
              typing.setText('');
              change({ q: undefined, role: undefined, status: undefined });
            }}
          />
        ) : null}
        {list.data ? (
          <UsersPager
            page={search.page ?? 1}
            rows={loaded.length}
            total={list.data.total}
            waiting={waiting}
            onPage={(page) => change({ page })}
          />
        ) : null}
      </section>
      {open?.what === 'create' || open?.what === 'edit' ? (
        <UserForm
          user={open.what === 'edit' ? open.user : null}
          own={open.what === 'edit' && open.user.id === me?.id}
          defaults={defaults}
          onClose={() => {
            setOpen(null);
            renew();
          }}
          onSaved={(user) => done(open.what === 'create' ? `User "${user.username}" was created` : `User "${user.username}" was updated`)}
        />
      ) : null}
      {open?.what === 'delete' ? <DeleteUser user={open.user} onClose={() => setOpen(null)} onDone={done} /> : null}
      {open?.what === 'sessions' ? <EndSessions user={open.user} onClose={() => setOpen(null)} onDone={done} /> : null}
    </Page>
  );
}
