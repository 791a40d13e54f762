import { configuredMeaning } from '../configured-meaning.js';
import { describeSeen } from '../describe-seen.js';
import { isRefusedAuthentication } from '../is-refused-authentication.js';
import { isConclusive } from '../is-conclusive.js';
import type { Verdict } from '../probe-check.js';
import type { ProbeSeen } from '../probe-seen.js';
import { confirmed, differs, notTried, unknown } from '../verdicts.js';

export function judgeUnknownId(seen: ProbeSeen): Verdict {
  const { unknownFind: reply, rules } = seen;
  if (reply === null) return notTried(seen);
  const text = describeSeen(reply);
  if (!isConclusive(reply) || isRefusedAuthentication(reply, rules)) return unknown(text);
  const missing = configuredMeaning(reply, rules) === 'missing' || reply.nothing === true;
  return missing || (reply.status === 404 && !reply.html) ? confirmed(text) : differs(text);
}
