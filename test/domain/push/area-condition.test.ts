import { describe, expect, test } from 'vitest';
import {
  type AreaCondition,
  endCondition,
  nextCondition,
  OPEN_AREA,
} from '../../../src/domain/area-condition.js';
import type { Judgement } from '../../../src/domain/reply/reply.js';

const LIMITS = { breakerAfter: 3, maxPauseMs: 60_000, baseDelayMs: 1_000 };
const ACCEPTED: Judgement = {
  kind: 'accepted',
  reference: 'r',
  remoteId: 'i',
  details: null,
  statusCode: 200,
};
const REFUSED: Judgement = { kind: 'refused', statusCode: 422, message: 'no', issues: [] };
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
    expect(nextCondition(freed, paused(1_000), LIMITS, 6_000)).toMatchObject({ pausesInARow: 1, stop: null });
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
