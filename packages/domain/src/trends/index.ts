export * from './fact.ts';
export * from './classify.ts';
export * from './days.ts';
