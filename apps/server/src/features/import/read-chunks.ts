import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { RefusedFile } from './refused-file.ts';

const GZIP = [0x1f, 0x8b];
const ZIP = [0x50, 0x4b];
/** First bytes of the main file of a shapefile. */
const SHP = [0x00, 0x00, 0x27, 0x0a];
const CHUNK_BYTES = 256 * 1024;

export interface FileReading {
  chunks: AsyncIterable<string>;
  /** Bytes of the file (packed, if it is) taken so far, and in all. */
  progress(): { read: number; total: number };
}

/** The text of a file, plain or gzip, in pieces. @throws RefusedFile for archives of files. */
export async function readChunks(path: string): Promise<FileReading> {
  const { head, size } = await beginningOf(path);
  const begins = (bytes: readonly number[]) => bytes.every((byte, i) => head[i] === byte);
  if (begins(ZIP) || begins(SHP) || /\.(shp|zip|dbf)$/i.test(path)) {
    throw new RefusedFile(
      'Shapefiles and zip archives are not read. Export the same data as GeoJSON (storm-based warnings, watches, statements) or as CSV with one row per zone (warnings); gzip is fine.',
    );
  }
  const file = createReadStream(path, { highWaterMark: CHUNK_BYTES });
  return { chunks: decoded(file, begins(GZIP)), progress: () => ({ read: file.bytesRead, total: size }) };
}

async function beginningOf(path: string): Promise<{ head: Buffer; size: number }> {
  const handle = await open(path).catch((error: unknown) => {
    throw new RefusedFile(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
  });
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new RefusedFile(`${path} is not a file.`);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(8), 0, 8, 0);
    return { head: buffer.subarray(0, bytesRead), size: stats.size };
  } finally {
    await handle.close();
  }
}

async function* decoded(file: NodeJS.ReadableStream, isPacked: boolean): AsyncIterable<string> {
  const decoder = new TextDecoder('utf-8');
  const gunzip = isPacked ? createGunzip() : null;
  // A broken file must end the reading too, not only the pipe.
  file.on('error', (error) => gunzip?.destroy(error));
  try {
    for await (const chunk of gunzip ? file.pipe(gunzip) : file) yield decoder.decode(chunk as Buffer, { stream: true });
  } catch (error) {
    throw new RefusedFile(`The file is damaged: ${error instanceof Error ? error.message : String(error)}. Fetch it again.`);
  }
  yield decoder.decode();
}
