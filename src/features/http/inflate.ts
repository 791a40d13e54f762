import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

/**
 * A body that came compressed, in bounded memory: a few hundred bytes can hold gigabytes. It is taken apart piece by piece,
 * each piece is handed on and forgotten, and the work ends at the first byte over the limit (`inflate`). Whoever needs the
 * whole asks for it once its length is known and paid for (`inflated`).
 */

/** The values of Content-Encoding that are read; the absent one is `identity`. */
type BodyEncoding = 'identity' | 'gzip';

/** Null: another one. */
export function encodingOf(header: string | undefined): BodyEncoding | null {
  const name = (header ?? '').trim().toLowerCase();
  if (name === '' || name === 'identity') return 'identity';
  // RFC 9110, 8.4.1.3: both names mean the same.
  return name === 'gzip' || name === 'x-gzip' ? 'gzip' : null;
}

/** Takes gzip apart. Gives the length; `too-large`: more than `maxBytes`; `broken`: it is not gzip, or is cut off. */
export async function inflate(
  pieces: readonly Uint8Array[],
  maxBytes: number,
  onBytes: (bytes: Uint8Array) => void,
): Promise<number | 'too-large' | 'broken'> {
  let length = 0;
  const take = async (inflating: AsyncIterable<Uint8Array>): Promise<void> => {
    for await (const bytes of inflating) {
      length += bytes.length;
      if (length > maxBytes) return;
      onBytes(bytes);
    }
  };
  try {
    await pipeline(Readable.from(pieces, { objectMode: false }), createGunzip(), take);
  } catch {
    // Ending early is an error of the pipeline, too.
    if (length <= maxBytes) return 'broken';
  }
  return length > maxBytes ? 'too-large' : length;
}

/** The whole of what `inflate` measured. */
export async function inflated(pieces: readonly Uint8Array[], length: number): Promise<Buffer> {
  const whole = Buffer.allocUnsafeSlow(length);
  let at = 0;
  await inflate(pieces, length, (bytes) => {
    whole.set(bytes, at);
    at += bytes.length;
  });
  return whole;
}
