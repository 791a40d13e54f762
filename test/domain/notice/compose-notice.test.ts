import { expect, it } from 'vitest';
import { composeNotice, noticeTitle, testNotice } from '../../../src/domain/compose-notice.js';
import type { NoticeMemory } from '../../../src/domain/notice.js';

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
  ['auth-refused', 'begun', 'area training refuses our credentials', { area: 'training' }],
  ['auth-refused', 'ended', 'area training accepts our credentials again', { area: 'training' }],
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
