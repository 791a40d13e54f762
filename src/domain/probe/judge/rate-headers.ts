import type { Reply } from '../../reply/reply.js';
import { announcedLimit, type AnnouncedLimit } from '../announced-limit.js';
import { listFields } from '../describe-seen.js';
import type { Verdict } from '../probe-check.js';
import type { ProbeSeen } from '../probe-seen.js';
import { confirmed, differs, notTried, unknown } from '../verdicts.js';

/** Without such headers only a 429 says that a rate is too high. */
export function judgeRateHeaders(seen: ProbeSeen): Verdict {
  const answers = repliesOf(seen).filter((reply) => reply.kind === 'answered');
  if (answers.length === 0) return notTried(seen);
  if (answers.some(({ status }) => status === 429)) return differs('HTTP 429 at the rate of the settings');
  const names = answers.flatMap(({ rateHeaders = {} }) => Object.keys(rateHeaders));
  if (names.length === 0)
    return confirmed(`no such header in ${answers.length} ${answers.length === 1 ? 'reply' : 'replies'}`);
  const limits = answers.flatMap(({ rateHeaders = {} }) => announcedLimit(rateHeaders) ?? []);
  // The narrowest one counts.
  const [limit] = limits.sort((a, b) => a.requests / a.seconds - b.requests / b.seconds);
  if (limit === undefined) return unknown(`not understood: ${listFields(names)}`);
  return judgeLimit(limit, seen.rules.ratePerSecond);
}

function judgeLimit(limit: AnnouncedLimit, ratePerSecond: number | null): Verdict {
  const { header, requests, seconds, assumedMinute } = limit;
  const window = assumedMinute ? 'a minute, if it means what it usually does' : `${seconds} s`;
  const text = `${header}: ${requests} requests in ${window}`;
  const ours = ratePerSecond === null ? 'no limit' : `${ratePerSecond} a second`;
  const kept = ratePerSecond !== null && ratePerSecond * seconds <= requests;
  return kept ? confirmed(`${text}; ratePerSecond is ${ours}`) : differs(`${text}; ratePerSecond is ${ours}`);
}

function repliesOf(seen: ProbeSeen): readonly Reply[] {
  const { unknownFind, wrongSignature, put, found, putAgain, leftOut, restored, putChild, foundChild } = seen;
  return [
    ...[unknownFind, wrongSignature, put, found?.reply, putAgain, leftOut?.put, leftOut?.find],
    ...[restored, putChild, foundChild?.reply, seen.repeated],
  ].filter((reply) => reply !== null && reply !== undefined);
}
