import type { BodyReader, ReadBody } from '../core/message.ts';

/** The body of a request; undefined without one. A compressed body is decompressed when it is read. */
export async function receiveBody(request: Request): Promise<Uint8Array | BodyReader | undefined> {
  // Read in any case: not every browser has Request.body, which would tell whether there is one.
  const bytes = new Uint8Array(await request.arrayBuffer());
  const encoding = request.headers.get('content-encoding')?.toLowerCase() ?? 'identity';
  if (bytes.length === 0) return undefined;
  return encoding === 'identity' ? bytes : (limit) => decompress(bytes, encoding, limit);
}

/** Decompresses up to that many bytes: a small body may expand to any size. */
async function decompress(bytes: Uint8Array<ArrayBuffer>, encoding: string, limit: number): Promise<ReadBody> {
  const decompression = decompressionOf(encoding);
  if (!decompression) return { problem: 'encoding' };
  const chunks: Uint8Array[] = [];
  const reader = new Blob([bytes]).stream().pipeThrough(decompression).getReader();
  try {
    for (let size = 0, next = await reader.read(); !next.done; next = await reader.read()) {
      size += next.value.length;
      if (size > limit) {
        // The result does not matter.
        reader.cancel().catch(() => {});
        return { problem: 'too-large' };
      }
      chunks.push(next.value);
    }
  } catch {
    return { problem: 'unreadable' };
  }
  return { bytes: new Uint8Array(await new Blob(chunks as Uint8Array<ArrayBuffer>[]).arrayBuffer()) };
}

function decompressionOf(encoding: string): DecompressionStream | undefined {
  try {
    // Newer engines support brotli; the type does not list it yet.
    return new DecompressionStream((encoding === 'br' ? 'brotli' : encoding) as CompressionFormat);
  } catch {
    return undefined;
  }
}
