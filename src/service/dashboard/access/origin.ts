import { isLoopback } from '../../../config/address.js';
import { hostInAddress } from '../../../config/host-in-address.js';

/** Whether an address that is listened on, as the configuration has it, can be reached from this machine alone. */
export function listensOnLoopback(host: string): boolean {
  return isLoopback(hostInAddress(host));
}

/**
 * Whether a Host header names this machine. Another name may be a page of the outside world that had its own name
 * resolved to this machine, in order to read along.
 */
export function namesThisMachine(host: string | undefined): boolean {
  if (host === undefined || !URL.canParse(`http://${host}`)) return false;
  const { hostname, pathname, username } = new URL(`http://${host}`);
  return pathname === '/' && username === '' && isLoopback(hostname);
}

export interface OriginHeaders {
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly secFetchSite: string | undefined;
}

/**
 * Whether a browser says that a form came from a page of this very address. A program that says nothing passes: it is
 * not led by a foreign page, and the form's token is asked for all the same. A proxy may add TLS, so schemes are not
 * compared. Pure.
 */
export function isOwnOrigin({ host, origin, secFetchSite }: OriginHeaders): boolean {
  if (secFetchSite !== undefined && secFetchSite !== 'same-origin') return false;
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === host?.toLowerCase();
}
