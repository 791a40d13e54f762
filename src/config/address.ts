/** IPv4 within IPv6, as `URL` writes it: `[::ffff:7f00:1]` is 127.0.0.1. */
const MAPPED_LOOPBACK = /^\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\]$/;

/** Whether a host name (as `URL.hostname` gives it, or an address in any spelling) is this very machine. */
export function isLoopback(hostname: string): boolean {
  const host = withoutDot(spelt(hostname));
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    host === '[::1]' ||
    MAPPED_LOOPBACK.test(host) ||
    /^127\.\d+\.\d+\.\d+$/.test(host)
  );
}

/** Whether a host belongs to the operator of the platform, who serves HTTPS only. */
export function isOperatorHost(hostname: string): boolean {
  const host = withoutDot(hostname);
  return host === 'kemnaker.go.id' || host.endsWith('.kemnaker.go.id');
}

/** `example.com.` names the same host as `example.com`. */
function withoutDot(hostname: string): string {
  return hostname.toLowerCase().replace(/\.$/, '');
}

/** An IPv6 address has many spellings; `URL` knows the one. */
function spelt(hostname: string): string {
  const address = `http://${hostname}`;
  return hostname.startsWith('[') && URL.canParse(address) ? new URL(address).hostname : hostname;
}
