import { enableCompileCache, flushCompileCache } from 'node:module';
import { afterAll } from 'vitest';

/** Workers compile the same sources again and again; the runtime keeps what it compiled, as it does for the product (apps/server/src/main.ts). */
enableCompileCache();
// A worker is ended by a signal, which would lose what it compiled.
afterAll(() => flushCompileCache());
