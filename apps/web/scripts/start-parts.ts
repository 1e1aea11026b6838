/** Modules of the start page; the document, the budget and the worker know them by these names. */

/** Imports on demand, step by step, what every screen needs. */
export const START_ENTRY = 'src/start.ts';
/** What the router then loads. */
export const START_PARTS = ['src/app/visitor-frame.tsx', 'src/features/landing/landing-page.tsx'] as const;
