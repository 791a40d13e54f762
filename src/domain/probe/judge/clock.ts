import { clockSkew, describeClockSkew } from '../../reply/clock-skew.js';
import type { Verdict } from '../probe-check.js';
import type { ProbeSeen } from '../probe-seen.js';
import { confirmed, differs, notTried, unknown } from '../verdicts.js';

export function judgeClock(seen: ProbeSeen): Verdict {
  const replies = [seen.unknownFind, seen.wrongSignature, seen.put].filter((reply) => reply !== null);
  if (replies.length === 0) return notTried(seen);
  for (const reply of replies) {
    const skew = reply.kind === 'answered' ? clockSkew(reply.date, reply.receivedAt) : null;
    if (skew === null) continue;
    const words = describeClockSkew(skew);
    return words === null ? confirmed('less than a minute of difference') : differs(words);
  }
  return unknown('no reply has a Date header');
}
