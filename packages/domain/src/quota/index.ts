export * from './costs.ts';
export * from './counter.ts';
export * from './headers.ts';
export * from './windows.ts';
