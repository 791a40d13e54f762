/**
 * A webhook's body as text: UTF-8 without byte order mark, with U+FFFD for bytes that are none. Lenient, because an
 * application must not be lost for one odd byte in a name; never throws.
 */
export function bodyText(body: Uint8Array): string {
  return new TextDecoder('utf-8').decode(body);
}
