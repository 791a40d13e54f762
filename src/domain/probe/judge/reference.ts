import { PLATFORM_ID } from '../../reply/reply-settings.js';
import { isObject } from '../../reply/refusal.js';
import { describeSeen } from '../describe-seen.js';
import { describeShape, typeWord } from '../describe-shape.js';
import type { Verdict } from '../probe-check.js';
import type { ProbeSeen } from '../probe-seen.js';
import { referenceAt, referenceOf } from '../reference-of.js';
import { confirmed, differs, notTried, unknown } from '../verdicts.js';

export function judgeReference(seen: ProbeSeen): Verdict {
  const { put, rules } = seen;
  if (put === null) return notTried(seen);
  if (rules.reference === PLATFORM_ID) return confirmed('not needed: children name the id of the path');
  if (put.kind !== 'answered' || put.status > 299) return unknown(describeSeen(put));
  const data = isObject(put.json) ? put.json.data : undefined;
  if (!isObject(data)) return unknown('the reply has no data object');
  const { value, at } = referenceAt(put, rules.reference);
  if (referenceOf(put, rules.reference) !== null) return confirmed(`${at} is ${typeWord(value)}`);
  return differs(`data.${rules.reference} is ${typeWord(value)}; data is ${describeShape(data)}`);
}
