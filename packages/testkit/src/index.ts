export * from './shared-data.ts';
export * from './fake-clock.ts';
export * from './databases.ts';
