import { expect, test } from 'vitest';
import type { AreaState } from '../../../src/ports/queue.js';
import { areaFacts } from '../../../src/sync/troubles.js';

const FIRST_FAILURE = new Date('2026-01-01T08:00:00Z');
const STOPPED = new Date('2026-01-01T09:00:00Z');

const stopped = (code: 'breaker-open' | 'long-pause', failingSince: Date | null): AreaState => ({
  area: 'jobs',
  failuresInARow: 3,
  failingSince,
  answeredAt: null,
  pause: null,
  lastError: null,
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
