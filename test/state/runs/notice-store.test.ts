import { expect, test } from 'vitest';
import { type NoticeMemory, QUIET_MS } from '../../../src/domain/notice.js';
import { whenWritten } from '../../postgres/test-database.js';
import { openTestState, type TestState } from '../open-test-state.js';

const ID = '0b7c0c0e-31f1-4f5a-9d6e-5a8f3a1f2b11';
const OTHER = '0b7c0c0e-31f1-4f5a-9d6e-5a8f3a1f2b12';
const BEGUN: NoticeMemory = {
  way: 'url',
  trouble: 'held',
  subject: 'vacancies',
  state: 'begun',
  noticeId: ID,
  since: new Date('2026-01-01T00:00:00Z'),
  reason: 'why',
  help: 'do',
  changedAt: new Date('2026-01-01T00:00:01Z'),
  quietUntil: null,
  inDoubt: false,
};

async function withMemories(...memories: readonly NoticeMemory[]): Promise<TestState> {
  const state = await openTestState();
  await state.notices.revise(() => memories);
  return state;
}

async function memories({ notices }: TestState): Promise<readonly NoticeMemory[]> {
  let found: readonly NoticeMemory[] = [];
  await notices.revise((before) => (found = before));
  return found;
}

test('what is decided is remembered, and what is left out is forgotten', async () => {
  const state = await withMemories(BEGUN, { ...BEGUN, way: 'smtp', noticeId: OTHER });
  expect(await memories(state)).toEqual(expect.arrayContaining([BEGUN]));
  await state.notices.revise((before, now) => {
    expect(now).toBeInstanceOf(Date);
    return before.filter(({ way }) => way === 'smtp');
  });
  expect(await memories(state)).toMatchObject([{ way: 'smtp' }]);
});

test('a message is taken by one process only, and sent once', async () => {
  const state = await withMemories(BEGUN);
  const taken = await Promise.all([1, 2, 3].map(() => state.notices.takeDue('url')));
  expect(taken.filter((memory) => memory !== null)).toMatchObject([
    { noticeId: ID, state: 'begun', reason: 'why' },
  ]);
  expect(await state.notices.takeDue('smtp')).toBe(null);
  expect(await memories(state), 'until it is known').toMatchObject([{ state: 'begun', inDoubt: true }]);

  await state.notices.noteSent(ID, QUIET_MS);
  expect(await memories(state)).toMatchObject([{ state: 'told', inDoubt: false }]);
  expect(await state.notices.takeDue('url')).toBe(null);
});

test('of two processes that find the same trouble at once, the second knows what the first decided', async () => {
  const state = await openTestState();
  await whenWritten(state.sql, 'placement_sync.notice', 'perform pg_sleep(0.3);');
  const known: number[] = [];
  const decide = (before: readonly NoticeMemory[]) => {
    known.push(before.length);
    return before.length > 0 ? before : [BEGUN];
  };
  await Promise.all([state.notices.revise(decide), state.notices.revise(decide)]);
  expect(known).toEqual([0, 1]);
});

test('a process that died while sending leaves the message to the next one after a minute', async () => {
  const state = await withMemories(BEGUN);
  await state.notices.takeDue('url');
  await state.sql(`update placement_sync.notice set claimed_until = clock_timestamp() - interval '1 second'`);
  expect(await state.notices.takeDue('url')).toMatchObject({ noticeId: ID });
});

test('an end that was reported is quiet for the time given', async () => {
  const state = await withMemories({ ...BEGUN, state: 'ended' });
  await state.notices.takeDue('url');
  await state.notices.noteSent(ID, QUIET_MS);
  const [row] = await state.sql<{ state: string; minutes: number }>(
    `select state, round(extract(epoch from quiet_until - clock_timestamp()) / 60)::int as minutes from placement_sync.notice`,
  );
  expect(row).toEqual({ state: 'quiet', minutes: 60 });
});

test('what began in the quiet time is due when it is over', async () => {
  const state = await withMemories({ ...BEGUN, quietUntil: new Date(Date.now() + 60_000) });
  expect(await state.notices.takeDue('url')).toBe(null);
  await state.sql(`update placement_sync.notice set quiet_until = clock_timestamp()`);
  expect(await state.notices.takeDue('url')).toMatchObject({ noticeId: ID });
});

test('a failure is due again after a growing pause, and given up after five tries and a day', async () => {
  const state = await withMemories({ ...BEGUN, changedAt: new Date() });
  const pauses: number[] = [];
  for (let attempt = 1; attempt <= 8; attempt += 1) {
    await state.sql(`update placement_sync.notice set next_attempt_at = null`);
    await state.notices.takeDue('url');
    expect(await state.notices.noteFailure(ID, { inDoubt: false, quietMs: QUIET_MS })).toBe(false);
    const [row] = await state.sql<{ seconds: number }>(
      `select round(extract(epoch from next_attempt_at - clock_timestamp()) / 10)::int * 10 as seconds from placement_sync.notice`,
    );
    pauses.push(row?.seconds ?? 0);
    expect(await state.notices.takeDue('url')).toBe(null);
  }
  expect(pauses).toEqual([30, 60, 120, 240, 480, 960, 1920, 3600]);

  await state.sql(`update placement_sync.notice set changed_at = changed_at - interval '25 hours'`);
  expect(await state.notices.noteFailure(ID, { inDoubt: true, quietMs: QUIET_MS })).toBe(true);
  expect(await memories(state)).toMatchObject([{ state: 'unheard' }]);
});

test('one that fails does not keep the others from being sent', async () => {
  const state = await withMemories(BEGUN, {
    ...BEGUN,
    subject: 'companies',
    noticeId: OTHER,
    changedAt: new Date(),
  });
  expect(await state.notices.takeDue('url')).toMatchObject({ noticeId: ID });
  await state.notices.noteFailure(ID, { inDoubt: false, quietMs: QUIET_MS });
  await state.sql(`update placement_sync.notice set next_attempt_at = null`);
  expect(await state.notices.takeDue('url')).toMatchObject({ noticeId: OTHER });
});

test('a state that changed while it was sent begins again', async () => {
  const state = await withMemories(BEGUN);
  await state.notices.takeDue('url');
  await state.notices.revise(([memory]) => [{ ...memory!, state: 'ended', noticeId: OTHER, inDoubt: false }]);
  await state.notices.noteSent(ID, QUIET_MS);
  expect(await state.notices.noteFailure(ID, { inDoubt: true, quietMs: QUIET_MS })).toBe(false);
  expect(await state.notices.takeDue('url')).toMatchObject({ noticeId: OTHER, state: 'ended' });
});
