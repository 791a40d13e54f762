import type { LookupFunction } from 'node:net';

/**
 * Where connections may go that a stranger names. A name is judged by every address that it has at the moment of the
 * connection, so that it cannot change in between. Node looks up no address that is written out: `refusedHost` is for those.
 */
export interface Reach {
  /** For Node's connections. Fails with the code ERR_NETWORK_NOT_ALLOWED. */
  readonly lookup: LookupFunction;
  /** The address that a host is and that may not be reached; null: it may, or it is a name. */
  refusedHost(host: string): string | null;
}
