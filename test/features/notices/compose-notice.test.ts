import { describe, expect, it, test } from 'vitest';
import {
  composeNotice,
  noticeTitle,
  observe,
  testNotice,
} from '../../../src/features/notices/compose-notice.js';
import { NOTHING_TOLD, type NoticeMemory } from '../../../src/features/notices/next-memory.js';
import type { AreaFacts, EntityFacts, TroubleFacts } from '../../../src/core/domain/trouble/trouble.js';
import {
  company,
  facts,
  FOREIGN_WORDS,
  HOLD,
  PUSH_HOLD,
  run,
  SECRET_KEY,
  vacancy,
  YESTERDAY,
} from '../troubles/sample-facts.js';

describe('compose notice', () => {
  const AT = new Date('2026-01-01T00:00:00Z');
  const MEMORY: NoticeMemory = {
    way: 'url',
    trouble: 'held',
    subject: 'companies',
    state: 'begun',
    noticeId: 'id',
    since: AT,
    reason: 'Half of it\r\nis gone.',
    help: 'placement-sync approve companies',
    changedAt: AT,
    quietUntil: null,
    inDoubt: false,
    about: NOTHING_TOLD,
  };

  it('says on one line what happened and what to do', () => {
    expect(composeNotice(MEMORY, 'host pid 1')).toEqual({
      id: 'id',
      notice: 'held',
      was: null,
      subject: { entity: 'companies' },
      since: '2026-01-01T00:00:00.000Z',
      at: '2026-01-01T00:00:00.000Z',
      reason: 'Half of it is gone.',
      help: 'placement-sync approve companies',
      text: 'placement-sync: companies is held. Half of it is gone. placement-sync approve companies',
      worker: 'host pid 1',
    });
  });

  it.each([
    ['held', 'begun', 'companies is held', { entity: 'companies' }],
    ['held', 'ended', 'companies is no longer held', { entity: 'companies' }],
    ['stale', 'begun', 'trainings is stale', { entity: 'trainings' }],
    ['stale', 'ended', 'trainings is in step again', { entity: 'trainings' }],
    ['auth-refused', 'begun', 'area training refuses our requests', { area: 'training' }],
    ['auth-refused', 'ended', 'area training accepts our requests again', { area: 'training' }],
    ['taken-down', 'begun', 'vacancies has records that the platform took down', { entity: 'vacancies' }],
    [
      'taken-down',
      'ended',
      'vacancies has no record any more that the platform took down',
      { entity: 'vacancies' },
    ],
    ['webhook-refused', 'begun', 'the webhook refuses what it receives', null],
    ['webhook-refused', 'ended', 'the webhook accepts what it receives again', null],
  ] as const)('of %s that has %s says: %s', (trouble, state, title, subject) => {
    const name = subject === null ? 'webhook' : 'area' in subject ? subject.area : subject.entity;
    const notice = composeNotice({ ...MEMORY, trouble, state, subject: name }, 'w');
    expect(notice.subject).toEqual(subject);
    expect(noticeTitle(notice)).toBe(`placement-sync: ${title}`);
    expect([notice.notice, notice.was]).toEqual(state === 'ended' ? ['recovered', trouble] : [trouble, null]);
  });

  it('says of a test that it is one', () => {
    expect(testNotice('id', AT, 'w')).toMatchObject({
      notice: 'test',
      subject: null,
      text: 'placement-sync: test of notices. This is a test; nothing has happened.',
    });
  });
});

describe('observe', () => {
  type StateChanges = Partial<EntityFacts['state']>;

  const of = (state: StateChanges, errorCode?: string) =>
    observe(
      facts({
        // As for notices: records are not counted.
        entities: [{ ...company({}, state), counts: null }],
        run: run(errorCode === undefined ? {} : { companies: errorCode }),
      }),
    );

  test.each<[string, StateChanges, RegExp, RegExp]>([
    [
      'held by a guard',
      { hold: HOLD },
      /The source has no rows\. Nothing of the sweep was applied\. It began at 2026-01-01T00:00:00\.000Z\. If you approve: 5 companies will be DELETED at the platform\./,
      /placement-sync plan --entity companies · placement-sync approve companies$/,
    ],
    [
      'whose push refusals stopped',
      { pushHold: PUSH_HOLD },
      /rejected 50 records in a row/,
      /placement-sync explain companies KEY.*approve companies$/,
    ],
    [
      'held twice',
      { hold: HOLD, pushHold: PUSH_HOLD },
      /rejected 50 records.* The source has no rows\./,
      /approve/,
    ],
  ])('an entity %s says why and what helps, without keys', (_, state, reason, help) => {
    const [held] = of(state);
    expect(held).toMatchObject({
      trouble: 'held',
      subject: 'companies',
      found: { since: YESTERDAY, afterMs: 0 },
    });
    expect(held?.found?.reason).toMatch(reason);
    expect(held?.found?.help).toMatch(help);
    expect(JSON.stringify(held)).not.toMatch(new RegExp(`${SECRET_KEY}|${FOREIGN_WORDS}`));
  });

  const LIMIT = 'more than 1 hour counts as stale.';

  test.each<[StateChanges, string | undefined, string]>([
    [{ lastSuccessAt: YESTERDAY }, undefined, `The last success was at 2026-01-01T00:00:00.000Z; ${LIMIT}`],
    [{ lastSuccessAt: null }, undefined, `There has been no success yet; ${LIMIT}`],
    [
      { lastSuccessAt: YESTERDAY, hold: HOLD },
      'query-failed',
      `The last success was at 2026-01-01T00:00:00.000Z; ${LIMIT} It is held.`,
    ],
    [
      { lastSuccessAt: YESTERDAY },
      'query-failed',
      `The last success was at 2026-01-01T00:00:00.000Z; ${LIMIT} Last error: query-failed.`,
    ],
  ])('an entity with %j and error %s is stale, once that has lasted, because: %s', (state, error, reason) => {
    const [held, stale] = of(state, error);
    expect(held?.found === null).toBe(!state.hold);
    expect(stale).toMatchObject({
      trouble: 'stale',
      // Never in step: since it was first looked at, which only the memory knows.
      found: { since: state.lastSuccessAt, afterMs: 3_600_000, reason },
    });
  });

  const area = (name: AreaFacts['area'], credentials: AreaFacts['credentials']): AreaFacts => ({
    area: name,
    stop: { code: 'breaker-open', message: FOREIGN_WORDS, hint: 'Wait.', retryAt: null, since: YESTERDAY },
    credentials,
    refusedCause: credentials === 'refused' ? { hint: 'Correct the clock.', cause: null } : null,
  });

  test('an area says what its replies said of our credentials, and nothing when they said nothing', () => {
    const observed = (...areas: AreaFacts[]) => observe(facts({ entities: [], areas }));
    expect(observed()).toEqual([]);
    expect(
      observed(area('jobs', 'unknown')).map(({ trouble }) => trouble),
      'an outage says nothing of them',
    ).toEqual(['area-stopped']);
    expect(observed(area('jobs', 'refused'), area('training', 'accepted'))).toMatchObject([
      {
        trouble: 'auth-refused',
        subject: 'jobs',
        // By the memory's clock, which is the state database's.
        found: {
          since: null,
          afterMs: 0,
          help: 'Correct the clock. The worker tries again by itself. Earlier: placement-sync retry',
        },
      },
      { trouble: 'area-stopped', subject: 'jobs' },
      { trouble: 'auth-refused', subject: 'training', found: null },
      { trouble: 'area-stopped', subject: 'training' },
    ]);
  });

  const MINUTES_5 = 300_000;
  test.each([
    ['breaker-open', 'certificate', MINUTES_5, 'certificate of the platform is not trusted', 'platform.ca'],
    ['breaker-open', 'failing', MINUTES_5, 'answers, but only with errors', 'ask its operator'],
    ['reply-not-understood', 'page', MINUTES_5, 'A web page answers', 'Wait.'],
    ['same-refusal', undefined, 0, 'refuses everything', 'Wait.'],
  ] as const)(
    '%s because of %s is notified once it has lasted %i ms, with cause and hint',
    (code, cause, afterMs, reason, help) => {
      const stop = { code, message: FOREIGN_WORDS, hint: 'Wait.', retryAt: null, since: YESTERDAY };
      const stopped = { ...area('jobs', 'unknown'), stop: cause === undefined ? stop : { ...stop, cause } };
      const [found] = observe(facts({ entities: [], areas: [stopped] }));
      expect(found).toMatchObject({
        trouble: 'area-stopped',
        found: {
          afterMs,
          reason: expect.stringContaining(reason) as string,
          help: expect.stringContaining(help) as string,
        },
      });
      expect(JSON.stringify(found)).not.toContain(FOREIGN_WORDS);
    },
  );

  const notifiedOf = (trouble: string, changes: Partial<TroubleFacts>) =>
    observe(facts(changes)).find((one) => one.trouble === trouble);

  test.each([
    [
      { rejected: 5, of: 100, statusCode: 422 },
      /^The platform rejects 5 of 100 records, most of them with HTTP 422\./,
    ],
    [{ rejected: 100, of: 2_001, statusCode: null }, /^The platform rejects 100 records\./],
    [{ rejected: 1, of: 1, statusCode: 422 }, /^The platform rejects 1 of 1 records/],
    [{ rejected: 4, of: 100, statusCode: 422 }, null],
    [{ rejected: 0, of: 0, statusCode: null }, null],
  ])('a mass of rejections is notified, a few are not: %j', (rejections, reason) => {
    const { found } =
      notifiedOf('rejected', { entities: [{ ...company(), counts: null, rejections }] }) ?? {};
    if (reason === null) expect(found).toBeNull();
    else expect(found).toMatchObject({ afterMs: 0, reason: expect.stringMatching(reason) as string });
  });

  test.each([
    [{ invalid: 5, blocked: 0, of: 100 }, /^5 of 100 records\. Their rows have errors/, null],
    [{ invalid: 100, blocked: 4, of: 2_001 }, /^100 records\./, null],
    [{ invalid: 2_001, blocked: 4, of: 2_001 }, /^More than 2,000 records\./, null],
    [{ invalid: 4, blocked: 6, of: 100 }, null, /^6 of 100 records\. The platform accepts them only after/],
    [{ invalid: 0, blocked: 0, of: 0 }, null, null],
  ])('what cannot be sent in masses is notified, a few are not: %j', (unsendable, invalid, waiting) => {
    const entities = [{ ...vacancy({}), counts: null, unsendable }];
    for (const [kind, reason] of Object.entries({ invalid, waiting })) {
      const { found } = notifiedOf(kind, { entities }) ?? {};
      if (reason === null) expect(found, kind).toBeNull();
      else
        expect(found, kind).toMatchObject({
          reason: expect.stringMatching(reason) as string,
          help: expect.stringContaining(
            `placement-sync records --status ${kind} --entity vacancies`,
          ) as string,
        });
    }
  });

  test('what waits for parents that are held is not notified: the hold of the parents is', () => {
    const entities = [{ ...vacancy({}, true), counts: null, unsendable: { invalid: 0, blocked: 9, of: 9 } }];
    expect(notifiedOf('waiting', { entities })?.found).toBeNull();
  });

  test('a failed query is notified, and a run without the entity says nothing about it', () => {
    const entities = [company()];
    expect(notifiedOf('failed', { entities, run: run({ companies: 'query-failed' }) })?.found).toMatchObject({
      reason: expect.stringContaining('The query failed.') as string,
      help: expect.stringContaining('Correct the query') as string,
    });
    expect(notifiedOf('failed', { entities, run: run({}) })?.found).toBeNull();
    expect(notifiedOf('failed', { entities, run: { ...run({}), entities: {} } })).toBeUndefined();
  });

  test('what an earlier run met in an area says nothing of now', () => {
    const before = facts({ run: run({ companies: 'authentication-refused' }) });
    expect(observe(before).filter(({ trouble }) => trouble === 'auth-refused')).toEqual([]);
  });
});
