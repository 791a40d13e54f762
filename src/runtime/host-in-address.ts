/** A host as it stands before the port in an address: an IPv6 address in brackets. Pure. */
export function hostInAddress(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}
