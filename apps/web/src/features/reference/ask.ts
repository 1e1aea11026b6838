import { addressOf, type ExampleCall } from '@nwms/contract/code-examples';

export type Means = 'session' | 'key' | 'none';

/** What came back, ready to be shown. */
export interface Asked {
  status: number;
  statusText: string;
  tookMs: number;
  headers: readonly [string, string][];
  text: string;
  /** Characters that are not shown. */
  more: number;
}

/** Headers worth reading, in this order. */
const SHOWN = [
  'content-type',
  'etag',
  'ratelimit',
  'ratelimit-policy',
  'nwms-cost',
  'retry-after',
  'nwms-data-status',
  'nwms-data-as-of',
  'nwms-data-age',
  'nwms-total-count',
  'x-request-id',
];
/** Characters of an answer that are shown; the whole of a large one would stop the page. */
const MOST_SHOWN = 20_000;

export interface AskDeps {
  fetch: typeof fetch;
  now: () => number;
  signal: AbortSignal;
}

/** Why a pasted text cannot be sent as a key: nothing is sent then, least of all a request without it. */
export function keyFault(text: string): string | null {
  const key = text.trim();
  if (key === '') return 'Paste an API key first.';
  return /^\w+$/.test(key) ? null : 'This is no API key: keys are letters, digits and “_” alone.';
}

/** One real request. The credential is used for it and kept nowhere. Rejects only when no answer came. */
export async function ask(call: ExampleCall, credential: string | null, deps: AskDeps): Promise<Asked> {
  const began = deps.now();
  const headers: Record<string, string> = {};
  if (call.answer === 'json') headers['Accept'] = 'application/json';
  if (credential !== null) headers['Authorization'] = `Bearer ${credential}`;
  if (call.body !== undefined) headers['Content-Type'] = 'application/json';
  const response = await deps.fetch(addressOf(call), {
    method: call.method,
    headers,
    signal: deps.signal,
    credentials: 'omit',
    cache: 'no-store',
    ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
  });
  const raw = await bodyOf(response);
  return {
    status: response.status,
    statusText: response.statusText,
    tookMs: deps.now() - began,
    headers: SHOWN.flatMap((name): [string, string][] => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
    text: raw.slice(0, MOST_SHOWN),
    more: Math.max(0, raw.length - MOST_SHOWN),
  };
}

async function bodyOf(response: Response): Promise<string> {
  const type = response.headers.get('Content-Type') ?? '';
  if (type.startsWith('text/event-stream')) return firstMessage(response);
  if (type.includes('json')) {
    const text = await response.text();
    try {
      return JSON.stringify(JSON.parse(text), null, 2);
    } catch {
      return text;
    }
  }
  if (type.startsWith('text/') || type.includes('xml')) return response.text();
  const { byteLength } = await response.arrayBuffer();
  return byteLength === 0 ? '' : `${byteLength.toLocaleString('en-US')} bytes of ${type}`;
}

/** A stream never ends by itself: it is left after its first message. */
async function firstMessage(response: Response): Promise<string> {
  if (!response.body) return '';
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const isComplete = () => text.includes('data:') && text.includes('\n\n', text.indexOf('data:'));
  while (!isComplete()) {
    const { done, value } = await reader.read();
    if (done) break;
    text += value;
  }
  await reader.cancel();
  return text;
}
