import { readRefusal } from '../../reply/refusal.js';
import { PLATFORM_ID } from '../../reply/reply-settings.js';
import { describeSeen } from '../describe-seen.js';
import { isAccepted } from '../is-accepted.js';
import { isConclusive } from '../is-conclusive.js';
import type { Verdict } from '../probe-check.js';
import type { ProbeSeen } from '../probe-seen.js';
import { confirmed, differs, notTried, unknown } from '../verdicts.js';

export function judgeParentReference(seen: ProbeSeen): Verdict {
  const { putChild, childNoun, foundChild, parentField, rules } = seen;
  if (childNoun === null) return unknown('not tried: no vacancy was named (--vacancy)');
  if (putChild === null) {
    return seen.put !== null && seen.ended === null
      ? unknown('not tried: no reference is known')
      : notTried(seen);
  }
  const text = describeSeen(putChild);
  if (!isConclusive(putChild)) return unknown(text);
  const as = rules.reference === PLATFORM_ID ? 'the id of the path' : 'the reference';
  if (isAccepted(putChild, rules, 'child')) {
    return foundChild?.differing.includes(parentField) === true
      ? differs(`${parentField}: the Find shows another one than ${as} that was sent`)
      : confirmed(`HTTP ${putChild.status} with ${as} as ${parentField}`);
  }
  if (putChild.status <= 299) return confirmed(`${text}, with ${as} as ${parentField}`);
  const [outer = parentField] = parentField.split('.');
  const { issues } = readRefusal(putChild.json);
  const aboutParent = issues.some(({ field }) => field === outer || field.startsWith(`${outer}.`));
  if (issues.length > 0 && !aboutParent) return unknown(`refused for something else: ${text}`);
  return differs(`refused with ${as} as ${parentField}: ${text}`);
}
