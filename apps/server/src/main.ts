import { enableCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';

// Compiling the sources is half of the start; the runtime keeps what it compiled (in the system's temporary folder). Must come before the imports.
enableCompileCache();
// Clean up when twice as much lies there as was alive: left to itself the runtime waits for four times, and what it took it keeps.
setFlagsFromString('--heap-growing-percent=100');
const { run } = await import('./app/run.ts');
await run();
