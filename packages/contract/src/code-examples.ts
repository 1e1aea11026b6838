/**
 * Requests as code, in the languages of the in-app reference (DOCS-02). Pure: the same request gives the same text. A test runs every text
 * against a server, so an example that is shown is an example that works.
 */
import { SDK_CALLS } from './sdk-calls.ts';

export const LANGUAGES = ['curl', 'javascript', 'python', 'node', 'sdk'] as const;
export type Language = (typeof LANGUAGES)[number];
export const LANGUAGE_WORDS: Readonly<Record<Language, string>> = {
  curl: 'cURL',
  javascript: 'JavaScript',
  python: 'Python',
  node: 'Node',
  sdk: 'SDK',
};

type Value = string | number | boolean | readonly string[];

export interface ExampleCall {
  /** Scheme, host and port of the service. */
  origin: string;
  operation: string;
  method: string;
  /** Below `/api/v1`, with `{name}` for the parts of `params`. */
  path: string;
  params?: Readonly<Record<string, string>> | undefined;
  query?: Readonly<Record<string, Value>> | undefined;
  body?: unknown;
  /** What it has to bring: an API key, the token of a web login, or nothing. */
  credential: Credential;
  /** What comes back: JSON, a stream of events, bytes, or nothing. */
  answer: 'json' | 'stream' | 'bytes' | 'nothing';
}
export type Credential = 'none' | 'key' | 'session';

/** What a caller of this level brings (docs/access.md). Levels that need nothing take a key too, for limits of its own. */
export function credentialOf(access: string): Credential {
  if (access === 'open' || access === 'public') return 'none';
  return access === 'key-or-session' || access === 'special' ? 'key' : 'session';
}

/** Environment variable that holds the credential in the examples. */
export const VARIABLES: Readonly<Record<Exclude<Credential, 'none'>, string>> = { key: 'NWMS_API_KEY', session: 'NWMS_TOKEN' };
/** Stands for the key in code for browsers, which have no environment. */
export const PLACEHOLDERS: Readonly<Record<Exclude<Credential, 'none'>, string>> = { key: 'nws_your_key', session: 'your_web_login_token' };

/** The whole address; commas and colons stay readable. */
export function addressOf({ origin, path, params = {}, query = {} }: Pick<ExampleCall, 'origin' | 'path' | 'params' | 'query'>): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encode(params[name] ?? `{${name}}`));
  const parts = Object.entries(query).map(([name, value]) => `${name}=${encode(Array.isArray(value) ? value.join(',') : String(value))}`);
  return `${origin}/api/v1${filled}${parts.length > 0 ? `?${parts.join('&')}` : ''}`;
}
const encode = (text: string): string => encodeURIComponent(text).replaceAll('%2C', ',').replaceAll('%3A', ':').replaceAll("'", '%27');

/** The request in one language; null where the SDK has no call for it. */
export function codeExample(language: Language, call: ExampleCall): string | null {
  if (language === 'curl') return curl(call);
  if (language === 'python') return python(call);
  if (language === 'sdk') return sdk(call);
  return javascript(call, language === 'node');
}

function curl(call: ExampleCall): string {
  const { method, credential, body, answer } = call;
  const words = ['curl', '-sS', '--fail-with-body'];
  if (answer === 'stream') words.push('-N');
  if (answer === 'bytes') words.push('-o', 'answer.bin');
  if (method !== 'GET' && !(method === 'POST' && body !== undefined)) words.push('-X', method);
  const lines = [`${words.join(' ')} '${addressOf(call)}'`];
  if (credential === 'key') lines.push(`-H "X-API-Key: $${VARIABLES.key}"`);
  if (credential === 'session') lines.push(`-H "Authorization: Bearer $${VARIABLES.session}"`);
  if (body !== undefined) {
    if (method !== 'POST') lines.push("-H 'Accept: application/json'");
    lines.push("-H 'Content-Type: application/json'", `-d '${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`);
  }
  return lines.join(' \\\n  ');
}

/** As it stands in code: members unquoted where they may be, lines only where it is long. */
function literal(value: unknown, indent: string): string {
  const short = flat(value);
  if (short.length <= 72 || typeof value !== 'object' || value === null) return short;
  const inner = `${indent}  `;
  const rows = Array.isArray(value)
    ? value.map((one) => literal(one, inner))
    : Object.entries(value).map(([name, one]) => `${memberName(name)}: ${literal(one, inner)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return `${open}\n${rows.map((row) => `${inner}${row},\n`).join('')}${indent}${close}`;
}
function flat(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${value.map(flat).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const members = Object.entries(value).map(([name, one]) => `${memberName(name)}: ${flat(one)}`);
  return members.length > 0 ? `{ ${members.join(', ')} }` : '{}';
}
const memberName = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : quoted(name));
const quoted = (text: string): string => {
  const inside = JSON.stringify(text).slice(1, -1);
  return text.includes("'") ? `"${inside}"` : `'${inside.replaceAll(String.raw`\"`, '"')}'`;
};

function javascript(call: ExampleCall, forNode: boolean): string {
  const { method, credential, body, answer } = call;
  const head: string[] = [];
  const headers: string[] = [];
  if (forNode) head.push('// Node 20 or later: node example.mjs');
  if (credential !== 'none') {
    const held = forNode ? `process.env.${VARIABLES[credential]}` : quoted(PLACEHOLDERS[credential]);
    if (!forNode) head.push(`// Never in a page that others load: whoever can read it can use it.`);
    head.push(`const ${credential === 'key' ? 'apiKey' : 'token'} = ${held};`);
    headers.push(credential === 'key' ? "'X-API-Key': apiKey" : 'Authorization: `Bearer ${token}`');
  }
  if (body !== undefined) headers.push("'Content-Type': 'application/json'");
  const options: string[] = [];
  if (method !== 'GET') options.push(`method: '${method}'`);
  if (headers.length > 0) options.push(`headers: { ${headers.join(', ')} }`);
  if (body !== undefined) options.push(`body: JSON.stringify(${literal(body, '  ')})`);
  if (forNode && answer !== 'stream') options.push('signal: AbortSignal.timeout(15_000)');
  const asked = options.length > 0 ? `, {\n${options.map((option) => `  ${option},\n`).join('')}}` : '';
  const lines = [
    ...head,
    ...(head.length > 0 && credential !== 'none' ? [''] : []),
    `const response = await fetch(${quoted(addressOf(call))}${asked});`,
    ...(forNode && answer !== 'stream'
      ? ["if (response.status === 429) console.error(`Try again in ${response.headers.get('Retry-After')} s`);"]
      : []),
    'if (!response.ok) {',
    '  const problem = await response.json();',
    '  throw new Error(`${problem.error}: ${problem.detail} (${problem.request_id})`);',
    '}',
    ...JAVASCRIPT_ENDS[answer],
  ];
  return lines.join('\n');
}
const JAVASCRIPT_ENDS: Readonly<Record<ExampleCall['answer'], readonly string[]>> = {
  json: ['console.log(await response.json());'],
  nothing: ['console.log(response.status);'],
  bytes: ['const bytes = new Uint8Array(await response.arrayBuffer());', 'console.log(response.status, bytes.length);'],
  stream: [
    'for await (const text of response.body.pipeThrough(new TextDecoderStream())) {',
    '  console.log(text);',
    "  if (text.includes('data:')) break; // the first message; without this line it stays",
    '}',
  ],
};

function python(call: ExampleCall): string {
  const { method, credential, body, answer } = call;
  const modules = ['json', ...(credential === 'none' ? [] : ['os']), 'urllib.error', 'urllib.request'];
  const headers: string[] = [];
  if (credential === 'key') headers.push(`"X-API-Key": os.environ["${VARIABLES.key}"]`);
  if (credential === 'session') headers.push(`"Authorization": "Bearer " + os.environ["${VARIABLES.session}"]`);
  if (body !== undefined) headers.push('"Content-Type": "application/json"');
  const options = [`"${addressOf(call)}"`];
  if (method !== 'GET') options.push(`method="${method}"`);
  if (headers.length > 0) options.push(`headers={${headers.join(', ')}}`);
  if (body !== undefined) options.push(`data=json.dumps(${pythonLiteral(body)}).encode()`);
  return [
    ...modules.map((name) => `import ${name}`),
    '',
    'request = urllib.request.Request(',
    ...options.map((option) => `    ${option},`),
    ')',
    'try:',
    `    with urllib.request.urlopen(request, timeout=${answer === 'stream' ? 60 : 15}) as response:`,
    ...PYTHON_ENDS[answer].map((line) => `        ${line}`),
    'except urllib.error.HTTPError as error:',
    '    problem = json.load(error)',
    "    raise SystemExit(f\"{problem['error']}: {problem['detail']} ({problem['request_id']})\")",
  ].join('\n');
}
const PYTHON_ENDS: Readonly<Record<ExampleCall['answer'], readonly string[]>> = {
  json: ['print(json.dumps(json.load(response), indent=2))'],
  nothing: ['print(response.status)'],
  bytes: ['print(response.status, len(response.read()))'],
  stream: [
    'for line in response:',
    '    print(line.decode().rstrip())',
    '    if line.startswith(b"data:"):',
    '        break  # the first message; without this line it stays',
  ],
};
function pythonLiteral(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(', ')}]`;
  if (typeof value === 'object') {
    return `{${Object.entries(value)
      .map(([name, one]) => `${JSON.stringify(name)}: ${pythonLiteral(one)}`)
      .join(', ')}}`;
  }
  return JSON.stringify(value);
}

function sdk(call: ExampleCall): string | null {
  const { origin, operation, params = {}, query = {}, body, credential, answer } = call;
  if (answer === 'stream') return liveSdk(origin);
  const found = SDK_CALLS[operation];
  if (!found) return null;
  const asked = Object.keys(query).length > 0 ? literal(query, '') : '';
  const given = {
    nothing: '',
    query: asked,
    body: literal(body ?? {}, ''),
    id: quoted(params['id'] ?? ''),
    'id, query': [quoted(params['id'] ?? ''), asked].filter(Boolean).join(', '),
  }[found.given];
  const options = [`baseUrl: ${quoted(origin)}`];
  if (credential !== 'none') options.push(`credential: process.env.${VARIABLES[credential]}`);
  return [
    "import { createClient } from '@nwms/client';",
    '',
    `const nwms = createClient({ ${options.join(', ')} });`,
    `const answer = await nwms.${found.call}(${given});`,
    'console.log(answer);',
  ].join('\n');
}

/** The live feed that mends itself; over WebSocket, with the same messages as the stream. */
const liveSdk = (origin: string): string =>
  [
    "import { createLiveFeed } from '@nwms/client';",
    '',
    `const feed = createLiveFeed({ url: ${quoted(`${origin.replace(/^http/, 'ws')}/ws/alerts`)}, start: 'snapshot' });`,
    'feed.onSnapshot(({ alerts }) => {',
    '  console.log(`${alerts.length} active`);',
    '  feed.disconnect(); // after the first answer; without this line it stays',
    '});',
    'feed.connect();',
  ].join('\n');
