import { PLATFORM_ID } from '../../reply/reply-settings.js';
import { isObject } from '../../reply/refusal.js';
import { describeSeen } from '../describe-seen.js';
import { describeShape, typeWord } from '../describe-shape.js';
import { valueAt } from '../../reply/value-at.js';
import type { Verdict } from '../probe-check.js';
import type { ProbeSeen } from '../probe-seen.js';
import { referenceOf } from '../reference-of.js';
import { confirmed, differs, notTried, unknown } from '../verdicts.js';

export function judgeReference(seen: ProbeSeen): Verdict {
  const { put, rules } = seen;
  if (put === null) return notTried(seen);
  if (rules.reference === PLATFORM_ID) return confirmed('not needed: children name the id of the path');
  if (put.kind !== 'answered' || put.status > 299) return unknown(describeSeen(put));
  const data = isObject(put.json) ? put.json.data : undefined;
  const reference = referenceOf(put);
  if (reference !== null) {
    // A platform that wraps its results in another way has it outside of data.
    const inData = valueAt(data, rules.reference) === reference;
    return confirmed(`${inData ? 'data.' : ''}${rules.reference} is ${typeWord(reference)}`);
  }
  if (!isObject(data)) return unknown('the reply has no data object');
  const value = valueAt(data, rules.reference);
  return differs(`data.${rules.reference} is ${typeWord(value)}; data is ${describeShape(data)}`);
}
