/** What the in-app reference shows, tried: every code example runs, every example answer is of its documented form. */
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { stripTypeScriptTypes } from 'node:module';
import { ALL_ROUTES } from '@nwms/contract';
import { codeExample, type ExampleCall, type Language, PLACEHOLDERS } from '@nwms/contract/code-examples';
import { EXAMPLES } from '@nwms/contract/examples';
import { type ApiDocument, exampleCallOf, fillingOf, readReference, type Reference } from '@nwms/contract/read-reference';
import { sampleOf } from '@nwms/contract/sample';
import { SDK_CALLS } from '@nwms/contract/sdk-calls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { boot, type Booted } from './boot.ts';
import { conforms } from './conforms.ts';
import { signIn } from './sign-in.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
let product: Booted;
let reference: Reference;
let eventId = '';
let token = '';
let folder = '';

beforeAll(async () => {
  product = await boot({ FEED: 'simulator' });
  const list = await product.until('/alerts?limit=1&active_only=true', (answer) => answer.total > 20);
  await product.until('/playback/patterns/seasonal', (answer) => answer.error === undefined);
  eventId = list.alerts[0].event_id;
  token = await signIn(product.url, 'admin');
  reference = readReference((await product.json('/openapi.json')) as ApiDocument);
  // Below node_modules, so that `@nwms/client` is found as it would be by somebody who installed it.
  const parent = join(ROOT, 'node_modules/.cache');
  mkdirSync(parent, { recursive: true });
  folder = mkdtempSync(join(parent, 'reference-'));
}, 90_000);
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await product.stop();
});

const hasCommand = (name: string): boolean => {
  try {
    execFileSync(name, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** Runs one example as a person would; resolves with what it printed, rejects when it failed. */
function run(language: Language, code: string, name: string): Promise<string> {
  const [command, args] = written(language, code, name);
  return execute(command, args, `${name} in ${language}`);
}
function execute(command: string, args: string[], what: string): Promise<string> {
  // oxlint-disable-next-line node/no-process-env -- the examples read their credential from the environment, as people's scripts do
  const env = { ...process.env, NWMS_API_KEY: token, NWMS_TOKEN: token };
  return new Promise((done, failed) => {
    execFile(command, args, { cwd: folder, env, timeout: 90_000, maxBuffer: 64 << 20 }, (error, stdout, stderr) => {
      if (error) failed(new Error(`${what} failed: ${stderr || error.message}\n${stdout.slice(-600)}`));
      else done(stdout);
    });
  });
}
function written(language: Language, code: string, name: string): [string, string[]] {
  // The key of the examples is this session's token: what a key may do, its owner may.
  const real = code.replaceAll(PLACEHOLDERS.key, token).replaceAll(PLACEHOLDERS.session, token);
  if (language === 'curl') return ['sh', ['-c', real.replaceAll('X-API-Key: $NWMS_API_KEY', 'Authorization: Bearer $NWMS_TOKEN')]];
  const file = join(folder, `${name}.${language}.${language === 'python' ? 'py' : 'mjs'}`);
  const asSession = real
    .replaceAll("'X-API-Key': apiKey", 'Authorization: `Bearer ${apiKey}`')
    .replaceAll('"X-API-Key": os.environ["NWMS_API_KEY"]', '"Authorization": "Bearer " + os.environ["NWMS_TOKEN"]');
  writeFileSync(file, language === 'sdk' ? stripTypeScriptTypes(asSession) : asSession);
  return language === 'python' ? ['python3', [file]] : [process.execPath, [file]];
}

/** What the reference shows, for an event that exists. */
function calls(): ExampleCall[] {
  return (
    reference.operations
      .filter(({ readOnly, access }) => readOnly && access !== 'special')
      // Nothing writes texts yet: its health is 503, which ends an example like any refusal.
      .filter(({ area }) => area !== 'ai')
      .filter(({ parameters }) => !parameters.some((one) => one.in === 'path' && /^(usr|ses|key|aud)_/.test(String(one.example))))
      .map((operation) => {
        const filling = fillingOf(operation);
        const params = 'id' in filling.params ? { ...filling.params, id: eventId } : filling.params;
        return exampleCallOf(operation, product.url, { ...filling, params });
      })
  );
}
/** Runs every example of one language, each as it is shown, one after the other in one process; what each printed, by operation. */
async function runAll(language: Exclude<Language, 'curl'>): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const call of calls()) {
    const code = codeExample(language, call);
    const file = code === null ? undefined : written(language, code, call.operation)[1][0];
    if (file) files.set(call.operation, file);
  }
  const runner = join(folder, `all-${language}.${language === 'python' ? 'py' : 'mjs'}`);
  const steps = [...files].map(([operation, file]) =>
    language === 'python'
      ? `print("${MARK}${operation}")\nrunpy.run_path("${file}")`
      : `console.log('${MARK}${operation}');\nawait import('${file}');`,
  );
  writeFileSync(runner, [...(language === 'python' ? ['import runpy'] : []), ...steps].join('\n'));
  const text = await execute(language === 'python' ? 'python3' : process.execPath, [runner], `every example in ${language}`);
  const parts = text.split(MARK).slice(1);
  return new Map(parts.map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n') + 1)]));
}
/** Begins what an example printed. */
const MARK = '=====example ';

describe('DOCS-02: code examples of the reference', () => {
  it.for(['javascript', 'node'] as const)('every one in %s runs and prints its answer', { timeout: 120_000 }, async (language) => {
    const printed = await runAll(language);
    expect(printed.size).toBeGreaterThan(25);
    for (const [operation, text] of printed) expect(text.trim(), operation).not.toBe('');
    expect(printed.get('listAlerts')).toContain('freshness');
  });

  it('every one with the SDK runs and prints its answer', { timeout: 120_000 }, async () => {
    const printed = await runAll('sdk');
    // The feed answers after its example was read to the end: it runs alone.
    const code = codeExample('sdk', exampleCallOf(operationOf('streamAlerts'), product.url)) ?? '';
    printed.set('streamAlerts', await run('sdk', code, 'feed'));
    expect(printed.size).toBeGreaterThan(15);
    for (const [operation, text] of printed) expect(text.trim(), operation).not.toBe('');
    expect(printed.get('streamAlerts')).toMatch(/^\d+ active/);
  });

  it('every one in cURL runs and prints the JSON it is documented with', { timeout: 120_000 }, async ({ skip }) => {
    if (!hasCommand('curl')) skip('curl is not installed here: its examples were not run');
    // A stream never ends by itself; it is left after its first message.
    const code = codeExample('curl', exampleCallOf(operationOf('streamAlerts'), product.url));
    expect(await run('curl', `${code} | head -n 5`, 'streamAlerts')).toContain('event: heartbeat');
    const printed = await runCurl();
    expect(printed.size).toBeGreaterThan(25);
    for (const [operation, text] of printed) {
      const spec = ALL_ROUTES.find((one) => one.operation === operation);
      if (spec?.reply) conforms(spec.reply, JSON.parse(text));
    }
  });

  it('every one in Python runs and prints its answer', { timeout: 120_000 }, async ({ skip }) => {
    if (!hasCommand('python3')) skip('python3 is not installed here: its examples were not run');
    const printed = await runAll('python');
    expect(printed.size).toBeGreaterThan(25);
    expect(JSON.parse(printed.get('listAlerts') ?? '')).toHaveProperty('freshness.status', 'simulated');
  });

  it('a refusal ends every example with the code, the sentence and the request', { timeout: 60_000 }, async ({ skip }) => {
    const call = { ...exampleCallOf(operationOf('listAlerts'), product.url), query: { state: 'IA' } };
    for (const language of ['javascript', 'node', ...(hasCommand('python3') ? (['python'] as const) : [])] as const) {
      await expect(run(language, codeExample(language, call) ?? '', 'refused')).rejects.toThrow(
        /request\.unknown_parameter: .+\(req_[a-z2-7]{20}\)/,
      );
    }
    if (!hasCommand('python3')) skip('python3 is not installed here: its example was not run');
  });

  it('the SDK is shown for each of its calls and for nothing else', async () => {
    const asked = new Map<string, string>();
    const { createClient } = await import('@nwms/client');
    const fetch = (url: string, { method }: { method: string }) => {
      asked.set('last', `${method} ${new URL(url).pathname.replace('/api/v1', '')}`);
      return Promise.resolve(Response.json({}));
    };
    const nwms = createClient({ baseUrl: 'http://a.invalid', fetch }) as unknown as Record<string, Record<string, Function>>;
    for (const [operation, { call, given }] of Object.entries(SDK_CALLS)) {
      const [area = '', name = ''] = call.split('.');
      await nwms[area]?.[name]?.(given.startsWith('id') ? 'x' : {});
      const spec = ALL_ROUTES.find((one) => one.operation === operation);
      expect(asked.get('last'), call).toBe(`${spec?.method} ${spec?.path.replace('{id}', 'x')}`);
    }
    const known = new Set(Object.values(SDK_CALLS).map(({ call }) => call));
    const offered = ['alerts', 'intelligence', 'playback', 'health'].flatMap((area) =>
      Object.keys(nwms[area] ?? {}).map((name) => `${area}.${name}`),
    );
    expect(offered.filter((call) => !known.has(call))).toEqual([]);
  });
});

const operationOf = (name: string) => {
  const found = reference.operations.find(({ operation }) => operation === name);
  if (!found) throw new Error(`${name} is not in the document`);
  return found;
};
async function runCurl(): Promise<Map<string, string>> {
  const printed = new Map<string, string>();
  for (const call of calls()) {
    if (call.answer === 'stream') continue;
    printed.set(call.operation, await run('curl', codeExample('curl', call) ?? '', call.operation));
  }
  return printed;
}

describe('examples in the API document', () => {
  it('every example answer is of its documented form', () => {
    const schemas = new Map(Object.entries(reference.schemas));
    let judged = 0;
    for (const spec of ALL_ROUTES) {
      if (!spec.reply) continue;
      const { answer } = operationOf(spec.operation);
      conforms(spec.reply, answer.example);
      expect(sampleOf(answer.schema, schemas), spec.operation).toEqual(answer.example);
      judged += 1;
    }
    expect(judged).toBeGreaterThan(30);
  });

  it('every example request is one that its schemas allow', () => {
    for (const [operation, { params = {}, query = {}, body }] of Object.entries(EXAMPLES)) {
      const spec = ALL_ROUTES.find((one) => one.operation === operation);
      if (!spec) throw new Error(`${operation} is no operation: take it out of packages/contract/src/examples.ts`);
      expect(Object.keys(params), operation).toEqual(Object.keys(spec.params?.properties ?? {}));
      for (const name of Object.keys(query)) expect(Object.keys(spec.query?.properties ?? {}), operation).toContain(name);
      if (spec.query) conforms(spec.query, query);
      if (spec.body && body !== undefined) conforms(spec.body, body);
      expect(spec.body === undefined, operation).toBe(body === undefined);
    }
  });

  it('every operation that takes a body or a part of the path shows one', () => {
    const bare = ALL_ROUTES.filter(({ path, body }) => path.includes('{') || body !== undefined)
      .map(({ operation }) => operation)
      .filter((operation) => !EXAMPLES[operation]);
    expect(bare, 'add a request to packages/contract/src/examples.ts').toEqual([]);
  });
});
