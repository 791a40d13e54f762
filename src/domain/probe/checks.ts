import { nameOwnBlocks } from '../reply/reply-rules.js';
import { oneLine } from '../reply/reply.js';
import { scrubText } from '../scrub-text.js';
import {
  judgeAbsentField,
  judgeClock,
  judgeEnvelope,
  judgeFindShape,
  judgeParentReference,
  judgePutStatus,
  judgeRateHeaders,
  judgeReachable,
  judgeReference,
  judgeRequestIdReuse,
  judgeSameReference,
  judgeUnknownId,
  judgeWrongSignature,
  type Verdict,
} from './judges.js';
import type { ProbeEnd, ProbeSeen } from './seen.js';

export type { CheckResult, Verdict } from './judges.js';

/** One assumption about the platform, and how the replies of a first contact decide about it. */
interface Check {
  readonly assumption: string;
  /** What changes the assumption. */
  readonly setting: string;
  readonly judge: (seen: ProbeSeen) => Verdict;
}

/** A check that was made. */
export interface CheckedAssumption extends Omit<Verdict, 'setting'>, Omit<Check, 'judge'> {
  readonly id: CheckId;
}

/** Longest text of what was seen, characters. */
const LONGEST = 400;

/** Every check by what was seen. `secrets`: never shown, wherever the platform repeats them. */
export function judgeProbe(seen: ProbeSeen, secrets: readonly string[]): readonly CheckedAssumption[] {
  return PROBE_CHECKS.map(({ id, assumption, setting, judge }) => {
    const verdict = judge(seen);
    const text = oneLine(scrubText(verdict.seen, secrets));
    const bounded = [...text].length > LONGEST ? `${[...text].slice(0, LONGEST - 1).join('')}…` : text;
    return {
      id,
      assumption,
      result: verdict.result,
      seen: bounded,
      setting: nameOwnBlocks(verdict.setting ?? setting, seen.rules.own),
    };
  });
}

/** 5: the platform does not answer; 3: something differs, also refused credentials; 0: everything is as assumed. */
export function probeExitCode(checks: readonly CheckedAssumption[], end: ProbeEnd | null): number {
  if (end?.kind === 'silent') return 5;
  return checks.some(({ result }) => result === 'differs') ? 3 : 0;
}

/**
 * By id, which is public interface. In the order in which they are tried. What the settings in effect bear is confirmed: a
 * check asks whether something has to be changed, not whether the interface is followed to the letter.
 */
const CHECKS = {
  reachable: {
    assumption: 'The base URL answers directly, over a connection that this machine trusts.',
    setting: 'platform.jobs.baseUrl, platform.proxy, platform.ca, platform.clientCertificate',
    judge: judgeReachable,
  },
  clock: {
    assumption: 'The clocks of this machine and of the platform differ by less than a minute.',
    setting:
      'the clock of this machine (NTP); platform.signature.timestamp is the form of the time that is sent',
    judge: judgeClock,
  },
  'wrong-signature': {
    assumption: 'The right signature is accepted, and a wrong one is answered with 401 or 403.',
    setting:
      'for the right one platform.jobs.clientId, platform.jobs.clientSecret, platform.signature and platform.headers; for a wrong one platform.replies.judge (as: authentication-refused)',
    judge: judgeWrongSignature,
  },
  'unknown-id': {
    assumption: 'A Find of an id that no record has is answered with 404, or with an empty result.',
    setting:
      'platform.replies.judge (as: missing) for another answer; platform.operations.findCompany (path, or enabled: false)',
    judge: judgeUnknownId,
  },
  'put-status': {
    assumption: 'A Put that is done is answered with 200 or 201, or with a status that the settings accept.',
    setting:
      'platform.replies.accepted, platform.operations.putCompany (method, path, accepted); entities.companies.absent (omit) where null is refused',
    judge: judgePutStatus,
  },
  envelope: {
    assumption: 'The result of a Put is an object, in data or where platform.replies.data says.',
    setting:
      'platform.replies.data for a result in another place; platform.operations.putCompany.accepted for a reply without a body; else platform.replies.judge (as: accepted, or as: rejected)',
    judge: judgeEnvelope,
  },
  reference: {
    assumption: 'The reply to a Put gives the company’s reference, as text or as a whole number.',
    setting: 'platform.replies.reference',
    judge: judgeReference,
  },
  'find-shape': {
    assumption: 'A Find shows what was put, in the fields that the contract names.',
    setting:
      'platform.operations.findCompany and findVacancy (path, or enabled: false); platform.replies.data for a result in another place',
    judge: judgeFindShape,
  },
  'same-reference': {
    assumption: 'Every Put of a company gives the same reference.',
    setting: 'platform.replies.reference (another field, or platform-id)',
    judge: judgeSameReference,
  },
  'absent-field': {
    assumption: 'A Put replaces the whole record: a field that it does not fill is cleared.',
    setting: 'platform.absent, entities.companies.absent',
    judge: judgeAbsentField,
  },
  'parent-reference': {
    assumption: 'A vacancy is accepted with the company’s reference as employer.id.',
    setting: 'platform.replies.reference',
    judge: judgeParentReference,
  },
  'request-id-reuse': {
    assumption: 'A Request-Id that was used before is answered with 409, or like the first one.',
    setting: 'platform.replies.judge (as: accepted)',
    judge: judgeRequestIdReuse,
  },
  'rate-headers': {
    assumption: 'The platform takes as many requests as ratePerSecond allows, and announces no lower limit.',
    setting: 'platform.jobs.ratePerSecond',
    judge: judgeRateHeaders,
  },
} satisfies Readonly<Record<string, Check>>;

export type CheckId = keyof typeof CHECKS;

/** Everything that a first contact finds out. */
export const PROBE_CHECKS = (Object.entries(CHECKS) as [CheckId, Check][]).map(([id, check]) => ({
  id,
  ...check,
}));
