import { AppError } from '../app-error.ts';

/** Strong validator of an object with a version. */
export const versionTag = (version: number) => `"v${version}"`;

/**
 * Holds a change against the version it was made from. Weak tags never match (RFC 9110), `*` matches whatever there is.
 * @throws AppError precondition.failed; with `required`, precondition.required when the header is missing
 */
export function checkIfMatch(header: string | undefined, version: number, options: { required: boolean }): void {
  if (header === undefined || header.trim() === '') {
    if (!options.required) return;
    throw new AppError('precondition.required', { public: 'Send the ETag of the version you changed as If-Match.' });
  }
  const tags = header.split(',').map((tag) => tag.trim());
  if (tags.includes('*') || tags.includes(versionTag(version))) return;
  throw new AppError('precondition.failed', { public: 'Somebody saved another version meanwhile. Reload, then apply your change again.' });
}
