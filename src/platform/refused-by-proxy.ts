import type { NoReply } from '../domain/reply/reply.js';
import type { EgressProxy } from '../runtime/egress-proxy.js';
import { proxyRefused } from './proxy-faults.js';
import type { HttpReply } from './read-reply.js';

/** A proxy that no setting names: it takes the requests on their way. */
const UNNAMED = { address: 'in between', authorization: null, namedBy: 'platform.proxy' };

/**
 * What a reply means that only a proxy gives (407): the platform has seen nothing, and no record is at fault. Null for
 * any other outcome.
 */
export function refusedByProxy(outcome: HttpReply | NoReply, proxy: EgressProxy | null): NoReply | null {
  if ('kind' in outcome || outcome.status !== 407) return null;
  const { code, message } = proxyRefused(proxy ?? UNNAMED, outcome.status);
  return { kind: 'unreachable', code, message };
}
