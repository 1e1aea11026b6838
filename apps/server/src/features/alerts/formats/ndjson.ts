import type { Freshness } from '@nwms/contract';
import { encodeFull } from '../encode.ts';
import type { Presented } from '../present.ts';

export const ndjsonRow = (row: Presented): string => `${encodeFull(row)}\n`;

/** Last line: says that the answer is complete, and how fresh it is. A reader that did not see it has a truncated answer. */
export const ndjsonEnd = (total: number, freshness: Freshness): string => `${JSON.stringify({ end: true, total, freshness })}\n`;
