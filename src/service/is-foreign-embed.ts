/** What a browser says of a request; undefined where it says nothing. */
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
  /** The listener's own name, as it was asked for. */
  readonly host: string | undefined;
}

/**
 * Whether a page of elsewhere has a browser ask for this, without somebody going there: an image, a frame, a script, a
 * fetch, a prefetch. On the machine that a browser runs on, every page of the world can send such requests to
 * localhost; it cannot read the answers, but each would keep the databases busy.
 *
 * A link, a bookmark or a window that leads here is let through (`navigate` to a `document`): mails and chats link to
 * records. A page may open such windows by script; each is one request, which ends when the window goes elsewhere.
 * Programs say none of this, and neither do browsers to an address off this machine without TLS. They are let through:
 * there a token is asked for, and its cookie does not come along from elsewhere. Pure.
 */
export function isForeignEmbed({ site, mode, dest, purpose, origin, host }: FetchMetadata): boolean {
  if (site === undefined) {
    // Browsers of before 2023, and only of a fetch that asks to read the answer.
    return origin !== undefined && !(URL.canParse(origin) && new URL(origin).host === host?.toLowerCase());
  }
  if (site === 'same-origin' || site === 'none') return false;
  const goesThere = mode === 'navigate' && (dest === undefined || dest === 'document');
  return !goesThere || purpose?.includes('prefetch') === true;
}
