import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib';

export type Encoding = 'identity' | 'gzip' | 'br' | 'zstd';

/** Smaller answers are not worth compressing (1 KiB). */
const COMPRESS_FROM_BYTES = 1024;
const PREFERENCE = ['zstd', 'br', 'gzip'] as const;

/** Best encoding the caller takes; `q=0` is a refusal. */
export function encodingFor(acceptEncoding: string | string[] | undefined): Encoding {
  if (acceptEncoding === undefined || acceptEncoding === '') return 'identity';
  const accepted = new Set<string>();
  for (const part of String(acceptEncoding).toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    if (!parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))) accepted.add(name);
  }
  return PREFERENCE.find((name) => accepted.has(name)) ?? 'identity';
}

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);
const zstdAsync = promisify(zstdCompress);

/** Off the event loop, in zlib's threads. Quality 4 of brotli: the last one that costs about as little as gzip. */
export async function compress(body: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'gzip') return gzipAsync(body);
  if (encoding === 'zstd') return zstdAsync(body);
  if (encoding === 'br') {
    const params = { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: body.length };
    return brotliAsync(body, { params });
  }
  return body;
}

/** Encoding actually used for a body of this size. */
export const worthwhile = (encoding: Encoding, bytes: number): Encoding => (bytes < COMPRESS_FROM_BYTES ? 'identity' : encoding);
