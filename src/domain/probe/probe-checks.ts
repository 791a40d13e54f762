import type { CheckId } from './check-id.js';
import { judgeAbsentField } from './judge/absent-field.js';
import { judgeClock } from './judge/clock.js';
import { judgeEnvelope } from './judge/envelope.js';
import { judgeFindShape } from './judge/find-shape.js';
import { judgeParentReference } from './judge/parent-reference.js';
import { judgePutStatus } from './judge/put-status.js';
import { judgeRateHeaders } from './judge/rate-headers.js';
import { judgeReachable } from './judge/reachable.js';
import { judgeReference } from './judge/reference.js';
import { judgeRequestIdReuse } from './judge/request-id-reuse.js';
import { judgeSameReference } from './judge/same-reference.js';
import { judgeUnknownId } from './judge/unknown-id.js';
import { judgeWrongSignature } from './judge/wrong-signature.js';
import type { ProbeCheck } from './probe-check.js';

/** By id: a missing one does not compile. */
const CHECKS: Readonly<Record<CheckId, Omit<ProbeCheck, 'id'>>> = {
  reachable: {
    assumption: 'The base URL answers directly, over a connection that this machine trusts.',
    setting: 'platform.jobs.baseUrl, platform.proxy, platform.ca',
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
};

/**
 * Everything that a first contact finds out, in the order in which it is tried. What the settings in effect bear is
 * confirmed: a check asks whether something has to be changed, not whether the interface is followed to the letter.
 */
export const PROBE_CHECKS: readonly ProbeCheck[] = Object.entries(CHECKS).map(([id, check]) => ({
  id: id as CheckId,
  ...check,
}));
