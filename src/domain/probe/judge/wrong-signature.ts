import { isObject, readRefusal } from '../../reply/refusal.js';
import { saysFailure } from '../../reply/says-failure.js';
import type { Reply } from '../../reply/reply.js';
import { describeSeen } from '../describe-seen.js';
import { isRefusedAuthentication } from '../is-refused-authentication.js';
import type { Verdict } from '../probe-check.js';
import type { ProbeSeen } from '../probe-seen.js';
import { confirmed, differs, notTried } from '../verdicts.js';

export function judgeWrongSignature(seen: ProbeSeen): Verdict {
  const { rules, unknownFind: right, wrongSignature: wrong } = seen;
  if (right !== null && isRefusedAuthentication(right, rules)) {
    return differs(`the right signature is refused: ${describeSeen(right)}${wordsOf(right)}`);
  }
  if (wrong?.kind !== 'answered') return notTried(seen);
  const text = `${describeSeen(wrong)}${codeOf(wrong)}`;
  if (isRefusedAuthentication(wrong, rules)) return confirmed(text);
  const taken = wrong.status === 404 || (wrong.status < 300 && !saysFailure(wrong.json));
  return differs(taken ? `it was accepted: ${text}` : text);
}

/** The platform's reason. Its words may be shown here, because this request names no record. */
function wordsOf(reply: Reply): string {
  const { message } = reply.kind === 'answered' ? readRefusal(reply.json) : { message: null };
  return message === null ? '' : `: “${message}”`;
}

/** A name of an error, as programs read it. Sentences may repeat parts of the request. */
const CODE = /^[A-Za-z][A-Za-z0-9]*([_.-][A-Za-z0-9]+)+$|^[A-Z]{4,}$/;

/** What `match` of a rule can look for; empty: nothing of this kind. */
function codeOf(reply: Reply): string {
  if (reply.kind !== 'answered' || !isObject(reply.json)) return '';
  const inner = [reply.json.error, reply.json.errors].filter(isObject);
  const texts = [reply.json, ...inner].flatMap((part) => [part.code, part.error, part.error_code, part.type]);
  const code = texts.find((text) => typeof text === 'string' && text.length <= 50 && CODE.test(text));
  return typeof code === 'string' ? `, code ${code}` : '';
}
