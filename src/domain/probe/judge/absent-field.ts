import { describeSeen } from '../describe-seen.js';
import { isConclusive } from '../is-conclusive.js';
import type { Verdict } from '../probe-check.js';
import type { ProbeSeen } from '../probe-seen.js';
import { confirmed, differs, notTried, unknown } from '../verdicts.js';

export function judgeAbsentField(seen: ProbeSeen): Verdict {
  const { leftOut, found } = seen;
  if (leftOut === null) {
    return found === null || seen.ended !== null
      ? notTried(seen)
      : unknown('not tried: the record has no optional text that the Find shows');
  }
  const { field, asNull, put, find, after } = leftOut;
  const what = `${field} ${asNull ? 'as null' : 'left out'}`;
  if (put === null) return notTried(seen);
  if (!isConclusive(put)) return unknown(`${what}: ${describeSeen(put)}`);
  if (put.status > 299) return differs(`${what} is refused: ${describeSeen(put)}`);
  if (find === null) return notTried(seen);
  if (after === 'cleared') return confirmed(`${what}: the platform cleared it`);
  if (after === 'kept') return differs(`${what}: the platform kept the former value`);
  if (after === 'changed') return unknown(`${what}: the Find shows a third value`);
  return unknown(`${what}: ${describeSeen(find)}`);
}
