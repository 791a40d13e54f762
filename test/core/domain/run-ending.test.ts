import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decidingError, type RunEnding, runVerdict } from '../../../src/core/domain/run-ending.js';
import { describeEnding } from '../../../src/features/troubles/describe-ending.js';
import { findTroubles } from '../../../src/core/domain/trouble/find-troubles.js';
import type { TroubleFacts } from '../../../src/core/domain/trouble/trouble.js';
import {
  company,
  EVERYTHING_WRONG,
  facts,
  HOLD,
  PUSH_HOLD,
  run,
  vacancy,
} from '../../features/troubles/sample-facts.js';

describe('run ending', () => {
  const PART = { error: null, held: false, waiting: 0, pending: 0, deferred: 0 };
  const REFUSED = { code: 'authentication-refused', message: 'HTTP 401: bad signature. Check the secret.' };
  const AWAY = { code: 'source-unavailable', message: 'The source database db/hr cannot be reached.' };

  /** An area stopped with this while companies had something to send. */
  const stopped = (code: string, message: string, left: Partial<typeof PART>): Partial<RunEnding> => ({
    outcome: 'aborted',
    exitCode: 5,
    entities: { companies: { ...PART, error: { code, message }, ...left } },
  });

  function run(changes: Partial<RunEnding>): RunEnding {
    return { outcome: 'complete', exitCode: 0, error: null, entities: { companies: PART }, ...changes };
  }

  test.each<[string, Partial<RunEnding>, string | null]>([
    ['a run under way', { outcome: null, exitCode: null }, null],
    ['a complete run', {}, 'Complete.'],
    ['a run that leaves something over', { outcome: 'partial' }, 'Done. A later run sends the rest.'],
    ['a run with wrong records', { outcome: 'partial', exitCode: 3 }, 'Done. 18 records need correction.'],
    [
      'a held run',
      { outcome: 'held', exitCode: 4, entities: { companies: { ...PART, held: true }, vacancies: PART } },
      'Done. A guard holds companies.',
    ],
    [
      'refused credentials',
      {
        outcome: 'aborted',
        exitCode: 5,
        entities: {
          companies: { ...PART, error: REFUSED, pending: 2, deferred: 1 },
          vacancies: { ...PART, error: REFUSED, waiting: 3 },
        },
      },
      'Stopped: the platform refused our credentials (HTTP 401). 3 records are waiting to be sent, 3 more for their parents.',
    ],
    [
      'a web page from the edge',
      stopped('authentication-refused', 'Refused (HTTP 403: a web page titled "Blocked")', {}),
      'Stopped: a web page answered in place of the platform (HTTP 403).',
    ],
    [
      'a platform that speaks of a web page',
      stopped('same-refusal', 'HTTP 422: siteUrl must be a web page', {}),
      'Stopped: the platform refuses everything for the same reason (HTTP 422).',
    ],
    [
      'a platform that is down',
      stopped('breaker-open', 'One request failed; the last one: Not reached: x (Y)', { pending: 1 }),
      'Stopped: one request failed; the last one: Not reached: x (Y). One record is waiting to be sent.',
    ],
    [
      'replies that are not understood',
      stopped(
        'reply-not-understood',
        '6 replies in a row; the last one: HTTP 200 was not understood: data is missing. Set x.',
        { deferred: 6 },
      ),
      "Stopped: the platform's replies are not understood (HTTP 200). 6 records are waiting to be sent.",
    ],
    [
      'a signal',
      { outcome: 'aborted', exitCode: 1, entities: { companies: { ...PART, pending: 4 } } },
      'Stopped by a signal. 4 records are waiting to be sent.',
    ],
    [
      'a process that died',
      { outcome: 'aborted', exitCode: 1, error: { code: 'interrupted', message: 'The process died.' } },
      'The process died.',
    ],
    [
      'an unreachable source, and refused credentials',
      {
        outcome: 'failed',
        exitCode: 1,
        entities: {
          companies: { ...PART, error: AWAY },
          vacancies: { ...PART, error: AWAY },
          institutions: { ...PART, error: REFUSED },
        },
      },
      'Failed: companies and vacancies could not be read. The source cannot be reached. Sending stopped, too: the platform refused our credentials (HTTP 401).',
    ],
    [
      'a lost lease',
      {
        outcome: 'failed',
        exitCode: 1,
        error: { code: 'lease-lost', message: 'The process lost the lease' },
      },
      'Failed: The process lost the lease.',
    ],
  ])('%s says why it ended so', (_, changes, text) => {
    expect(describeEnding(run(changes), 18)).toBe(text);
  });

  test('only a run that a signal ended says that a signal ended it', () => {
    const endings = [1, 3, 4, 5].flatMap((exitCode) =>
      ['complete', 'partial', 'held', 'failed'].map((outcome) =>
        describeEnding(run({ outcome, exitCode, entities: { companies: { ...PART, error: REFUSED } } })),
      ),
    );
    expect(endings.join('\n')).not.toMatch(/signal/);
  });

  test('the error that decided the outcome is the run’s own, else that of an entity or an area', () => {
    const entities = { companies: { ...PART, error: REFUSED }, vacancies: { ...PART, error: AWAY } };
    const own = { code: 'state-unavailable', message: 'gone' };
    expect(decidingError(run({ exitCode: 1, error: own, entities }))).toEqual(own);
    expect(decidingError(run({ exitCode: 1, entities }))).toEqual(AWAY);
    expect(decidingError(run({ exitCode: 5, entities }))).toEqual(REFUSED);
    expect(decidingError(run({}))).toBeNull();
  });
});

describe('run verdict', () => {
  const rejected = company({ rejected: 1 });
  const held = company({ rejected: 1 }, { hold: HOLD });

  test.each<[string, Partial<TroubleFacts>, number, string]>([
    ['nothing', {}, 0, 'complete'],
    ['rejected records', { entities: [rejected] }, 3, 'partial'],
    ['invalid records', { entities: [company({ invalid: 1 })] }, 3, 'partial'],
    ['parents that do not come', { entities: [vacancy({ waiting: 1, blocked: 1 })] }, 3, 'partial'],
    [
      'parents that are held elsewhere',
      { entities: [vacancy({ waiting: 1, blocked: 1 }, true)] },
      0,
      'complete',
    ],
    ['a hold', { entities: [held] }, 4, 'held'],
    ['a push that is held', { entities: [company({}, { pushHold: PUSH_HOLD })] }, 4, 'held'],
    ['a stopped area', { entities: [held], run: run({ companies: 'breaker-open' }) }, 5, 'aborted'],
    ['refused credentials', { run: run({ companies: 'authentication-refused' }) }, 5, 'aborted'],
    [
      'a failed query beside a stopped area',
      { entities: [held, vacancy({})], run: run({ companies: 'query-failed', vacancies: 'breaker-open' }) },
      1,
      'failed',
    ],
    [
      'a signal',
      { entities: [held], run: run({ companies: 'query-failed' }, { interrupted: true }) },
      1,
      'aborted',
    ],
    ['what changes no exit code', { idle: true }, 0, 'complete'],
    ['records that are put off', { entities: [company({ deferred: 1 })] }, 0, 'complete'],
  ])('%s: a run ends with exit code and outcome', (_, changes, exitCode, outcome) => {
    expect(runVerdict(findTroubles(facts(changes)), false)).toEqual({ exitCode, outcome });
  });

  test('what is left over makes a run partial that is otherwise complete, and changes no exit code', () => {
    expect(runVerdict([], true)).toEqual({ exitCode: 0, outcome: 'partial' });
    for (const changes of [{}, { entities: [rejected] }, { entities: [held] }]) {
      const troubles = findTroubles(facts(changes));
      expect(runVerdict(troubles, true).exitCode).toBe(runVerdict(troubles, false).exitCode);
    }
  });

  test('the exit code follows from which troubles there are: neither their order nor one more makes it better', () => {
    const all = EVERYTHING_WRONG.flatMap(findTroubles);
    const rank = (code: number) => [0, 3, 4, 5, 1].indexOf(code);
    fc.assert(
      fc.property(
        fc.subarray(all),
        fc.constantFrom(...all),
        fc.infiniteStream(fc.nat()),
        (some, more, random) => {
          const { exitCode } = runVerdict(some, false);
          const order = new Map(some.map((one) => [one, random.next().value as number]));
          const shuffled = some.toSorted((one, other) => (order.get(one) ?? 0) - (order.get(other) ?? 0));
          expect(runVerdict(shuffled, false).exitCode).toBe(exitCode);
          expect(rank(runVerdict([...some, more], false).exitCode)).toBeGreaterThanOrEqual(rank(exitCode));
        },
      ),
    );
  });
});
