import { isObject } from '../../reply/refusal.js';
import { configuredMeaning } from '../configured-meaning.js';
import { describeSeen } from '../describe-seen.js';
import { describeShape } from '../describe-shape.js';
import type { Verdict } from '../probe-check.js';
import type { ProbeSeen } from '../probe-seen.js';
import { confirmed, differs, notTried, unknown } from '../verdicts.js';

/** `meta` is not needed. */
export function judgeEnvelope(seen: ProbeSeen): Verdict {
  const { put, rules } = seen;
  if (put === null) return notTried(seen);
  if (put.kind !== 'answered' || put.status > 299) return unknown(describeSeen(put));
  const { json, status, html } = put;
  if (isObject(json) && isObject(json.data)) {
    return confirmed(
      `${describeShape(json, 1)}${'meta' in json ? '' : ', without meta, which is not needed'}`,
    );
  }
  if (configuredMeaning(put, rules) === 'accepted') {
    return confirmed(`${describeSeen(put)}, which platform.replies.judge accepts`);
  }
  const bare = json === undefined && !html;
  return bare && rules.empty.includes(status)
    ? confirmed(`HTTP ${status} without a body`)
    : differs(describeSeen(put));
}
