export * from './describe-place.ts';
export * from './fold-name.ts';
export * from './place-index.ts';
export * from './place-query.ts';
export * from './search-places.ts';
export * from './us-states.ts';
