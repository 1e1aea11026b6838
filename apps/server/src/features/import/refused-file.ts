/** The file (or what was asked of it) cannot be imported at all. The message says what to do. */
export class RefusedFile extends Error {
  override readonly name = 'RefusedFile';
}
