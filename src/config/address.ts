/** Whether a host belongs to the operator of the platform, who serves HTTPS only. */
export function isOperatorHost(hostname: string): boolean {
  const host = withoutDot(hostname);
  return host === 'kemnaker.go.id' || host.endsWith('.kemnaker.go.id');
}

/** `example.com.` names the same host as `example.com`. */
function withoutDot(hostname: string): string {
  return hostname.toLowerCase().replace(/\.$/, '');
}
