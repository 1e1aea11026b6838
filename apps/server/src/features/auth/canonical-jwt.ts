/**
 * Three base64url parts, each the one encoding of its bytes. Decoders ignore the spare bits of a last character, so without this look one
 * signed token has several spellings, and "used once" or "ended" would hold for one of them only.
 */
export function isCanonicalJwt(token: string): boolean {
  const parts = token.split('.');
  return parts.length === 3 && parts.every((part) => part !== '' && Buffer.from(part, 'base64url').toString('base64url') === part);
}
