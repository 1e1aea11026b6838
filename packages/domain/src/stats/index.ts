export * from './share.ts';
export * from './rate.ts';
export * from './trend.ts';
export * from './bootstrap.ts';
