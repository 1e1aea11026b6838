import { enableCompileCache } from 'node:module';

// Compiling the sources is half of the start; the runtime keeps what it compiled (in the system's temporary folder). Must come before the imports.
enableCompileCache();
const { run } = await import('./app/run.ts');
await run();
