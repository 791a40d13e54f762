import { describeSeen } from '../describe-seen.js';
import { isAccepted } from '../is-accepted.js';
import { isConclusive } from '../is-conclusive.js';
import type { Verdict } from '../probe-check.js';
import type { ProbeSeen } from '../probe-seen.js';
import { confirmed, differs, notTried, unknown } from '../verdicts.js';

/** Only a change of an application's status is repeated under its own Request-Id, and only after no reply. */
export function judgeRequestIdReuse(seen: ProbeSeen): Verdict {
  const { put, repeated, rules } = seen;
  if (repeated === null) return notTried(seen);
  const text = describeSeen(repeated);
  if (!isConclusive(repeated)) return unknown(text);
  const alike = put?.kind === 'answered' && put.status === repeated.status;
  if (alike || isAccepted(repeated, rules)) {
    return confirmed(`HTTP ${repeated.status}: answered like the first one`);
  }
  return repeated.status === 409 ? confirmed('HTTP 409: it was used before') : differs(text);
}
