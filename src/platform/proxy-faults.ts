import type { EgressProxy } from '../runtime/egress-proxy.js';

/** An error of a connection, with the code that the program knows it by. */
type Fault = Error & { readonly code: string };

/** The proxy did not answer, or not as a proxy does. */
export function proxyUnreachable({ address, namedBy }: EgressProxy, cause: unknown): Fault {
  const why = cause instanceof Error ? cause.message : String(cause);
  return fault('PROXY_UNREACHABLE', `the proxy ${address} (${namedBy}) could not be reached: ${why}`);
}

const MEANINGS: Readonly<Record<number, string>> = {
  403: 'it does not allow this address',
  407: 'it asks for user and password, or refuses them',
  502: 'it could not reach the platform',
  503: 'it could not reach the platform',
  504: 'it could not reach the platform',
};

/** The proxy answered itself, so the platform has seen nothing. */
export function proxyRefused({ address, namedBy }: EgressProxy, status: number): Fault {
  const meaning = MEANINGS[status];
  return fault(
    'PROXY_REFUSED',
    `The proxy ${address} refused the connection (${status}${meaning === undefined ? '' : `, ${meaning}`}): check ${namedBy}`,
  );
}

function fault(code: string, message: string): Fault {
  return Object.assign(new Error(message), { code });
}
