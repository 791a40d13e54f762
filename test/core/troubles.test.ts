import { describe, expect, test } from 'vitest';
import type { SyncEvent } from '../../src/core/domain/events.js';
import type { AreaState } from '../../src/core/ledger/queue/area-states.js';
import { areaFacts } from '../../src/core/run/troubles.js';
import { createAreaWatch } from '../../src/features/notices/area-watch.js';

describe('area facts', () => {
  const FIRST_FAILURE = new Date('2026-01-01T08:00:00Z');
  const STOPPED = new Date('2026-01-01T09:00:00Z');

  const stopped = (code: 'breaker-open' | 'long-pause', failingSince: Date | null): AreaState => ({
    area: 'jobs',
    failuresInARow: 3,
    failingSince,
    retryAt: null,
    answeredAt: null,
    pause: null,
    lastError: null,
    learnedRate: null,
    platformVersion: null,
    stop: { code, message: '', hint: '', since: STOPPED },
  });

  test.each([
    ['a silent area since its first failure', 'breaker-open', FIRST_FAILURE, FIRST_FAILURE],
    ['a silent area whose failures are not known since it stopped', 'breaker-open', null, STOPPED],
    ['any other stop since it stopped', 'long-pause', FIRST_FAILURE, STOPPED],
  ] as const)('%s', (_, code, failingSince, since) => {
    expect(areaFacts(stopped(code, failingSince)).stop?.since).toEqual(since);
  });

  test('an area that is not stopped has no stop, however often it failed', () => {
    expect(areaFacts({ ...stopped('breaker-open', FIRST_FAILURE), stop: null }).stop).toBeNull();
  });
});

describe('area watch', () => {
  const NOW = 1_000_000;
  const stopped = (code: 'authentication-refused' | 'breaker-open'): SyncEvent => ({
    type: 'area-stopped',
    area: 'jobs',
    code,
    message: 'the words of the platform',
    hint: 'Check it.',
  });
  const sent = (outcome: 'accepted' | 'refused' | 'deferred' | 'handed-back'): SyncEvent => ({
    type: 'record-sent',
    area: 'jobs',
    entity: 'companies',
    key: '1',
    outcome,
    statusCode: 200,
    message: null,
  });
  const STANDBY: SyncEvent = { type: 'worker-standby', holder: 'another', secondsLeft: 9, own: false };

  /** What is known of our credentials and of the stop: `refused (Check it.), authentication-refused`. */
  function known(events: readonly SyncEvent[]): string {
    const watch = createAreaWatch({ now: () => NOW });
    events.forEach((event) => watch.note(event));
    const [area] = watch.known();
    if (!area) return 'nothing';
    const { credentials, refusedCause, stop } = area;
    return [
      `${credentials}${refusedCause === null ? '' : ` (${refusedCause.hint})`}`,
      stop?.code ?? 'sent to',
    ].join(', ');
  }

  test.each<[string, SyncEvent[], string]>([
    ['nothing is known before a reply', [], 'nothing'],
    [
      'a stop for another reason says nothing of credentials',
      [stopped('breaker-open')],
      'unknown, breaker-open',
    ],
    ['a record without a verdict says nothing', [sent('deferred'), sent('handed-back')], 'nothing'],
    [
      '401 and 403 say that we are refused',
      [stopped('authentication-refused')],
      'refused (Check it.), authentication-refused',
    ],
    [
      'a breaker does not take that back',
      [stopped('authentication-refused'), stopped('breaker-open')],
      'refused (Check it.), breaker-open',
    ],
    ['an acceptance does', [stopped('authentication-refused'), sent('accepted')], 'accepted, sent to'],
    [
      'so does the refusal of a record',
      [stopped('authentication-refused'), sent('refused')],
      'accepted, sent to',
    ],
    [
      'a stop after an acceptance keeps that',
      [sent('accepted'), stopped('breaker-open')],
      'accepted, breaker-open',
    ],
    ['a standby knows nothing any more', [stopped('authentication-refused'), STANDBY], 'nothing'],
  ])('%s', (_, events, expected) => {
    expect(known(events)).toBe(expected);
  });

  test('reports whether something is known now of our credentials that was not before', () => {
    const watch = createAreaWatch({ now: () => NOW });
    const events = [
      sent('accepted'),
      sent('accepted'),
      stopped('breaker-open'),
      stopped('authentication-refused'),
      stopped('authentication-refused'),
    ];
    expect(events.map((event) => watch.note(event))).toEqual([true, false, false, true, false]);
  });

  test('remembers since when an area is stopped, and when it is tried again', () => {
    let now = NOW;
    const watch = createAreaWatch({ now: () => now });
    watch.note({ type: 'area-retry', area: 'jobs', delayMs: 5_000 });
    expect(watch.known(), 'an area that is not stopped is not tried again').toEqual([]);
    watch.note(stopped('breaker-open'));
    now += 60_000;
    watch.note(stopped('breaker-open'));
    watch.note({ type: 'area-retry', area: 'jobs', delayMs: 5_000 });
    expect(watch.known()).toMatchObject([
      { area: 'jobs', stop: { since: new Date(NOW), retryAt: new Date(NOW + 65_000) } },
    ]);
  });
});
