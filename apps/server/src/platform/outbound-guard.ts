import type { LookupAddress } from 'node:dns';
import { lookup as systemLookup } from 'node:dns/promises';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import { addressFault } from './address-class.ts';
import type { Clock } from './clock.ts';

/** How one guarded request ended. `refused`: no connection was made, because of where it would have led. */
export type GuardedResult =
  | { kind: 'answered'; status: number; body: string }
  | { kind: 'refused' | 'redirected' | 'too_large' | 'timeout' | 'failed'; detail: string };

export interface GuardedRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
  signal?: AbortSignal;
}

/** Requests to addresses that users chose (G1): webhooks, push endpoints, addresses in settings. */
export interface OutboundGuard {
  /** What can be said without asking anybody: null, or why the address is refused. For forms; every send checks again. */
  urlFault(url: string): string | null;
  /** One attempt. Literal addresses and every answer of the name service are judged when the connection is made, each time. */
  post(request: GuardedRequest): Promise<GuardedResult>;
}

export interface OutboundGuardDeps {
  clock: Clock;
  /** All addresses of a name; default: the system's resolver. */
  lookup?: (host: string) => Promise<LookupAddress[]>;
  /** Default 443 only. */
  ports?: readonly number[];
  /** Addresses that are refused although public: those of this machine by default. */
  ownAddresses?: () => readonly string[];
  /** Addresses that are accepted although not public: a sink on this machine, for development and tests. */
  alsoAllowed?: (address: string) => boolean;
  /** Additional certificate authorities, for such a sink. */
  ca?: string;
  deadlineMs?: number;
}

const MAX_URL = 2_048;
const MAX_ANSWER_BYTES = 16 * 1024;
const DEADLINE_MS = 15_000;
/** Names that lead to this machine or this network wherever they are asked. */
const LOCAL_NAMES = /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home|corp|arpa|onion|test|invalid|example)$/;

export function createOutboundGuard(deps: OutboundGuardDeps): OutboundGuard {
  const { ports = [443], alsoAllowed = () => false } = deps;
  const lookup = deps.lookup ?? ((host: string) => systemLookup(host, { all: true, verbatim: true }));
  const ownAddresses = deps.ownAddresses ?? interfaceAddresses;

  const faultOf = (address: string): string | null => {
    if (alsoAllowed(address)) return null;
    if (ownAddresses().includes(address)) return 'an address of this server';
    return addressFault(address);
  };
  const urlFault = (text: string): string | null => {
    const url = text.length <= MAX_URL ? URL.parse(text) : null;
    if (!url) return `must be an https address of at most ${MAX_URL} characters`;
    if (url.protocol !== 'https:') return 'must begin with https://';
    if (url.username || url.password || /^https?:\/*[^/?#]*@/i.test(text)) return 'must not hold a user name or password';
    if (!ports.includes(Number(url.port || 443))) return `must use port ${ports.join(' or ')}`;
    const host = hostOf(url);
    if (isIP(host) !== 0) {
      const fault = faultOf(host);
      return fault && `leads to an address that is ${fault}`;
    }
    // A final dot makes a name absolute and nothing else.
    const name = host.replace(/\.$/, '');
    if (!name.includes('.') || LOCAL_NAMES.test(name)) return 'must be a name or address on the public internet';
    return null;
  };

  return {
    urlFault,
    async post(request) {
      const fault = urlFault(request.url);
      if (fault) return { kind: 'refused', detail: `The address ${fault}.` };
      const url = new URL(request.url);
      const host = hostOf(url);
      let addresses: LookupAddress[];
      try {
        addresses = isIP(host) === 0 ? await lookup(host) : [{ address: host, family: isIP(host) }];
      } catch {
        return { kind: 'failed', detail: 'The name could not be resolved.' };
      }
      const bad = addresses.map(({ address }) => faultOf(address)).find((found) => found !== null);
      if (bad) return { kind: 'refused', detail: `The name leads to an address that is ${bad}.` };
      if (addresses.length === 0) return { kind: 'failed', detail: 'The name has no address.' };
      return send(url, request, addresses, deps);
    },
  };
}

const hostOf = (url: URL) => (url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname);

function interfaceAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address));
}

/** Connects to the very addresses that were judged: no second question to the name service that could be answered differently. */
function send(url: URL, request: GuardedRequest, addresses: LookupAddress[], deps: OutboundGuardDeps): Promise<GuardedResult> {
  const judged: LookupFunction = (_host, options, done) => {
    if (options.all) return done(null, addresses);
    const [one] = addresses;
    return done(null, one?.address ?? '', one?.family);
  };
  const options: RequestOptions = {
    method: 'POST',
    lookup: judged,
    // A pooled socket would have been judged at another time.
    agent: false,
    headers: { ...request.headers, 'content-length': String(Buffer.byteLength(request.body)) },
    ...(deps.ca === undefined ? {} : { ca: deps.ca }),
  };
  return new Promise((resolve) => {
    const call = httpsRequest(url, options);
    const end = (result: GuardedResult) => {
      cancelDeadline();
      request.signal?.removeEventListener('abort', stop);
      call.destroy();
      resolve(result);
    };
    const stop = () => end({ kind: 'failed', detail: 'The request was given up.' });
    const deadlineMs = deps.deadlineMs ?? DEADLINE_MS;
    const cancelDeadline = deps.clock.after(deadlineMs, () =>
      end({ kind: 'timeout', detail: `No answer within ${deadlineMs / 1_000} s.` }),
    );
    request.signal?.addEventListener('abort', stop, { once: true });
    call.on('error', (error: NodeJS.ErrnoException) => end({ kind: 'failed', detail: `No connection (${error.code ?? 'unknown'}).` }));
    call.on('response', (response) => {
      const status = response.statusCode ?? 0;
      if (status >= 300 && status < 400) return end({ kind: 'redirected', detail: `Redirects are not followed (status ${status}).` });
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > MAX_ANSWER_BYTES) return end({ kind: 'too_large', detail: 'The answer is over 16 KiB.' });
        chunks.push(chunk);
      });
      response.on('end', () => end({ kind: 'answered', status, body: Buffer.concat(chunks).toString('utf8') }));
      response.on('error', () => end({ kind: 'failed', detail: 'The answer broke off.' }));
    });
    if (request.signal?.aborted) return stop();
    call.end(request.body);
  });
}
