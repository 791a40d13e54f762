/** `charset` of a content type. */
const CHARSET = /;\s*charset\s*=\s*"?([\w.:-]+)"?/i;

/** A body as text: as its byte order mark or its content type says, else UTF-8. Pure. */
export function readText(body: Buffer, contentType: string | null): string {
  const marked = body[0] === 0xff && body[1] === 0xfe ? 'utf-16le' : null;
  const name = marked ?? CHARSET.exec(contentType ?? '')?.[1] ?? 'utf-8';
  return decoderOf(name).decode(body);
}

/** Also drops a byte order mark. A name that nobody knows counts as UTF-8. */
function decoderOf(name: string) {
  try {
    return new TextDecoder(name);
  } catch {
    return new TextDecoder();
  }
}
