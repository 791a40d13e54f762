import { describeSeen } from '../describe-seen.js';
import { isAccepted } from '../is-accepted.js';
import type { Verdict } from '../probe-check.js';
import type { ProbeSeen } from '../probe-seen.js';
import { confirmed, differs, notTried, unknown } from '../verdicts.js';

export function judgePutStatus(seen: ProbeSeen): Verdict {
  const { put, putAgain, rules } = seen;
  if (put === null) return notTried(seen);
  if (put.kind !== 'answered') return unknown(describeSeen(put));
  // Of a record that is new, and of one that is there, the status may differ.
  const both = [put, putAgain].filter((reply) => reply?.kind === 'answered');
  const statuses = [...new Set(both.map(({ status }) => `HTTP ${status}`))].join(', then ');
  if (both.every((reply) => isAccepted(reply, rules))) return confirmed(statuses);
  const [other] = both.filter((reply) => !isAccepted(reply, rules));
  return differs(other === undefined ? statuses : describeSeen(other));
}
