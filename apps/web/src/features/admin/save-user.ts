import type { AdminUser } from '@nwms/contract';
import type { Api } from '../../api/call.ts';
import { ApiError, detailOf } from '../../api/errors.ts';
import { createUser, readUser, updateUser } from './queries.ts';
import { changeOf, draftOf, type Rebased, rebaseDraft, type UserDraft, type UserField } from './user-draft.ts';

/** What became of a save. */
export type SaveOutcome =
  | { kind: 'saved'; user: AdminUser }
  /** Refused: texts beside fields, and one that belongs to none of them. */
  | { kind: 'refused'; fields: ReadonlyMap<UserField, string>; text: string | null }
  /** Somebody else saved first: their version, with mine put on top of it. */
  | { kind: 'overtaken'; user: AdminUser; rebased: Rebased };

/** Faults of switches are told at the buttons: there is no text beside a switch. */
const isField = (name: string, draft: UserDraft): name is UserField =>
  Object.hasOwn(draft, name) && typeof Reflect.get(draft, name) === 'string' && name !== 'confirmation' && name !== 'role';

/** USER-07: the server's detail, else its message, else 'Operation failed'; faults with a known name go beside their field. */
export function refusalOf(error: unknown, draft: UserDraft): SaveOutcome {
  const text = detailOf(error, 'Operation failed');
  const fields = new Map<UserField, string>();
  if (error instanceof ApiError) {
    for (const { name, message } of error.fields) if (isField(name, draft) && !fields.has(name)) fields.set(name, message || text);
    // Some refusals say by their code which value it was.
    const byCode = { 'user.username_taken': 'username', 'user.email_taken': 'email', 'user.weak_password': 'password' } as const;
    const field = byCode[error.code as keyof typeof byCode];
    if (field && fields.size === 0) fields.set(field, text);
  }
  return { kind: 'refused', fields, text: fields.size > 0 ? null : text };
}

/** Saves an account, new (`user` null) or changed since `user` was loaded. Never rejects. */
export async function saveUser(
  api: Api,
  given: { user: AdminUser | null; draft: UserDraft; keyOf: (body: string) => string },
): Promise<SaveOutcome> {
  const { user, draft } = given;
  try {
    if (user === null) {
      const body = changeOf(draft);
      return { kind: 'saved', user: await createUser(api, body, given.keyOf(JSON.stringify(body))) };
    }
    return { kind: 'saved', user: await updateUser(api, user, changeOf(draft, draftOf(user))) };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 412 || user === null) return refusalOf(error, draft);
  }
  try {
    const theirs = await readUser(api, user.id);
    return { kind: 'overtaken', user: theirs, rebased: rebaseDraft(draftOf(user), draft, draftOf(theirs)) };
  } catch (error) {
    return refusalOf(error, draft);
  }
}

/** The same key for the same content: a save repeated after a lost answer is one account, an edited one is another attempt (IDs of api 0.1). */
export function createKeys(newKey: () => string): (body: string) => string {
  let last: { body: string; key: string } | null = null;
  return (body) => {
    if (last?.body !== body) last = { body, key: newKey() };
    return last.key;
  };
}
