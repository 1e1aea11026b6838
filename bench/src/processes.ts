import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface Started {
  child: ChildProcess;
  /** First line it printed. */
  line: string;
  /** Milliseconds from spawn to that line. */
  startedMs: number;
  stop(): Promise<void>;
}

/** Starts a script in our runtime and waits for a line that matches. */
export function startProcess(args: readonly string[], ready: RegExp, env: Record<string, string> = {}): Promise<Started> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...env } });
  return new Promise((done, fail) => {
    let output = '';
    child.on('error', fail);
    child.on('exit', (code) => fail(new Error(`${args[0]} ended with ${code} before it was ready: ${output}`)));
    child.stdout.on('data', (chunk) => {
      output += String(chunk);
      const line = output.split('\n').find((candidate) => ready.test(candidate));
      if (line === undefined) return;
      child.removeAllListeners('exit');
      done({ child, line, startedMs: performance.now() - startedAt, stop: () => stopProcess(child) });
    });
  });
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((done) => child.once('exit', done));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 12_000);
  await gone;
  clearTimeout(timer);
}

/** Resident memory of a process in bytes (Linux). */
export function residentBytes(pid: number): number {
  const match = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(match?.[1] ?? 0) * 1024;
}
