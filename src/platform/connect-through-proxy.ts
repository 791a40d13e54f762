import type { HttpsProxyAgent } from 'https-proxy-agent';
import { checkServerIdentity } from 'node:tls';
import type { EgressProxy } from '../runtime/egress-proxy.js';
import { proxyRefused, proxyUnreachable } from './proxy-faults.js';

type Tunnels = HttpsProxyAgent<string>;
type Target = Parameters<Tunnels['connect']>[1];

/**
 * Makes an agent of the library keep what `exchange` promises. A proxy that cannot be reached or refuses to connect
 * is an error of the connection: the library would hand its reply over as the platform's. A connection that does not
 * come about ends after `timeoutMs`, and with the agent. The platform's certificate is checked against the platform's
 * own name, also when that is an IP address. Gives the agent.
 */
export function connectThroughProxy(
  agent: Tunnels,
  { proxy, timeoutMs }: { readonly proxy: EgressProxy; readonly timeoutMs: number },
): Tunnels {
  const connect = agent.connect.bind(agent);
  const destroy = agent.destroy.bind(agent);
  const pending = new Set<AbortController>();

  agent.connect = async (request, target) => {
    const ending = new AbortController();
    const timer = setTimeout(() => ending.abort(), timeoutMs);
    pending.add(ending);
    let status: number | null = null;
    const note = (reply: { readonly statusCode?: number }): void => {
      status = reply.statusCode ?? null;
    };
    request.once('proxyConnect', note);
    try {
      // The library takes this before its first pause, so no other connection gets this signal.
      agent.connectOpts = { ...agent.connectOpts, signal: ending.signal };
      const socket = await connect(request, checked(target));
      if (status === null || status === 200) return socket;
      socket.destroy();
    } catch (error) {
      throw proxyUnreachable(proxy, ending.signal.aborted ? `no answer within ${timeoutMs / 1000} s` : error);
    } finally {
      clearTimeout(timer);
      pending.delete(ending);
      request.off('proxyConnect', note);
    }
    throw proxyRefused(proxy, status);
  };
  agent.destroy = () => {
    pending.forEach((ending) => ending.abort());
    destroy();
  };
  return agent;
}

/** The library leaves the host out, and Node would check the certificate against the proxy's name for an IP address. */
function checked(target: Target): Target {
  if (!target.secureEndpoint) return target;
  const { host = '' } = target;
  return { ...target, checkServerIdentity: (_: string, shown) => checkServerIdentity(host, shown) };
}
