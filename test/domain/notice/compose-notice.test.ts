import { expect, it, test } from 'vitest';
import { composeNotice, noticeTitle, testNotice } from '../../../src/domain/notice/compose-notice.js';
import { areaFindings, entityFindings, type EntityFacts } from '../../../src/domain/notice/find-troubles.js';
import type { NoticeMemory } from '../../../src/domain/notice/next-memory.js';

const AT = new Date('2026-01-01T00:00:00Z');
const FACTS: EntityFacts = {
  entity: 'companies',
  hold: null,
  pushHold: null,
  lastSuccessAt: AT,
  lastErrorCode: null,
};
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
  ['auth-refused', 'begun', 'area training refuses our authentication', { area: 'training' }],
  ['auth-refused', 'ended', 'area training accepts our authentication again', { area: 'training' }],
] as const)('of %s that has %s says: %s', (trouble, state, title, subject) => {
  const name = 'area' in subject ? subject.area : subject.entity;
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

const hold = {
  guard: 'empty-source',
  message: 'The source has no rows.',
  counts: { vanished: 1, invalid: 0 },
  sampleKeys: ['a-key-of-somebody'],
  since: '2026-01-01T00:00:00.000Z',
} as const;
const pushHold = {
  guard: 'max-rejected-in-a-row',
  message: 'all',
  refused: 50,
  sampleKeys: ['a-key-of-somebody'],
  since: '2026-01-01T00:00:00.000Z',
} as const;

test.each<[string, Partial<EntityFacts>, RegExp, RegExp]>([
  [
    'held by a guard',
    { hold },
    /^The source has no rows\. Nothing of the sweep was applied\.$/,
    /placement-sync approve companies$/,
  ],
  [
    'whose push refusals stopped',
    { pushHold },
    /refused 50 records of companies/,
    /placement-sync explain companies KEY.*approve/,
  ],
])('an entity %s says why and what helps, without keys', (_, facts, reason, help) => {
  const [held] = entityFindings({ ...FACTS, ...facts }, 1);
  expect(held).toMatchObject({ trouble: 'held', found: { since: AT, afterMs: 0 } });
  expect(held?.found?.reason).toMatch(reason);
  expect(held?.found?.help).toMatch(help);
  expect(JSON.stringify(held)).not.toContain('a-key-of-somebody');
});

test.each<[Partial<EntityFacts>, string]>([
  [{}, 'companies was last in step at 2026-01-01T00:00:00.000Z.'],
  [{ lastSuccessAt: null }, 'companies has never been in step since the first look at it.'],
  [{ hold }, 'companies was last in step at 2026-01-01T00:00:00.000Z. It is held.'],
  [
    { lastErrorCode: 'query-failed' },
    'companies was last in step at 2026-01-01T00:00:00.000Z. What went wrong last: query-failed.',
  ],
])('an entity with %j would be stale because: %s', (facts, reason) => {
  const [held, stale] = entityFindings({ ...FACTS, ...facts }, 60);
  expect(held?.found === null).toBe(!facts.hold);
  expect(stale).toMatchObject({ trouble: 'stale', found: { afterMs: 60, reason } });
});

test('an area says what its replies said of our authentication', () => {
  expect(areaFindings(new Map())).toEqual([]);
  const findings = areaFindings(
    new Map([
      ['jobs', { refused: { cause: 'Correct the clock.' } }],
      ['training', { refused: null }],
    ]),
  );
  expect(findings).toMatchObject([
    {
      trouble: 'auth-refused',
      subject: 'jobs',
      found: { help: 'Correct the clock. To try again: placement-sync run' },
    },
    { trouble: 'auth-refused', subject: 'training', found: null },
  ]);
});
