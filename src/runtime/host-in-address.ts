/** A host as written before the port in an address: an IPv6 address gets brackets. Pure. */
export function hostInAddress(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}
