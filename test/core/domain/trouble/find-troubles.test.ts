import { describe, expect, it, test } from 'vitest';
import { findTroubles, possibleTroubles } from '../../../../src/core/domain/trouble/find-troubles.js';
import {
  type AreaFacts,
  isHeld,
  type RunFacts,
  TROUBLE_KINDS,
  type TroubleFacts,
  type TroubleKind,
} from '../../../../src/core/domain/trouble/trouble.js';
import {
  company,
  EVERYTHING_WRONG,
  facts,
  FOREIGN_WORDS,
  HOLD,
  PUSH_HOLD,
  reason,
  run,
  SECRET_KEY,
  vacancy,
  YESTERDAY,
} from '../../../features/troubles/sample-facts.js';

const kinds = (of: TroubleFacts) => findTroubles(of).map(({ kind }) => kind);

function stoppedArea(code: string, changes: Partial<AreaFacts> = {}): AreaFacts {
  const stop = { code, message: FOREIGN_WORDS, hint: 'Check it.', retryAt: null, since: YESTERDAY };
  return { area: 'jobs', stop, credentials: 'unknown', refusedCause: null, ...changes };
}

const REFUSED: Partial<AreaFacts> = {
  credentials: 'refused',
  refusedCause: { hint: 'Check the clock.', cause: null },
};
const NO_REASONS = { rejected: [], invalid: { codes: [], others: [], onlyCodes: 0 }, blocked: [] };
const codes = (onlyCodes: number, others = [reason('required', 'name')]) => ({
  ...NO_REASONS,
  invalid: { codes: [reason('unmapped', 'industry')], others, onlyCodes },
});

/** A run with these counts of companies. */
const sending = (counts: Partial<RunFacts['entities'][string]>) =>
  run(
    {},
    { entities: { companies: { error: null, sent: 0, accepted: 0, rejected: 0, deferred: 0, ...counts } } },
  );

test.each<[string, Partial<TroubleFacts>, TroubleKind[]]>([
  ['nothing', {}, []],
  ['a worker that does not work', { idle: true }, ['standstill']],
  [
    'webhooks that were refused',
    {
      refusedWebhooks: {
        count: 1,
        since: YESTERDAY,
        lastAt: YESTERDAY,
        reason: 'signature',
        offsetMs: null,
      },
    },
    ['webhook-refused'],
  ],
  ['a signal', { run: run({}, { interrupted: true }) }, ['interrupted']],
  [
    'a run that a lost lease ended',
    { run: run({}, { error: { code: 'lease-lost', message: '' } }) },
    ['run-failed'],
  ],
  [
    'what a signal cut off is no failure of its own',
    { run: run({}, { interrupted: true, error: { code: 'interrupted', message: '' } }) },
    ['interrupted'],
  ],
  ['more sent than answers', { run: sending({ sent: 2, accepted: 1 }) }, ['run-failed']],
  ['more answers than sent', { run: sending({ sent: 1, accepted: 1, deferred: 1 }) }, ['run-failed']],
  [
    'as many answers of every kind as sent',
    { run: sending({ sent: 6, accepted: 1, rejected: 2, deferred: 3 }) },
    [],
  ],
  [
    'credentials that are refused',
    { areas: [stoppedArea('authentication-refused', REFUSED)] },
    ['auth-refused'],
  ],
  [
    'an area that is stopped',
    { entities: [company({ pending: 1 })], areas: [stoppedArea('breaker-open')] },
    ['area-stopped'],
  ],
  ['a silent area to which there is nothing to send', { areas: [stoppedArea('breaker-open')] }, []],
  [
    'an area that redirects, also when there is nothing to send',
    { areas: [stoppedArea('redirected')] },
    ['area-stopped'],
  ],
  [
    'credentials that were refused before another stop',
    { entities: [company({ pending: 1 })], areas: [stoppedArea('breaker-open', REFUSED)] },
    ['auth-refused', 'area-stopped'],
  ],
  ['an area that is sent to again', { areas: [stoppedArea('', { stop: null })] }, []],
  [
    'credentials that the run said were refused',
    { run: run({ companies: 'authentication-refused' }) },
    ['auth-refused'],
  ],
  ['a stop that the run met', { run: run({ companies: 'long-pause' }) }, ['area-stopped']],
  [
    'what the run met is over when this process has seen otherwise',
    {
      run: run({ companies: 'long-pause' }),
      areas: [stoppedArea('', { stop: null, credentials: 'accepted' })],
    },
    [],
  ],
  ['a state that went back', { entities: [company({}, { inDoubtSince: YESTERDAY })] }, ['in-doubt']],
  [
    'records that a read-back found to differ',
    { entities: [company({}, { drift: { count: 2, since: YESTERDAY, sampleKeys: ['a', 'b'] } })] },
    ['drifted'],
  ],
  ['a sweep that is held', { entities: [company({}, { hold: HOLD })] }, ['held']],
  ['a push that is held', { entities: [company({}, { pushHold: PUSH_HOLD })] }, ['push-held']],
  ['both', { entities: [company({}, { hold: HOLD, pushHold: PUSH_HOLD })] }, ['held', 'push-held']],
  ['a query that fails', { run: run({ companies: 'query-failed' }) }, ['failed']],
  ['no success for a day', { entities: [company({}, { lastSuccessAt: YESTERDAY })] }, ['stale']],
  [
    'where nobody judges it',
    { staleAfterMs: null, entities: [company({}, { lastSuccessAt: YESTERDAY })] },
    [],
  ],
  [
    'never a success, and nothing read for a day',
    { entities: [company({}, { lastSuccessAt: null, lastSweepAt: YESTERDAY })] },
    ['stale'],
  ],
  ['one that is new', { entities: [company({}, { lastSuccessAt: null, lastSweepAt: null })] }, []],
  ['records that were rejected', { entities: [company({ rejected: 1 })] }, ['rejected']],
  [
    'records that were accepted, and removed later',
    { entities: [company({ rejected: 1, atPlatform: { removed: 1, pending: 3 } })] },
    ['taken-down'],
  ],
  [
    'some of each',
    { entities: [company({ rejected: 3, atPlatform: { refused: 1, removed: 1 } })] },
    ['rejected', 'taken-down'],
  ],
  ['records that are invalid', { entities: [company({ invalid: 1 })] }, ['invalid']],
  ['codes without id alone', { entities: [company({ invalid: 2 }, {}, codes(2))] }, ['unmapped']],
  ['codes and other errors', { entities: [company({ invalid: 3 }, {}, codes(2))] }, ['unmapped', 'invalid']],
  ['parents that do not come', { entities: [vacancy({ waiting: 3, blocked: 2 })] }, ['blocked']],
  ['parents that come', { entities: [vacancy({ waiting: 3 })] }, []],
  ['records that are put off', { entities: [company({ deferred: 1 })] }, ['deferred']],
  [
    'records that are put off because their area does not answer',
    { entities: [company({ deferred: 1 })], areas: [stoppedArea('breaker-open')] },
    ['area-stopped'],
  ],
  ['what is to be sent', { entities: [company({ pending: 5 })] }, []],
  ['records that nobody counted', { entities: [{ ...company(), counts: null }] }, []],
])('%s: %o', (_, changes, expected) => {
  expect(kinds(facts(changes))).toEqual(expected);
});

describe('of a trouble the list says', () => {
  const first = (changes: Partial<TroubleFacts>) => findTroubles(facts(changes))[0];

  it('which records, how many, and since when', () => {
    expect(first({ entities: [company({}, { hold: HOLD })] })).toMatchObject({
      subject: { entity: 'companies' },
      count: 6,
      sampleKeys: [SECRET_KEY],
      since: YESTERDAY,
      approved: false,
    });
    const reasons = { ...NO_REASONS, rejected: [reason('refused')] };
    expect(first({ entities: [company({ rejected: 9 }, {}, reasons)] })).toMatchObject({
      count: 9,
      sampleKeys: [SECRET_KEY],
      reasons: reasons.rejected,
    });
    expect(
      first({ entities: [company({ invalid: 5 }, {}, codes(0, []))] }),
      'codes, not records',
    ).toMatchObject({ kind: 'unmapped', count: 1 });
  });

  it('how much is left to send to an area that is stopped', () => {
    const entities = [company({ pending: 2, deferred: 1 }), vacancy({ waiting: 5, blocked: 1 })];
    expect(first({ entities, areas: [stoppedArea('breaker-open')] })).toMatchObject({
      subject: { area: 'jobs' },
      count: 7,
      since: YESTERDAY,
      message: FOREIGN_WORDS,
      hint: null,
    });
    expect(first({ areas: [stoppedArea('redirected')] }), 'a hint that names the cause').toMatchObject({
      hint: 'Check it.',
    });
  });

  it('whether what is held was approved: in all that the guard counted', () => {
    const approved = (vanished: number, invalid: number) =>
      first({ entities: [company({}, { hold: HOLD, approval: { vanished, invalid } })] });
    expect(approved(5, 1)).toMatchObject({ approved: true });
    expect(approved(4, 1)).toMatchObject({ approved: false });
    expect(approved(5, 0)).toMatchObject({ approved: false });
  });

  it('whether the parents are kept back: held, or not read', () => {
    const blocked = (parentHeld: boolean, error?: string) =>
      findTroubles(
        facts({
          entities: [vacancy({ waiting: 1, blocked: 1 }, parentHeld)],
          run: run(error === undefined ? {} : { companies: error }),
        }),
      ).find(({ kind }) => kind === 'blocked');
    expect(blocked(false)).toMatchObject({ parent: 'companies', parentKeptBack: false });
    expect(blocked(true)).toMatchObject({ parentKeptBack: true });
    expect(blocked(false, 'query-failed')).toMatchObject({ parentKeptBack: true });
    expect(blocked(false, 'breaker-open')).toMatchObject({ parentKeptBack: false });
  });

  it('one thing of a state that went back, with all its entities', () => {
    const entities = [
      company({}, { inDoubtSince: YESTERDAY }),
      { ...company({}, { inDoubtSince: YESTERDAY }), name: 'trainings' as const },
      vacancy({}),
    ];
    expect(findTroubles(facts({ entities }))).toMatchObject([
      { kind: 'in-doubt', since: YESTERDAY, entities: [{ entity: 'companies' }, { entity: 'trainings' }] },
    ]);
  });

  it('why an entity is stale', () => {
    const stale = (changes: Partial<TroubleFacts>) =>
      possibleTroubles(facts(changes)).find(({ kind }) => kind === 'stale');
    expect(stale({})).toMatchObject({ afterMs: 3_600_000, held: false, lastErrorCode: null });
    expect(stale({ entities: [company({}, { pushHold: PUSH_HOLD })] })).toMatchObject({ held: true });
    expect(stale({ run: run({ companies: 'null-key' }) })).toMatchObject({ lastErrorCode: 'null-key' });
    expect(stale({ run: run({}, { error: { code: 'lease-lost', message: '' } }) })).toMatchObject({
      lastErrorCode: 'lease-lost',
    });
  });
});

test('an entity is held by either hold, and only by its own', () => {
  const held = (state: Parameters<typeof company>[1]) =>
    isHeld(findTroubles(facts({ entities: [company({}, state), vacancy({})] })), 'companies');
  expect([held({}), held({ hold: HOLD }), held({ pushHold: PUSH_HOLD })]).toEqual([false, true, true]);
  const both = findTroubles(facts({ entities: [company({}, { hold: HOLD }), vacancy({})] }));
  expect(isHeld(both, 'vacancies')).toBe(false);
});

test('the samples of the other tests hold every kind', () => {
  const found = EVERYTHING_WRONG.flatMap(kinds);
  expect(Object.keys(TROUBLE_KINDS).filter((kind) => !found.includes(kind as TroubleKind))).toEqual([]);
});
