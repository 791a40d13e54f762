import { configuredMeaning } from '../configured-meaning.js';
import { describeSeen } from '../describe-seen.js';
import { endOf } from '../end-of.js';
import type { Verdict } from '../probe-check.js';
import type { ProbeSeen } from '../probe-seen.js';
import { confirmed, differs, notTried, unknown } from '../verdicts.js';

export function judgeUnknownId(seen: ProbeSeen): Verdict {
  const { unknownFind: reply, rules } = seen;
  if (reply === null) return notTried(seen);
  const text = describeSeen(reply);
  if (
    reply.kind === 'answered' &&
    (configuredMeaning(reply, rules) === 'missing' || reply.nothing === true)
  ) {
    return confirmed(text);
  }
  // What ends the probe says nothing about ids.
  if (endOf(reply, rules) !== null) return unknown(text);
  return reply.kind === 'answered' && reply.status === 404 && !reply.html ? confirmed(text) : differs(text);
}
