import { describe, expect, test } from 'vitest';
import { type AreaCondition, nextCondition, OPEN_AREA } from '../../../src/core/domain/area-condition.js';
import { judgeGuards } from '../../../src/core/domain/guard.js';
import type { Judgement } from '../../../src/core/domain/reply/reply.js';
import { outcomeText } from '../../../src/core/domain/run-ending.js';
import { nextReading, type ReadingTimes } from '../../../src/core/domain/source-sight.js';
import { describeTrouble, PLAIN_WORDS } from '../../../src/features/troubles/describe-trouble.js';
import { findTroubles } from '../../../src/core/domain/trouble/find-troubles.js';
import { hintCommands, triesAgain } from '../../../src/features/troubles/hints.js';
import { waitsByItself } from '../../../src/core/domain/trouble/trouble.js';
import { company, facts, HOLD, NOW, YESTERDAY } from '../../features/troubles/sample-facts.js';

describe('how long reading takes', () => {
  const after = (...times: readonly number[]): ReadingTimes | undefined =>
    times.reduce<ReadingTimes | undefined>((known, ms) => nextReading(known, 'quick', ms), undefined);

  test('ten times as long as usual, and more than ten seconds, is slow', () => {
    expect(after(500, 500, 45_000)?.slow).toEqual({ ms: 45_000, usualMs: 500 });
    expect(after(500, 9_000)?.slow, 'short').toBeUndefined();
    expect(after(5_000, 45_000)?.slow, 'nine times').toBeUndefined();
    expect(after(45_000)?.slow, 'the first one').toBeUndefined();
    expect(after(500, 45_000, 500)?.slow, 'over').toBeUndefined();
  });

  test('what stays slow is told for a while, then it is usual', () => {
    const slow = Array.from({ length: 60 }, () => 45_000);
    expect(after(500, ...slow.slice(0, 10))?.slow).toBeDefined();
    expect(after(500, ...slow)?.slow).toBeUndefined();
  });

  test('a full sweep is compared with full ones', () => {
    expect(nextReading({ quick: 500 }, 'full', 60_000).slow).toBeUndefined();
    expect(nextReading({ quick: 500, full: 1_000 }, 'full', 60_000).slow).toBeDefined();
  });
});

describe('what waits by itself', () => {
  const stop = { message: '', hint: '', retryAt: null, since: YESTERDAY };
  const troubleOf = (
    changes: Partial<typeof stop> & { code: string; cause?: 'failing' | 'certificate'; pausedUntil?: Date },
    worker = true,
  ) =>
    findTroubles(
      facts({
        worker,
        entities: [company({ pending: 3 })],
        areas: [{ area: 'jobs', credentials: 'unknown', refusedCause: null, stop: { ...stop, ...changes } }],
      }),
    )[0]!;

  test.each([
    ['a pause', { code: 'long-pause', pausedUntil: new Date(NOW.getTime() + 60_000) }, true],
    ['an outage', { code: 'breaker-open', cause: 'failing' }, true],
    ['a certificate that nobody trusts', { code: 'breaker-open', cause: 'certificate' }, false],
    ['a redirect', { code: 'redirected' }, false],
  ] as const)('%s', (_, changes, waits) => {
    expect(waitsByItself(troubleOf(changes))).toBe(waits);
  });

  test('beside a worker the advice is retry and says when it tries by itself, else it is the next run', () => {
    const retryAt = new Date('2026-01-02T00:05:00Z');
    const beside = troubleOf({ code: 'breaker-open', ...{ retryAt: retryAt as never } });
    expect(hintCommands(beside, null)).toEqual([['retry']]);
    expect(triesAgain(beside, PLAIN_WORDS.when)).toBe(
      'The worker tries again at 2026-01-02T00:05:00.000Z. Earlier:',
    );
    const alone = troubleOf({ code: 'breaker-open' }, false);
    expect(hintCommands(alone, null)).toEqual([['run']]);
    expect(triesAgain(alone, PLAIN_WORDS.when)).toBeNull();
  });
});

test('an outage begins with its first failure, whatever was tried since, and ends with an answer', () => {
  const limits = { breakerAfter: 10, maxPauseMs: 60_000, baseDelayMs: 1_000 };
  const failed = {
    kind: 'deferred',
    message: 'HTTP 503',
    statusCode: 503,
    known: true,
  } as unknown as Judgement;
  const accepted = { kind: 'accepted' } as unknown as Judgement;
  const at = (condition: AreaCondition, judgement: Judgement, now: number) =>
    nextCondition(condition, judgement, limits, now);
  const down = at(at(OPEN_AREA, failed, 100), failed, 900);
  expect(down.failingFrom).toBe(100);
  expect(at(down, accepted, 1_000).failingFrom).toBeNull();
});

describe('a hold', () => {
  const whose = {
    entity: 'companies',
    parents: 170,
    count: 641,
    most: { name: 'PT Maju', count: 630 },
  } as const;
  const sentence = (changes: object, language: 'en' | 'id' = 'en') => {
    const hold = { ...HOLD, whose: { ...whose, ...changes } };
    const [held] = findTroubles(facts({ entities: [company({}, { hold })] }));
    return describeTrouble(held!, language, PLAIN_WORDS).sentence;
  };

  test.each([
    ['most are of one', {}, '630 of these 641 are of PT Maju.', '630 dari 641 milik PT Maju.'],
    ['all are of one', { parents: 1 }, 'All of them are of PT Maju.', 'Semuanya milik PT Maju.'],
    [
      'of many',
      { most: { name: 'PT Maju', count: 9 } },
      'They are of 170 companies.',
      'Milik 170 companies.',
    ],
    [
      'a name that may not be said',
      { most: { name: null, count: 630 } },
      '630 of these 641 are of 1 company.',
      '630 dari 641 milik satu companies.',
    ],
  ])('says whose the records are: %s', (_, changes, en, id) => {
    expect(sentence(changes)).toContain(en);
    expect(sentence(changes, 'id')).toContain(id);
  });

  test('by another source says what an approval would overwrite, also where that alone would not hold', () => {
    const limits = {
      maxVanishedPercent: 10,
      maxVanishedCount: 1_000,
      maxInvalidPercent: 50,
      maxChangedPercent: 50,
    };
    const none = { settledAnew: 0, newlyInvalid: 0, mayBeEmpty: false };
    const findings = { ...none, read: 2_000, known: 2_000, vanished: 0, rewritten: 44 };
    expect(
      judgeGuards({ ...findings, otherSource: { id: 'b', message: 'Another.' } }, limits, null),
    ).toMatchObject({
      guard: 'other-source',
      counts: { rewritten: 44 },
    });
    expect(judgeGuards(findings, limits, null)).toBeNull();
  });
});

test.each([
  ['complete', 0, 0, 'done'],
  ['partial', 3, 20, 'done, 20 need correction'],
  ['partial', 3, 1, 'done, 1 needs correction'],
  ['partial', 0, 0, 'done, a later run sends the rest'],
  ['held', 4, 0, 'held'],
])('%s with exit code %d is said as %s', (outcome, exitCode, count, text) => {
  expect(outcomeText(outcome, exitCode, count)).toBe(text);
});
