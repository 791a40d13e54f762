import { describe, expect, it, test } from 'vitest';
import {
  type AreaCondition,
  endCondition,
  nextCondition,
  OPEN_AREA,
} from '../../../src/core/domain/area-condition.js';
import { observe } from '../../../src/features/notices/compose-notice.js';
import { judgeReply, settingOfRefusal } from '../../../src/core/domain/reply/judge-reply.js';
import type { Judgement, NoReply } from '../../../src/core/domain/reply/reply.js';
import { describeTrouble, PLAIN_WORDS } from '../../../src/features/troubles/describe-trouble.js';
import { findTroubles } from '../../../src/core/domain/trouble/find-troubles.js';
import {
  type EntityFacts,
  NOTHING_KNOWN,
  type TroubleFacts,
} from '../../../src/core/domain/trouble/trouble.js';

const LIMITS = { breakerAfter: 3, maxPauseMs: 60_000, baseDelayMs: 1_000 };
const ACCEPTED: Judgement = {
  ...{ kind: 'accepted', reference: 'r', remoteId: 'i', details: null, statusCode: 200 },
};
const REFUSED: Judgement = { kind: 'refused', statusCode: 422, message: 'no' };
const DEFERRED: Judgement = {
  kind: 'deferred',
  known: true,
  reached: true,
  statusCode: 500,
  message: 'down',
};

const paused = (delayMs: number | null): Judgement => ({
  kind: 'paused',
  known: true,
  delayMs,
  statusCode: 429,
  message: 'slow down',
});

function after(judgements: readonly Judgement[], now = 0): AreaCondition {
  return judgements.reduce(
    (condition, judgement) => nextCondition(condition, judgement, LIMITS, now),
    OPEN_AREA,
  );
}

describe('the condition of an area', () => {
  test('stops after so many transient failures in a row', () => {
    expect(after([DEFERRED, DEFERRED]).stop).toBeNull();
    expect(after([DEFERRED, DEFERRED, DEFERRED]).stop?.code).toBe('breaker-open');
  });

  test.each([ACCEPTED, REFUSED])('counts again from zero after a verdict', (verdict) => {
    expect(after([DEFERRED, DEFERRED, verdict, DEFERRED, DEFERRED]).stop).toBeNull();
  });

  test('pauses for as long as the platform says', () => {
    expect(after([paused(5_000)], 100)).toMatchObject({ pausedUntil: 5_100, stop: null });
  });

  test('pauses for the base delay when the platform does not say how long', () => {
    expect(after([paused(null)], 100).pausedUntil).toBe(1_100);
    // A wait of nothing is obeyed once; of those that follow each would count as a pause of its own.
    expect(after([paused(0)], 100)).toMatchObject({ pausedUntil: 100, pausesInARow: 1 });
    expect(after([paused(0), paused(0), paused(0)], 100)).toMatchObject({
      pausedUntil: 1_100,
      pausesInARow: 2,
    });
  });

  test('stops at a pause longer than is waited for', () => {
    expect(after([paused(60_001)]).stop?.code).toBe('long-pause');
    expect(after([paused(60_000)])).toMatchObject({ stop: null, pausedUntil: 60_000 });
  });

  test('counts replies during one pause as one pause', () => {
    expect(after([paused(1_000), paused(1_000), paused(1_000), paused(1_000)])).toMatchObject({
      pausesInARow: 1,
      stop: null,
    });
  });

  test('stops when the platform does nothing but ask for pauses', () => {
    const ended = [0, 2_000, 4_000, 6_000].reduce(
      (condition, now) => nextCondition(condition, paused(1_000), LIMITS, now),
      OPEN_AREA,
    );
    expect(ended.stop?.code).toBe('long-pause');
  });

  test('stays stopped, with the first reason', () => {
    const stopped: Judgement = {
      kind: 'stopped',
      code: 'authentication-refused',
      statusCode: 401,
      message: 'who?',
      hint: 'clock',
    };
    expect(after([stopped, ACCEPTED, DEFERRED, paused(99_999)]).stop).toEqual({
      code: 'authentication-refused',
      message: 'who?',
      hint: 'clock',
    });
  });

  test('a shorter pause does not cut a longer one that is running', () => {
    expect(after([paused(5_000), paused(1_000)]).pausedUntil).toBe(5_000);
    expect(after([paused(1_000), paused(5_000)]).pausedUntil).toBe(5_000);
  });

  test('a pause of which the platform does not say how long begins with a second and doubles up to baseDelay', () => {
    const limits = { ...LIMITS, breakerAfter: 10, baseDelayMs: 30_000 };
    const pauses: number[] = [];
    let condition = OPEN_AREA;
    for (let now = 0; condition.stop === null && pauses.length < 20;) {
      condition = nextCondition(condition, paused(null), limits, now);
      if (condition.stop !== null) break;
      pauses.push((condition.pausedUntil ?? 0) - now);
      now = condition.pausedUntil ?? 0;
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 30, 30, 30, 30, 30].map((seconds) => 1_000 * seconds));
    expect(condition.stop?.code).toBe('long-pause');
  });

  test('pauses between which requests are accepted are not in a row', () => {
    let condition = OPEN_AREA;
    for (let now = 0; now < 100_000; now += 2_000) {
      condition = nextCondition(condition, paused(null), LIMITS, now);
      expect(condition.pausedUntil).toBe(now + 1_000);
      condition = nextCondition(condition, ACCEPTED, LIMITS, now + 1_500);
    }
    expect(condition.stop).toBeNull();
  });

  test('a pause is no transient failure, and a verdict ends the row of pauses', () => {
    expect(after([DEFERRED, DEFERRED, paused(1_000), paused(1_000)])).toMatchObject({
      transientInARow: 2,
      stop: null,
    });
    const three = [0, 2_000, 4_000].reduce(
      (condition, now) => nextCondition(condition, paused(1_000), LIMITS, now),
      OPEN_AREA,
    );
    const freed = nextCondition(three, ACCEPTED, LIMITS, 6_000);
    expect(nextCondition(freed, paused(1_000), LIMITS, 6_000)).toMatchObject({
      pausesInARow: 1,
      stop: null,
    });
  });
});

describe('the end of a push', () => {
  const UNREACHED: Judgement = { ...DEFERRED, reached: false, statusCode: null, message: 'Not reached' };
  const CONFLICT: Judgement = { ...DEFERRED, statusCode: 409, message: 'HTTP 409' };
  const ended = (...judgements: Judgement[]) => endCondition(after(judgements), 0).stop;

  test.each([[[UNREACHED]], [[DEFERRED, DEFERRED]]])(
    'stops the area in which nothing was answered, whatever breakerAfter says',
    (judgements) => {
      expect(after(judgements).stop).toBeNull();
      expect(ended(...judgements)).toMatchObject({ code: 'breaker-open' });
    },
  );

  test.each([[[]], [[paused(1)]], [[ACCEPTED, DEFERRED]], [[DEFERRED, REFUSED]], [[CONFLICT]]])(
    'stops nothing where nothing failed, or something was answered',
    (judgements) => expect(ended(...judgements)).toBeNull(),
  );

  test('names how many failed in a row, also in the pushes before', () => {
    const before = { ...OPEN_AREA, transientInARow: 1 };
    const now = nextCondition(before, UNREACHED, LIMITS, 0);
    expect(endCondition(now, 1).stop?.message).toBe('2 requests in a row failed; the last one: Not reached');
    // Nothing was sent in this push.
    expect(endCondition(before, 1).stop).toBeNull();
  });
});

describe('cause of outage', () => {
  const LIMITS = { breakerAfter: 1, maxPauseMs: 60_000, baseDelayMs: 1_000 };
  const hintOf = (judgement: Judgement) => nextCondition(OPEN_AREA, judgement, LIMITS, 0).stop?.hint;
  const withoutReply = (kind: NoReply['kind'], code: string) =>
    hintOf(judgeReply({ kind, code, message: 'no' }, { method: 'PUT', now: 0 }));

  it.each([
    ['unreachable', 'PROXY_REFUSED', /^The proxy on the way/],
    ['unreachable', 'PROXY_UNREACHABLE', /^The proxy on the way/],
    ['unreachable', 'SELF_SIGNED_CERT_IN_CHAIN', /platform\.ca/],
    ['unreachable', 'ENOTFOUND', /^No host has the name.*platform\.proxy/],
    ['unreachable', 'EAI_AGAIN', /^The platform cannot be reached\. .*DNS/],
    ['unreachable', 'TLS_MISSING', /^http:\/\/ and https:\/\/ are mixed up/],
    ['silent', 'TLS_EXPECTED', /^http:\/\/ and https:\/\/ are mixed up/],
    ['silent', 'HPE_HEADER_OVERFLOW', /NODE_OPTIONS=--max-http-header-size=65536/],
    ['unreachable', 'ETIMEDOUT', /platform\.proxy/],
    ['silent', 'ECONNRESET', /^The platform does not answer: .*Nothing is lost/],
    ['silent', 'ETIMEDOUT', /platform\.jobs\.timeout/],
    ['silent', 'ERR_REPLY_TOO_LARGE', /^The platform answers/],
    ['unreachable', 'CLIENT_CERTIFICATE_REQUIRED', /^The platform.*platform\.clientCertificate/],
    ['unreachable', 'CLIENT_CERTIFICATE_REFUSED', /issued for this platform/],
    ['unreachable', 'TLS_ALERT_40', /client certificate.*another version of TLS/],
    ['silent', 'HPE_INVALID_HEADER_TOKEN', /its operator has to correct that/],
  ] as const)('%s with %s has a cause', (kind, code, hint) => {
    expect(withoutReply(kind, code)).toMatch(hint);
  });

  it('a reply names no cause, whatever its words are', () => {
    const message = 'HTTP 503: Not reached (PROXY_REFUSED)';
    expect(hintOf({ kind: 'deferred', known: true, reached: true, statusCode: 503, message })).toMatch(
      /^The platform seems to be down or unreachable\. Nothing is lost/,
    );
  });

  it('a refusal that is put off by a rule is no outage', () => {
    const message = 'HTTP 422: employer.id is unknown';
    const hint = hintOf({ kind: 'deferred', known: true, reached: true, statusCode: 422, message });
    expect(hint).toMatch(/^The platform answers, .*platform\.adapter/);
    expect(hint).not.toMatch(/down|unreachable/);
  });

  it.each([
    [405, 'PUT', 'platform.operations'],
    [405, 'PATCH', 'platform.operations'],
    [404, 'PUT', 'platform.operations'],
    [501, 'DELETE', 'platform.operations.putCompany'],
    [404, 'PUT', 'placement-sync retry'],
    [406, 'PUT', 'platform.headers'],
  ] as const)('%i to a %s may be about %s', (status, method, setting) => {
    expect(settingOfRefusal(status, { method, operation: 'putCompany' }, 'No.')).toContain(setting);
  });

  it.each([
    [404, 'PATCH'],
    [422, 'PUT'],
  ] as const)('%i to a %s is about the record', (status, method) => {
    expect(settingOfRefusal(status, { method }, 'The name is too short.')).toBeNull();
  });

  it.each([
    ['The signature is not valid. (INVALID_SIGNATURE)', 'function reply of platform.adapter'],
    ['Request-Timestamp must be a Unix time.', 'placement-sync sign'],
    ['email: must not be null', 'absent: { COLUMN: omit }'],
  ])('a refusal with the words %j names its setting', (words, setting) => {
    expect(settingOfRefusal(422, { method: 'PUT' }, words)).toContain(setting);
  });
});

describe('unread replies', () => {
  const UNREAD: Judgement = {
    kind: 'not-understood',
    statusCode: 200,
    message: 'HTTP 200 was not understood: data is missing',
    hint: 'A setting says so.',
  };
  type Step = readonly [operation: string, judgement: Judgement];
  const after = (...steps: readonly Step[]) =>
    steps.reduce(
      (area, [operation, judgement]) => nextCondition(area, judgement, LIMITS, 0, operation),
      OPEN_AREA,
    );
  const times = (count: number, step: Step): Step[] => Array.from({ length: count }, () => step);

  test('so many replies in a row that are not understood stop the area, with the part and the setting', () => {
    const unread: Step = ['putCompany', UNREAD];
    expect(after(...times(2, unread)).stop).toBeNull();
    expect(after(...times(3, unread)).stop).toEqual({
      code: 'reply-not-understood',
      message: '3 replies in a row; the last one: HTTP 200 was not understood: data is missing',
      hint: 'A setting says so. A worker reads a changed setting when it is restarted. Nothing is lost: the records are sent again, and confirmed.',
    });
  });

  test('they are no outage: the row of failures neither grows nor ends', () => {
    const { transientInARow, answered } = after(
      ['putCompany', DEFERRED],
      ...times(2, ['putCompany', UNREAD]),
    );
    expect({ transientInARow, answered }).toEqual({ transientInARow: 1, answered: false });
  });

  test('a reply of the same operation that is understood ends the row; others and refusals do not', () => {
    const two = times(2, ['putCompany', UNREAD]);
    expect(after(...two, ['putCompany', ACCEPTED], ...two).stop).toBeNull();
    expect(after(...two, ['putVacancy', ACCEPTED], ['putCompany', UNREAD]).stop?.code).toBe(
      'reply-not-understood',
    );
    expect(after(...two, ['putCompany', REFUSED], ['putCompany', UNREAD]).stop?.code).toBe(
      'reply-not-understood',
    );
  });

  test('a push ends stopped when no reply to an operation was understood, however few there were', () => {
    const ended = (...steps: readonly Step[]) => endCondition(after(...steps), 0).stop;
    expect(ended(['putCompany', UNREAD])).toMatchObject({
      code: 'reply-not-understood',
      message: 'HTTP 200 was not understood: data is missing',
    });
    expect(ended(['putCompany', ACCEPTED], ['putVacancy', UNREAD])?.code).toBe('reply-not-understood');
    expect(ended(['putCompany', DEFERRED], ['putCompany', UNREAD])?.code).toBe('reply-not-understood');
    expect(ended(['putCompany', ACCEPTED], ['putCompany', UNREAD])).toBeNull();
    expect(ended(['putCompany', UNREAD], ['putCompany', ACCEPTED])).toBeNull();
    expect(ended(['putCompany', ACCEPTED])).toBeNull();
  });
});

describe('unread replies', () => {
  const HINT = 'platform.replies.reference (now reference) names the field in the reply to Put Company.';
  const AT = new Date('2026-03-02T08:00:00Z');
  const COUNTS = {
    ...{ synced: 0, pending: 0, invalid: 0, rejected: 0, waiting: 0, deferred: 2, vanished: 0, blocked: 0 },
  };

  function facts(deferred: number): TroubleFacts {
    const companies: EntityFacts = {
      ...{ name: 'companies', area: 'jobs', parent: null, reasons: null, deferral: null, vanished: null },
      state: {
        ...{ hold: null, pushHold: null, approval: null, inDoubtSince: null },
        lastSuccessAt: new Date(AT.getTime() - 7_200_000),
        lastSweepAt: AT,
      },
      counts: { ...COUNTS, deferred },
    };
    const stop = {
      code: 'reply-not-understood',
      message: 'HTTP 200 was not understood',
      hint: HINT,
      retryAt: null,
      since: AT,
    };
    const areas = [{ area: 'jobs', stop, credentials: 'unknown', refusedCause: null }] as const;
    return { ...NOTHING_KNOWN, now: AT, entities: [companies], areas, staleAfterMs: 3_600_000 };
  }

  test('the trouble is the stopped area, its hint names the setting, and no record is listed as deferred beside it', () => {
    const [trouble, ...rest] = findTroubles(facts(2)).filter(({ kind }) => kind !== 'stale');
    expect(rest).toEqual([]);
    expect(trouble).toMatchObject({ kind: 'area-stopped', code: 'reply-not-understood', count: 2 });
    if (!trouble) return;
    expect(describeTrouble(trouble, 'en', PLAIN_WORDS)).toMatchObject({
      title: expect.stringContaining('sending stopped') as string,
      sentence: expect.stringContaining('its replies are not understood') as string,
      hint: HINT,
    });
  });

  test('with nothing left to send it is over', () => {
    expect(findTroubles(facts(0)).filter(({ kind }) => kind === 'area-stopped')).toEqual([]);
  });

  test('a notice that an entity is stale names the setting', () => {
    const stale = observe(facts(2)).find(({ trouble }) => trouble === 'stale');
    expect(stale?.found?.help).toContain(HINT);
  });
});
