import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';

export interface LoadResult {
  requestsPerSecond: number;
  /** Answers in all. */
  answers: number;
  p99Ms: number;
  non2xx: number;
  errors: number;
}

export interface LoadOptions {
  url: string;
  seconds: number;
  connections: number;
  headers?: Record<string, string>;
}

/** Loads one URL on this machine from a process of its own, so that the load does not share a thread with what it measures. */
export function load(options: LoadOptions): Promise<LoadResult> {
  const { hostname } = new URL(options.url);
  if (hostname !== '127.0.0.1') throw new Error(`load runs against loopback only, not ${hostname}`);
  const script = createRequire(import.meta.url).resolve('autocannon');
  const headers = Object.entries(options.headers ?? {}).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const args = [script, '--json', '-c', String(options.connections), '-d', String(options.seconds), ...headers, options.url];
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    let output = '';
    child.stdout.on('data', (chunk) => (output += String(chunk)));
    child.on('error', fail);
    child.on('close', () => {
      const result = JSON.parse(output) as {
        requests: { average: number; total: number };
        latency: { p99: number };
        non2xx: number;
        errors: number;
      };
      done({
        requestsPerSecond: result.requests.average,
        answers: result.requests.total,
        p99Ms: result.latency.p99,
        non2xx: result.non2xx,
        errors: result.errors,
      });
    });
  });
}
