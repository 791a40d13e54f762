/** Whether a host name (as `URL.hostname` gives it) is this very machine. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, '');
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    host === '[::1]' ||
    /^127\.\d+\.\d+\.\d+$/.test(host)
  );
}

/** Whether an address that is listened on, as the configuration has it, can be reached from this machine alone. */
export function listensOnLoopback(host: string): boolean {
  return isLoopback(host.includes(':') ? `[${host}]` : host);
}
