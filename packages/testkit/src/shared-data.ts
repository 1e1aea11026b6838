import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = process.env['NWMS_SHARED_DATA'] ?? resolve(import.meta.dirname, '../../../../shared/data');

/** Path of a recorded data file, or null when recordings are not on this machine (they are never part of the project). */
export function sharedData(relativePath: string): string | null {
  const path = join(root, relativePath);
  return existsSync(path) ? path : null;
}
