/** Which hosts are this very machine, and how a host is written in an address. */

/** IPv4 within IPv6, as `URL` writes it: `[::ffff:7f00:1]` is 127.0.0.1. */
const MAPPED_LOOPBACK = /^\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\]$/;

/** Whether a host name (as `URL.hostname` gives it, or an address in any spelling) is this machine. */
export function isLoopback(hostname: string): boolean {
  const host = inUsualSpelling(hostname).toLowerCase().replace(/\.$/, '');
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    host === '[::1]' ||
    MAPPED_LOOPBACK.test(host) ||
    /^127\.\d+\.\d+\.\d+$/.test(host)
  );
}

/** An IPv6 address has many spellings; `URL` gives one. */
function inUsualSpelling(hostname: string): string {
  const address = `http://${hostname}`;
  return hostname.startsWith('[') && URL.canParse(address) ? new URL(address).hostname : hostname;
}

/** Whether only this machine can reach a listener's `host`, as written in the configuration. */
export function listensOnLoopback(host: string): boolean {
  return isLoopback(hostInAddress(host));
}

/** A host as written before the port in an address: an IPv6 address gets brackets. */
export function hostInAddress(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}
