/** Whole body, counted after decompression; null as soon as it is longer than `maxBytes`. Throws when the connection or the compressed data breaks off. */
export async function readBounded(response: Response, maxBytes: number): Promise<Buffer | null> {
  if (!response.body) return Buffer.alloc(0);
  const reader = response.body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done)
      return chunks.length === 1 && chunks[0] ? Buffer.from(chunks[0].buffer, chunks[0].byteOffset, bytes) : Buffer.concat(chunks, bytes);
    bytes += value.length;
    if (bytes > maxBytes) {
      await reader.cancel();
      return null;
    }
    chunks.push(value);
  }
}
