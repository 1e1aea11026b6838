import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const MAIN = resolve(import.meta.dirname, '../src/main.ts');
/** A cold start on a busy machine. */
const START_WITHIN_MS = 150_000;

/** The log leaves out tests unless asked: with this, its numbers are whole. */
export const ANY_STATUS = 'status=Actual,Exercise,Test,System,Draft';

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** The product as a process of its own: for signals and kills. */
export interface ChildServer {
  url: string;
  pid: number;
  /** Everything it said so far on both outputs. */
  said(): string;
  exited: Promise<Exit>;
  kill(signal: NodeJS.Signals): void;
  /** GET below /api/v1, parsed. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read what they assert
  json(path: string): Promise<any>;
}

/**
 * Starts `main.ts` on a free port over simulated weather; resolves once it answers. `within`: a command that runs the
 * one given after it, in another setting. Rejects with what it said when it ends before.
 */
export async function startChild(dataDir: string, env: Record<string, string> = {}, within: readonly string[] = []): Promise<ChildServer> {
  const { child, said, exited } = launch(dataDir, env, within);
  const url = await new Promise<string>((found, failed) => {
    const late = setTimeout(() => {
      child.kill('SIGKILL');
      failed(new Error(`no start within ${START_WITHIN_MS} ms: ${said()}`));
    }, START_WITHIN_MS);
    const look = () => {
      const seen = /NWMS is at (http:\S+)/.exec(said())?.[1];
      if (!seen) return;
      clearTimeout(late);
      found(seen);
    };
    child.stdout?.on('data', look);
    void exited.then(({ code, signal }) => {
      clearTimeout(late);
      return failed(new Error(`ended with ${code ?? signal} before it answered: ${said()}`));
    });
  });
  return {
    url,
    pid: child.pid as number,
    said,
    exited,
    kill: (signal) => void child.kill(signal),
    json: async (path) => (await fetch(`${url}/api/v1${path}`)).json(),
  };
}

/** Starts `main.ts` where it must refuse: its exit and words. */
export async function refusedStart(dataDir: string, env: Record<string, string> = {}): Promise<Exit & { said: string }> {
  const { said, exited } = launch(dataDir, env);
  const exit = await exited;
  return { ...exit, said: said() };
}

function launch(
  dataDir: string,
  env: Record<string, string>,
  within: readonly string[] = [],
): { child: ChildProcess; said: () => string; exited: Promise<Exit> } {
  const [command = process.execPath, ...rest] = [...within, process.execPath, MAIN];
  const child = spawn(command, rest, {
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      FEED: 'simulator',
      NWS_POLL_SECONDS: '1',
      LIMITS_FACTOR: '1000',
      LOG_LEVEL: 'warn',
      DATA_DIR: dataDir,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const words: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (text: string) => words.push(text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => words.push(text));
  // 'close' rather than 'exit': its last words are read by then.
  const exited = new Promise<Exit>((ended) => child.once('close', (code, signal) => ended({ code, signal })));
  return { child, said: () => words.join(''), exited };
}

/** Asks until the answer satisfies; throws with the last answer, or error, when the deadline passes. */
export async function poll<T>(ask: () => Promise<T>, satisfied: (answer: T) => boolean, withinMs: number, everyMs = 25): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const answer = await ask().catch((error: unknown) => error as Error);
    if (!(answer instanceof Error) && satisfied(answer)) return answer;
    if (performance.now() > deadline) {
      throw answer instanceof Error ? answer : new Error(`did not get there: ${JSON.stringify(answer)?.slice(0, 500)}`);
    }
    await new Promise((next) => setTimeout(next, everyMs));
  }
}

/** Resident memory of another process, bytes; 0 where the system does not tell. */
export function residentBytes(pid: number): number {
  const file = `/proc/${pid}/status`;
  return existsSync(file) ? Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(file, 'utf8'))?.[1] ?? 0) * 1_024 : 0;
}
