import { describe, expect, it, test } from 'vitest';
import {
  type Approvable,
  approvalConsequences,
  judgeGuards,
  type VanishedSettings,
} from '../../../src/core/domain/guard.js';
import {
  otherSource,
  refuseLag,
  sightToKeep,
  type SourceOrigin,
  type SourceSight,
} from '../../../src/core/domain/source-sight.js';
import { type Language, LANGUAGES } from '../../../src/core/domain/names.js';
import { describeConsequences } from '../../../src/features/troubles/consequences.js';
import { PLAIN_WORDS } from '../../../src/features/troubles/describe-trouble.js';

describe('an approval', () => {
  const gone = (vanished: number, invalid = 0): Approvable => ({ sweep: { vanished, invalid }, push: null });
  const under = (onVanished: VanishedSettings['onVanished'], closedStatus = 'closed') => ({
    onVanished,
    closedStatus,
  });

  /** What a person reads about vacancies. */
  const said = (held: Approvable, settings: VanishedSettings | null, language: Language = 'en') =>
    describeConsequences(approvalConsequences(held, settings), 'vacancies', language, PLAIN_WORDS);

  it.each([
    ['closes', gone(151), under('close'), ['151 vacancies will be CLOSED at the platform.']],
    [
      'closes with another status',
      gone(1_510),
      under('close', 'filled'),
      ['1,510 vacancies will be CLOSED at the platform (status "filled").'],
    ],
    ['closes one', gone(1), under('close'), ['1 record of vacancies will be CLOSED at the platform.']],
    ['deletes', gone(2), under('delete'), ['2 vacancies will be DELETED at the platform.']],
    [
      'only marks',
      gone(151),
      under('report'),
      ['151 vacancies will only be marked as vanished: nothing is sent, and the platform keeps them.'],
    ],
    ['does nothing to what is ignored', gone(151), under('ignore'), []],
    [
      'marks as invalid what became so',
      gone(0, 40),
      under('close'),
      ['40 vacancies will be marked as invalid: nothing more is sent, and the platform keeps what it holds.'],
    ],
    [
      'overwrites what changed',
      { sweep: { vanished: 0, invalid: 0, changed: 120 }, push: null },
      under('close'),
      ['120 vacancies will be OVERWRITTEN at the platform with other content.'],
    ],
    [
      'creates again what has a new key',
      { sweep: { vanished: 194, invalid: 0, renewed: 194 }, push: null },
      under('close'),
      [
        '194 vacancies with new keys will be CREATED at the platform. If the keys were renewed, each record is there twice then.',
        '194 vacancies will be CLOSED at the platform.',
      ],
    ],
    [
      'sends again what was rejected',
      { sweep: null, push: { rejected: 9 } },
      under('close'),
      ['9 rejected records of vacancies will be sent again.'],
    ],
    [
      'sends one again',
      { sweep: null, push: { rejected: 1 } },
      under('close'),
      ['1 rejected record of vacancies will be sent again.'],
    ],
    [
      'sends again what was not counted',
      { sweep: null, push: { rejected: null } },
      under('close'),
      ['The rejected records of vacancies will be sent again.'],
    ],
    [
      'takes another source, beside what it changes',
      { sweep: { vanished: 2, invalid: 0, source: 'x' }, push: null },
      under('close'),
      ['This source becomes the one of vacancies.', '2 vacancies will be CLOSED at the platform.'],
    ],
    ['says nothing of a policy that is not known', gone(151), null, []],
    ['does nothing to an entity that is not held', { sweep: null, push: null }, under('close'), []],
  ] satisfies [string, Approvable, VanishedSettings | null, string[]][])(
    '%s',
    (_name, held, settings, sentences) => {
      expect(said(held, settings)).toEqual(sentences);
    },
  );

  it('that does several things names each, what the platform sees first', () => {
    const both: Approvable = { sweep: { vanished: 2, invalid: 3 }, push: { rejected: 4 } };
    const does = approvalConsequences(both, under('close')).map((one) => one.does);
    expect(does).toEqual(['close', 'send-again', 'mark-invalid']);
  });

  it('is described in every language, each with its own words and every number', () => {
    const every: [Approvable, VanishedSettings][] = [
      [{ sweep: { vanished: 5, invalid: 6 }, push: { rejected: 7 } }, under('close', 'x')],
      [gone(5), under('delete')],
      [gone(5), under('report')],
      [{ sweep: { vanished: 5, invalid: 0, changed: 6, renewed: 7 }, push: null }, under('close')],
      [{ sweep: null, push: { rejected: null } }, under('report')],
      [{ sweep: { vanished: 0, invalid: 0, source: 'x' }, push: null }, under('report')],
    ];
    for (const [held, settings] of every) {
      const [english, ...others] = LANGUAGES.map((language) => said(held, settings, language));
      for (const other of others) {
        expect(other).toHaveLength(english?.length ?? 0);
        other.forEach((sentence, at) => {
          expect(sentence).not.toBe(english?.[at]);
          expect(sentence.match(/\d+/g)).toEqual(english?.[at]?.match(/\d+/g));
        });
      }
    }
  });

  it('names the entity as the middle of a sentence does, whatever its title', () => {
    const words = { ...PLAIN_WORDS, entity: () => 'Lowongan' };
    const [sentence] = describeConsequences(
      approvalConsequences(gone(3), under('close')),
      'vacancies',
      'id',
      words,
    );
    expect(sentence).toBe('3 lowongan akan DITUTUP di platform.');
  });
});

describe('the guards', () => {
  const LIMITS = {
    maxVanishedPercent: 10,
    maxVanishedCount: 1000,
    maxInvalidPercent: 50,
    maxChangedPercent: 50,
  };
  const QUIET = { read: 100, known: 100, vanished: 0, settledAnew: 0, newlyInvalid: 0, mayBeEmpty: false };

  test.each([
    ['nothing special', {}, null],
    ['as many vanished as permitted', { vanished: 10 }, null],
    ['one vanished too many', { vanished: 11 }, 'max-vanished-percent'],
    ['a large share of a handful', { read: 1, known: 4, vanished: 3 }, null],
    ['the same share from five records on', { read: 2, known: 5, vanished: 3 }, 'max-vanished-percent'],
    ['exactly as many of very many as permitted', { read: 99_000, known: 100_000, vanished: 1000 }, null],
    ['many of very many', { read: 98_000, known: 100_000, vanished: 1001 }, 'max-vanished-count'],
    ['an empty source', { read: 0, vanished: 100 }, 'empty-source'],
    ['an empty source with one known record', { read: 0, known: 1, vanished: 1 }, 'empty-source'],
    ['an empty source that may be empty', { read: 0, mayBeEmpty: true }, null],
    ['an empty source and an empty ledger', { read: 0, known: 0 }, null],
    ['half of the records invalid', { newlyInvalid: 50 }, null],
    ['more than half of them invalid', { newlyInvalid: 51 }, 'max-invalid-percent'],
    [
      'more than half of the known records invalid, among many new ones',
      { read: 1_000, newlyInvalid: 51 },
      'max-invalid-percent',
    ],
    [
      'half of the known records invalid, of which few are left',
      { read: 91, vanished: 9, newlyInvalid: 50 },
      null,
    ],
    ['a large share of a handful invalid', { read: 100, known: 4, newlyInvalid: 4 }, null],
    [
      'everything invalid at the first sweep',
      { known: 0, newlyInvalid: 0, newInvalid: 100, invalid: 100 },
      null,
    ],
    [
      'new rows that make more than half of all invalid',
      { read: 6_014, known: 1_409, newInvalid: 4_605, invalid: 4_616 },
      'max-invalid-percent',
    ],
    ['new rows that make half of all invalid', { read: 200, newInvalid: 100, invalid: 100 }, null],
    [
      'new invalid rows beside those that became so',
      { read: 150, newlyInvalid: 30, newInvalid: 46, invalid: 76 },
      'max-invalid-percent',
    ],
    ['most invalid as before', { knownInvalid: 77, invalid: 77 }, null],
    [
      'most invalid as before, and some more',
      { read: 103, newInvalid: 3, newlyInvalid: 9, invalid: 89 },
      null,
    ],
    [
      'half invalid as before, and one more',
      { read: 101, newInvalid: 1, invalid: 51 },
      'max-invalid-percent',
    ],
    ['new invalid rows beside a handful', { read: 40, known: 4, newInvalid: 36, invalid: 36 }, null],
    ['half of the records changed', { rewritten: 50 }, null],
    ['more than half of them changed', { rewritten: 51 }, 'max-changed-percent'],
    [
      'half of the valid records changed, and the others were invalid',
      { rewritten: 10, knownInvalid: 80 },
      null,
    ],
    [
      'more than half of the valid records changed, and the others were invalid',
      { rewritten: 11, knownInvalid: 80 },
      'max-changed-percent',
    ],
    ['all of a few valid records changed', { rewritten: 19, knownInvalid: 81 }, null],
    [
      'all others changed, and the rest turned invalid or vanished within the limits',
      { read: 970, known: 1000, vanished: 30, newlyInvalid: 480, rewritten: 490 },
      'max-changed-percent',
    ],
    ['half of those that stayed changed', { vanished: 10, newlyInvalid: 30, rewritten: 30 }, null],
    [
      'more than half of those that stayed changed',
      { vanished: 10, newlyInvalid: 30, rewritten: 31 },
      'max-changed-percent',
    ],
    [
      'more than half of those that stayed changed, and the others had expired',
      { expired: 40, rewritten: 31 },
      'max-changed-percent',
    ],
    [
      'more than half of those that stayed changed, and the others are gone and ignored',
      { validGone: 40, rewritten: 31 },
      'max-changed-percent',
    ],
    [
      'half of those that stayed changed, and those that vanished were invalid before',
      { knownInvalid: 40, vanished: 10, validGone: 0, rewritten: 30 },
      null,
    ],
    ['all of the few that stayed changed', { knownInvalid: 50, newlyInvalid: 31, rewritten: 19 }, null],
    [
      'all changed, and one field is all that did',
      { rewritten: 100, changedFields: [{ field: 'expire_at', count: 100, alone: 100 }] },
      null,
    ],
    [
      'all changed, and more than half in another field too',
      { rewritten: 100, changedFields: [{ field: 'expire_at', count: 100, alone: 49 }] },
      'max-changed-percent',
    ],
    [
      'all changed, and each half in another field',
      {
        rewritten: 100,
        changedFields: ['about', 'phone'].map((field) => ({ field, count: 49, alone: 49 })),
      },
      'max-changed-percent',
    ],
    [
      'all changed in the field that says which record it is',
      { rewritten: 100, changedFields: [{ field: 'name', count: 100, alone: 0 }] },
      'max-changed-percent',
    ],
    [
      'all that stayed changed in one field, and many keys came',
      { rewritten: 100, appeared: 60, changedFields: [{ field: 'about', count: 100, alone: 100 }] },
      'max-changed-percent',
    ],
    ['all of fewer than a hundred changed', { read: 99, known: 99, rewritten: 99 }, null],
  ] as const)('%s', (_name, findings, guard) => {
    expect(judgeGuards({ ...QUIET, ...findings }, LIMITS, null)?.guard ?? null).toBe(guard);
  });

  test('a hold for new invalid rows says how many, and an approval permits as many', () => {
    const findings = { ...QUIET, read: 6_014, known: 1_409, newInvalid: 4_605, invalid: 4_616 };
    expect(judgeGuards(findings, LIMITS, null)).toEqual({
      guard: 'max-invalid-percent',
      counts: { vanished: 0, invalid: 4_605 },
      message:
        '4,616 of 6,014 rows are invalid (76.8 %), 4,605 of them since the last sweep; guards.maxInvalidPercent is 50.',
    });
    expect(judgeGuards(findings, LIMITS, { vanished: 0, invalid: 4_605 })).toBeNull();
    const more = { ...findings, newInvalid: 4_606, invalid: 4_617 };
    expect(judgeGuards(more, LIMITS, { vanished: 0, invalid: 4_605 })?.guard).toBe('max-invalid-percent');
    const few = { ...QUIET, vanished: 40, newInvalid: 3, invalid: 3 };
    expect(
      judgeGuards(few, LIMITS, { vanished: 40, invalid: 0 }),
      'a few new ones need no approval',
    ).toBeNull();
  });

  test('an approval permits counts up to those it was given for', () => {
    const findings = { ...QUIET, vanished: 40 };
    expect(judgeGuards(findings, LIMITS, { vanished: 40, invalid: 0 })).toBeNull();
    expect(judgeGuards(findings, LIMITS, { vanished: 39, invalid: 0 })?.guard).toBe('max-vanished-percent');
    const invalid = { ...QUIET, vanished: 40, newlyInvalid: 60 };
    expect(judgeGuards(invalid, LIMITS, { vanished: 40, invalid: 59 })?.guard).toBe('max-vanished-percent');
    expect(judgeGuards(invalid, LIMITS, { vanished: 40, invalid: 60 })).toBeNull();
  });

  test('an empty source is permitted by its own approval alone, also where most of the ledger has expired', () => {
    const empty = { ...QUIET, read: 0, vanished: 10 };
    expect(judgeGuards(empty, LIMITS, { vanished: 12, invalid: 0 })?.guard).toBe('empty-source');
    const { counts } = judgeGuards(empty, LIMITS, null) ?? {};
    expect(judgeGuards(empty, LIMITS, counts ?? null)).toBeNull();
  });

  test('a hold says how many others had expired, which it does not count', () => {
    expect(judgeGuards({ ...QUIET, vanished: 20, expired: 7 }, LIMITS, null)?.message).toBe(
      '20 of 100 records vanished (20 %); guards.maxVanishedPercent is 10. Another 7 had expired, which the guard does not count.',
    );
    expect(judgeGuards({ ...QUIET, read: 0, vanished: 93, expired: 7 }, LIMITS, null)?.message).toBe(
      'The source has no rows, the ledger has 100, of which 7 had expired. An empty source is never applied.',
    );
  });

  test('records that vanished earlier and are settled anew are not among those that could turn invalid', () => {
    const lenient = { ...LIMITS, maxVanishedPercent: 100 };
    const findings = { ...QUIET, settledAnew: 100, newlyInvalid: 51 };
    expect(judgeGuards(findings, lenient, null)?.message).toBe(
      '51 of 100 records that were valid are invalid now (51 %); guards.maxInvalidPercent is 50.',
    );
  });

  test('what they say gives the counts and the setting that stopped the sweep', () => {
    expect(judgeGuards({ ...QUIET, known: 96, vanished: 11 }, LIMITS, null)).toEqual({
      guard: 'max-vanished-percent',
      counts: { vanished: 11, invalid: 0 },
      message: '11 of 96 records vanished (11.5 %); guards.maxVanishedPercent is 10.',
    });
  });

  test.each([
    [194, 194, true],
    [194, 97, true],
    [194, 388, true],
    [194, 96, false],
    [194, 0, false],
    [194, 389, false],
    [4, 4, false],
  ])(
    'of %i vanished records and %i new ones they ask whether keys were renewed: %s',
    (vanished, appeared, asks) => {
      const held = judgeGuards({ ...QUIET, known: 20, vanished, appeared }, LIMITS, null);
      const count = `${String(appeared)} new ones came: were the keys renewed? Approving creates all of them again.`;
      expect(held?.message.includes(count)).toBe(asks);
      expect(held?.counts.renewed).toBe(asks ? appeared : undefined);
    },
  );

  test('an approval allows as many changed records as it was given for, and any number of new ones', () => {
    const findings = { ...QUIET, vanished: 40, appeared: 40, rewritten: 60 };
    const { counts } = judgeGuards(findings, LIMITS, null) ?? {};
    expect(counts).toEqual({ vanished: 40, invalid: 0, changed: 60, renewed: 40 });
    expect(judgeGuards({ ...findings, appeared: 80 }, LIMITS, counts ?? null)).toBeNull();
    expect(judgeGuards({ ...findings, rewritten: 61 }, LIMITS, counts ?? null)).not.toBeNull();
    // Stored before there was this guard.
    expect(judgeGuards(findings, LIMITS, { vanished: 40, invalid: 0 })).not.toBeNull();
    expect(judgeGuards({ ...findings, rewritten: 20 }, LIMITS, { vanished: 40, invalid: 0 })).toBeNull();
  });

  test('those that vanished earlier and are settled anew count on both sides of a percentage', () => {
    const findings = { ...QUIET, known: 125, vanished: 5, settledAnew: 160 };
    expect(judgeGuards(findings, LIMITS, null)).toEqual({
      guard: 'max-vanished-percent',
      counts: { vanished: 165, invalid: 0 },
      message:
        '165 of 285 records vanished (57.9 %), 160 of them in earlier sweeps; guards.maxVanishedPercent is 10.',
    });
    expect(judgeGuards({ ...findings, known: 1000, settledAnew: 1001 }, LIMITS, null)?.message).toBe(
      '1,006 of 2,001 records vanished, 1,001 of them in earlier sweeps; guards.maxVanishedCount is 1000.',
    );
    expect(judgeGuards({ ...QUIET, known: 0, settledAnew: 5 }, LIMITS, null)?.message).toContain('(100 %)');
  });

  const OTHER = { id: 'b', message: 'Another database.' };

  test('another source holds a sweep in which nothing else is wrong, until it is approved', () => {
    const findings = { ...QUIET, otherSource: OTHER };
    const held = judgeGuards(findings, LIMITS, null);
    expect(held).toEqual({
      guard: 'other-source',
      counts: { vanished: 0, invalid: 0, source: 'b' },
      message: 'Another database.',
    });
    expect(judgeGuards(findings, LIMITS, held?.counts ?? null)).toBeNull();
    expect(
      judgeGuards({ ...findings, otherSource: { ...OTHER, id: 'c' } }, LIMITS, held?.counts ?? null),
    ).toMatchObject({
      guard: 'other-source',
    });
    expect(
      judgeGuards({ ...findings, vanished: 10 }, LIMITS, held?.counts ?? null),
      'within the limits',
    ).toBeNull();
  });

  test('neither an approval of counts allows another source, nor one of a source other counts', () => {
    const gone = { ...QUIET, vanished: 40 };
    const both = { ...gone, otherSource: OTHER };
    const approvedCounts = { vanished: 40, invalid: 0 };
    const approvedSource = { vanished: 0, invalid: 0, source: 'b' };
    expect(judgeGuards(both, LIMITS, approvedCounts)?.guard).toBe('other-source');
    expect(judgeGuards(both, LIMITS, approvedSource)).toMatchObject({
      guard: 'max-vanished-percent',
      counts: { vanished: 40, source: 'b' },
    });
    expect(judgeGuards(both, LIMITS, { ...approvedCounts, source: 'b' })).toBeNull();
    expect(judgeGuards(gone, LIMITS, approvedSource)?.guard).toBe('max-vanished-percent');
  });

  test('a hold of another source says what else would be held', () => {
    expect(judgeGuards({ ...QUIET, vanished: 40, otherSource: OTHER }, LIMITS, null)).toEqual({
      guard: 'other-source',
      counts: { vanished: 40, invalid: 0, source: 'b' },
      message: 'Another database. 40 of 100 records vanished (40 %); guards.maxVanishedPercent is 10.',
    });
  });
});

describe('the source of before', () => {
  const KNOWN: SourceOrigin = {
    system: '71',
    database: 'hr',
    databaseOid: '16384',
  };

  test.each<[string, Partial<SourceOrigin>, Partial<SourceOrigin>, string | null]>([
    ['itself, also as a replica or under another host name', {}, {}, null],
    [
      'another server',
      {},
      { system: '72' },
      'Another server than before: its system identifier is 72 instead of 71 (database "hr").',
    ],
    [
      'another server and database',
      {},
      { system: '72', database: 'staging' },
      'Another server than before: its system identifier is 72 instead of 71 (database "staging", before "hr").',
    ],
    [
      'another database of the server',
      {},
      { database: 'staging', databaseOid: '16400' },
      'Another database than before: "staging" instead of "hr" (oid 16400 instead of 16384).',
    ],
    [
      'the database restored under its name',
      {},
      { databaseOid: '16400' },
      'Another database than before: "hr" was created again (oid 16400 instead of 16384).',
    ],
    ['the database under another name', {}, { database: 'hr_new' }, null],
    ['a server that no longer shows its number', {}, { system: null }, null],
    ['a server that shows its number for the first time', { system: null }, {}, null],
    [
      'another name where the number of the server is not known',
      { system: null },
      { database: 'staging' },
      'Another database than before: "staging" instead of "hr".',
    ],
  ])('%s', (_name, before, now, message) => {
    expect(otherSource({ ...KNOWN, ...before }, { ...KNOWN, ...now })?.message ?? null).toBe(message);
  });

  test('where one of both is not known, nothing is said', () => {
    expect(otherSource(null, KNOWN)).toBeNull();
    expect(otherSource(KNOWN, null)).toBeNull();
  });

  test('each other source has its own name, and the same one always the same', () => {
    const server = { system: '72' };
    const others = [server, { databaseOid: '1' }, { ...server, databaseOid: '1' }];
    const ids = () => others.map((other) => otherSource(KNOWN, { ...KNOWN, ...other })?.id);
    expect(new Set(ids()).size).toBe(others.length);
    expect(ids()).toEqual(ids());
  });

  test('what cannot be read for once stays known, but not of another source', () => {
    const sight = (origin: SourceOrigin | null): SourceSight => ({ origin, replica: null });
    const hidden = { ...KNOWN, system: null };
    expect(sightToKeep(sight(KNOWN), sight(hidden), false)).toEqual(sight(KNOWN));
    expect(sightToKeep(sight(KNOWN), sight(null), false)).toEqual(sight(KNOWN));
    expect(sightToKeep(sight(KNOWN), sight(hidden), true)).toEqual(sight(hidden));
    expect(sightToKeep(null, sight(hidden), false)).toEqual(sight(hidden));
    const renamed = sight({ ...KNOWN, database: 'hr_new' });
    expect(sightToKeep(sight(KNOWN), renamed, false)).toEqual(renamed);
  });

  test.each<[SourceSight['replica'], number | null, boolean]>([
    [{ lagMs: 30_001 }, 30_000, true],
    [{ lagMs: 30_000 }, 30_000, false],
    [{ lagMs: 30_001 }, null, false],
    [{ lagMs: null }, 1, false],
    [null, 1, false],
  ])('a replica %j under a limit of %s ms is refused: %s', (replica, most, refused) => {
    const look = () => refuseLag({ origin: null, replica }, most, 'companies');
    if (refused)
      expect(look).toThrow(/30 s behind; source\.maxReplicaLag is 30 s\. Nothing of companies was applied\./);
    else expect(look).not.toThrow();
  });
});
