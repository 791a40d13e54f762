import type { RequestFunction } from 'got';
import { request as httpRequest, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import type { EgressProxy } from '../runtime/egress-proxy.js';

/** Asks a proxy for an http:// address: by the whole address, over a connection to the proxy. */
export function forwardRequest({ address, authorization }: EgressProxy): RequestFunction {
  const { protocol, hostname: host, port } = new URL(address);
  const hostname = host.replace(/^\[|\]$/g, '');
  // Node would check the proxy's certificate for the host in the header, which is the platform's.
  const at = { protocol, hostname, port, servername: isIP(hostname) === 0 ? hostname : '' };
  const send = protocol === 'https:' ? httpsRequest : httpRequest;
  return (url: URL, options: RequestOptions, callback) => {
    const headers = {
      ...options.headers,
      Host: url.host,
      ...(authorization === null ? {} : { 'Proxy-Authorization': authorization }),
    };
    return send({ ...options, ...at, path: url.href, headers }, callback);
  };
}
