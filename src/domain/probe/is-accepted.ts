import type { Reply } from '../reply/reply.js';
import { configuredMeaning } from './configured-meaning.js';
import type { ProbeRules } from './probe-seen.js';

/** Whether the status of a reply means, under the settings in effect, that it was done. */
export function isAccepted(
  reply: Reply | null,
  rules: Pick<ProbeRules, 'judge' | 'accepted'>,
  of: 'parent' | 'child' = 'parent',
): boolean {
  if (reply?.kind !== 'answered') return false;
  const configured = configuredMeaning(reply, rules);
  return configured === null ? rules.accepted[of].includes(reply.status) : configured === 'accepted';
}
