import { hash } from 'node:crypto';
import type { Freshness } from '@nwms/contract';
import type { Clock } from '../../../platform/clock.ts';
import type { Built } from './answers.ts';
import { compress, type Encoding, worthwhile } from './encodings.ts';

/** Bodies may lag behind the exact headers by this much (documented: at most 35 s); then their last members are written anew. */
const BODY_KEEP_MS = 30_000;
/** Bytes kept in all, encodings included: about ten national lists. */
const CACHE_BYTES = 64 * 1024 * 1024;
const CACHE_ENTRIES = 500;

export interface CachedBody {
  built: Built;
  /** Tells contents apart, freshness aside. Of the content, not of this process: any process of a deployment confirms what another one said. */
  etag(): string;
  body(encoding: Encoding, freshness: Freshness): Promise<EncodedBody>;
  /** The same if it needs no work and no waiting, else null. */
  ready(encoding: Encoding, freshness: Freshness): EncodedBody | null;
}

export interface EncodedBody {
  encoding: Encoding;
  body: Buffer;
}

interface Entry extends CachedBody {
  version: number;
  bytes(): number;
}

/** Least recently used answers go first; concurrent callers of one question share one making. */
export function createBodyCache({ clock }: { clock: Clock }) {
  const entries = new Map<string, Entry>();
  const making = new Map<string, Promise<Entry>>();
  const trim = (version: number) => {
    let bytes = 0;
    for (const [key, entry] of entries) {
      // Of an older board nothing is ever given again: it would only wait for its turn to go.
      if (entry.version < version) entries.delete(key);
      else bytes += entry.bytes();
    }
    for (const [key, entry] of entries) {
      if (entries.size <= CACHE_ENTRIES && bytes <= CACHE_BYTES) break;
      bytes -= entry.bytes();
      entries.delete(key);
    }
  };
  return {
    find(key: string, version: number): CachedBody | undefined {
      const entry = entries.get(key);
      return entry?.version === version ? entry : undefined;
    },
    async make(key: string, version: number, build: () => Built | Promise<Built>): Promise<CachedBody> {
      const id = `${version}:${key}`;
      const shared = making.get(id);
      if (shared) return shared;
      const made = (async () => createEntry({ key, version, built: await build(), clock }))();
      making.set(id, made);
      try {
        const entry = await made;
        entries.delete(key);
        entries.set(key, entry);
        trim(version);
        return entry;
      } finally {
        making.delete(id);
      }
    },
  };
}

function createEntry({ key, version, built, clock }: { key: string; version: number; built: Built; clock: Clock }): Entry {
  let plain: Buffer = Buffer.alloc(0);
  let done = new Map<Encoding, Buffer>();
  let making = new Map<Encoding, Promise<Buffer>>();
  let writtenMs = -Infinity;
  let said = '';
  let etag: string | null = null;
  const isCurrent = (freshness: Freshness) => said === statement(freshness) && clock.monotonicMs() - writtenMs <= BODY_KEEP_MS;
  const write = (freshness: Freshness) => {
    plain = Buffer.concat([built.head, Buffer.from(`,${built.tail(freshness)}}`)]);
    done = new Map([['identity', plain]]);
    making = new Map();
    writtenMs = clock.monotonicMs();
    said = statement(freshness);
  };
  return {
    version,
    built,
    etag: () => (etag ??= `W/"${digest(key, 11)}.${digest(built.head, 16)}"`),
    bytes: () => [...done.values()].reduce((bytes, body) => bytes + body.length, built.head.length),
    ready(asked, freshness) {
      const encoding = worthwhile(asked, plain.length);
      const body = isCurrent(freshness) ? done.get(encoding) : undefined;
      return body ? { encoding, body } : null;
    },
    async body(asked, freshness) {
      if (!isCurrent(freshness)) write(freshness);
      const encoding = worthwhile(asked, plain.length);
      const known = done.get(encoding);
      if (known) return { encoding, body: known };
      // Concurrent callers share one compression; a rewrite in between leaves these maps behind.
      const [keep, pending] = [done, making];
      const made = pending.get(encoding) ?? compress(plain, encoding);
      pending.set(encoding, made);
      const body = await made;
      keep.set(encoding, body);
      return { encoding, body };
    },
  };
}

const digest = (of: string | Buffer, letters: number): string => hash('sha256', of, 'base64url').slice(0, letters);

/** What must never lag: whether the data can be relied on, and why not. */
const statement = (freshness: Freshness): string => `${freshness.status}/${freshness.reason}/${freshness.feed}`;
