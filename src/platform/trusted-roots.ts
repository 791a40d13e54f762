import * as tls from 'node:tls';

/** Since Node 22.15: what Node trusts by default, with NODE_EXTRA_CA_CERTS and the options of its command line. */
const { getCACertificates } = tls as { readonly getCACertificates?: (type: 'default') => string[] };

/** The certificates that Node trusts without our doing, PEM. A list of one's own replaces all of them. */
export function trustedRoots(): readonly string[] {
  return getCACertificates?.('default') ?? tls.rootCertificates;
}
