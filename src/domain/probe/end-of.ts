import type { Reply } from '../reply/reply.js';
import { describeSeen } from './describe-seen.js';
import { isRefusedAuthentication } from './is-refused-authentication.js';
import type { ProbeRules } from './probe-seen.js';

/**
 * Why a first contact ends before its last check.
 * - `silent`: the platform does not answer, or asks to wait.
 * - `refused`: it answers, but not as the rest needs it.
 */
export interface ProbeEnd {
  readonly kind: 'silent' | 'refused';
  readonly because: string;
}

/**
 * Whether the rest can be tried after a reply; null: yes. A lost platform, refused credentials, a redirect and a web page
 * that says success concern every request; more requests after a 429 would be rude. `put`: the rest builds on what this request put.
 */
export function endOf(
  reply: Reply,
  rules: Pick<ProbeRules, 'judge'>,
  { put = false }: { readonly put?: boolean } = {},
): ProbeEnd | null {
  const because = describeSeen(reply);
  if (reply.kind !== 'answered') return { kind: 'silent', because };
  if (isRefusedAuthentication(reply, rules)) {
    return { kind: 'refused', because: `the right signature was refused: ${because}` };
  }
  const { status, html } = reply;
  if (status >= 300 && status <= 399) return { kind: 'refused', because: `a redirect: ${because}` };
  if (html && status <= 299) {
    return { kind: 'refused', because: `something in front of the platform answers: ${because}` };
  }
  if (status === 429 || status >= 500) return { kind: 'silent', because };
  // A 2xx that the settings do not accept shows what the other checks ask for, all the same.
  return put && status >= 400 ? { kind: 'refused', because: `the Put was refused: ${because}` } : null;
}
