/** `npm run import -- <source> <file>`: history of real alerts out of archives; docs/import.md. */
import { resolve } from 'node:path';
import { importCommand } from '../apps/server/src/app/import.ts';
import { readEnv } from '../apps/server/src/platform/config/env.ts';

const { stdout, stderr } = process;
// npm runs scripts in the project's folder; paths are meant from where the command was given.
process.chdir(process.env['INIT_CWD'] ?? process.cwd());
process.exitCode = await importCommand(process.argv.slice(2), readEnv(), resolve(import.meta.dirname, '..'), {
  isTerminal: stdout.isTTY,
  out: (text) => void stdout.write(text),
  err: (text) => void stderr.write(text),
});
