/** Whether a host name (as `URL.hostname` gives it) is this very machine. */
export function isLoopback(hostname: string): boolean {
  const host = withoutDot(hostname);
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    host === '[::1]' ||
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
