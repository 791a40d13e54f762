/** Headers in which a browser describes a request; undefined: not sent. */
export interface FetchMetadata {
  /** `Sec-Fetch-Site` */
  readonly site: string | undefined;
  /** `Sec-Fetch-Mode` */
  readonly mode: string | undefined;
  /** `Sec-Fetch-Dest` */
  readonly dest: string | undefined;
  /** `Sec-Purpose`, or `Purpose` of older browsers. */
  readonly purpose: string | undefined;
  readonly origin: string | undefined;
  /** `Host`: the listener's name in the request. */
  readonly host: string | undefined;
}

/**
 * Whether a page of another site makes the browser request this without a visit: an image, a frame, a script, a fetch, a
 * prefetch. Any web page can send such requests to localhost on the browser's machine. It cannot read the answers, but
 * each would keep the databases busy.
 *
 * A link, a bookmark or a window that leads here is allowed (`navigate` to a `document`): mails and chats link to
 * records. A page may open such windows by script; each is one request, which ends when the window goes elsewhere.
 * Programs send none of these headers, nor do browsers to another machine without TLS. They are allowed: such an address
 * needs a token, and other sites cannot send its cookie. Pure.
 */
export function isForeignEmbed({ site, mode, dest, purpose, origin, host }: FetchMetadata): boolean {
  if (site === undefined) {
    // Browsers from before 2023 send only Origin, and only for a fetch that wants to read the answer.
    return origin !== undefined && !(URL.canParse(origin) && new URL(origin).host === host?.toLowerCase());
  }
  if (site === 'same-origin' || site === 'none') return false;
  const goesThere = mode === 'navigate' && (dest === undefined || dest === 'document');
  return !goesThere || purpose?.includes('prefetch') === true;
}
