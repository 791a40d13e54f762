import type { Reply } from '../reply/reply.js';
import { configuredMeaning } from './configured-meaning.js';
import type { ProbeRules } from './probe-seen.js';

/** Whether a reply means, under the settings in effect, that the platform does not accept the signature. */
export function isRefusedAuthentication(reply: Reply, rules: Pick<ProbeRules, 'judge'>): boolean {
  if (reply.kind !== 'answered') return false;
  const configured = configuredMeaning(reply, rules);
  if (configured !== null) return configured === 'authentication-refused';
  return reply.status === 401 || reply.status === 403;
}
