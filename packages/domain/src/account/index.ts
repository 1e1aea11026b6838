export * from './fields.ts';
export { foldName } from './fold.ts';
export { usernamesFor } from './username.ts';
