import { readFileSync } from 'node:fs';
import * as tls from 'node:tls';

/** Since Node 22.15: the certificates that Node trusts by default, also those of NODE_EXTRA_CA_CERTS. */
const { getCACertificates } = tls as { readonly getCACertificates?: (type: 'default') => string[] };

/**
 * The certificates that Node trusts without our doing, PEM. A list of one's own replaces all of them, also those that
 * NODE_EXTRA_CA_CERTS names, so they are read again here.
 */
export function trustedRoots(): readonly string[] {
  if (getCACertificates) return getCACertificates('default');
  return [...tls.rootCertificates, ...furtherRoots(process.env.NODE_EXTRA_CA_CERTS ?? '')];
}

/** Node itself warns about a file that it cannot read. */
function furtherRoots(file: string): readonly string[] {
  if (file === '') return [];
  try {
    return [readFileSync(file, 'latin1')];
  } catch {
    return [];
  }
}
