import { expect, test } from 'vitest';
import { groupOf, type IssueGroup, type SharedIssue } from '../../../src/core/domain/issue-group.js';
import { causesOf } from '../../../src/features/look/causes.js';
import { findTroubles } from '../../../src/core/domain/trouble/find-troubles.js';
import type { Trouble, TroubleOf } from '../../../src/core/domain/trouble/trouble.js';
import { parentIssue } from '../../../src/core/domain/reason.js';
import { company, facts, HOLD, NOW, vacancy, YESTERDAY } from '../troubles/sample-facts.js';

const PLAIN = { sampleKeys: [], since: null, message: null, hint: null } as const;

const code = (entity: string, name: string, file: string, count: number, waiting = 0): IssueGroup =>
  groupOf(
    entity,
    'invalid',
    {
      field: 'region.id',
      column: entity === 'companies' ? 'region_id' : 'city_id',
      code: 'unmapped',
      message: `the code "${name}" is not in ${file}`,
      hint: `to ${file}.`,
      lookup: { code: name, todo: 'add', file },
    },
    {
      count,
      sampleKeys: ['k'],
      follows: waiting === 0 ? [] : [{ entity: 'vacancies', count: waiting, standing: 'waiting' }],
    },
  );

const unmapped = (entity: string, ...reasons: IssueGroup[]): Trouble => ({
  ...PLAIN,
  kind: 'unmapped',
  subject: { entity },
  count: reasons.length,
  reasons,
  leftOut: 0,
});

const invalid = (entity: string, ...reasons: IssueGroup[]): TroubleOf<'invalid'> => ({
  ...PLAIN,
  kind: 'invalid',
  subject: { entity },
  count: 99,
  reasons,
  leftOut: 0,
});

const wrong = (entity: string, field: string, count: number, waiting = 0): IssueGroup =>
  groupOf(
    entity,
    'invalid',
    { field, code: 'required', message: 'is required' },
    {
      count,
      sampleKeys: ['k'],
      follows: waiting === 0 ? [] : [{ entity: 'vacancies', count: waiting, standing: 'waiting' }],
    },
  );

test('a code that several entities lack is one cause, with all its records, wherever its column is called otherwise', () => {
  const causes = causesOf([
    unmapped(
      'companies',
      code('companies', '9471', 'cities.csv', 2, 5),
      code('companies', 'X', 'industries.csv', 1),
    ),
    unmapped('vacancies', code('vacancies', '9471', 'cities.csv', 3)),
    unmapped('institutions', code('institutions', '9471', 'cities.csv', 1)),
  ]);
  expect(
    causes.map(({ troubles: [{ count }], records, waiting, keptBack }) => ({
      count,
      records,
      waiting,
      keptBack,
    })),
  ).toEqual([
    {
      count: 1,
      records: [
        ['companies', 2],
        ['vacancies', 3],
        ['institutions', 1],
      ],
      waiting: [['vacancies', 5]],
      keptBack: 11,
    },
    { count: 1, records: [['companies', 1]], waiting: [], keptBack: 1 },
  ]);
});

test('the causes that keep back most records come first, with their children; each field is one', () => {
  const causes = causesOf([
    unmapped('companies', code('companies', '1', 'cities.csv', 500)),
    invalid('companies', wrong('companies', 'name', 1, 600), wrong('companies', 'about', 2)),
    invalid('vacancies', wrong('vacancies', 'quota', 3_958)),
  ]);
  expect(causes.map(({ groups: [group], keptBack }) => [group?.field, keptBack])).toEqual([
    ['quota', 3_958],
    ['name', 601],
    ['region_id', 500],
    ['about', 2],
  ]);
  expect(new Set(causes.map(({ id }) => id)).size, 'each has an anchor of its own').toBe(4);
});

test('children that wait for records with a cause are counted there, and others are a cause of their own', () => {
  const waiting = (problem: 'parent-invalid' | 'parent-rejected' | 'parent-absent', count: number) =>
    groupOf('vacancies', 'waiting', parentIssue(problem, 'companies', 'company_id'), {
      count,
      sampleKeys: ['v'],
    });
  const blocked = (...causes: IssueGroup[]): Trouble => ({
    ...PLAIN,
    kind: 'blocked',
    subject: { entity: 'vacancies' },
    count: 9,
    parent: 'companies',
    parentKeptBack: false,
    records: [],
    causes,
  });
  const reason: SharedIssue = { field: null, code: 'refused', message: 'no' };
  const rejected: Trouble = {
    ...PLAIN,
    kind: 'rejected',
    subject: { entity: 'companies' },
    count: 1,
    reasons: [groupOf('companies', 'rejected', reason, { count: 1, sampleKeys: ['c'] })],
  };
  const causes = causesOf([
    rejected,
    invalid('companies', wrong('companies', 'name', 1, 4)),
    blocked(waiting('parent-invalid', 4), waiting('parent-rejected', 7), waiting('parent-absent', 2)),
  ]);
  expect(causes.map(({ troubles: [{ kind }], keptBack }) => [kind, keptBack])).toEqual([
    ['rejected', 8],
    ['invalid', 5],
    ['blocked', 2],
  ]);
});

test('what stops everything comes first, and what ends by itself is told apart', () => {
  const stop = (code: string, cause: 'certificate' | null, pausedUntil: Date | null = null) =>
    facts({
      entities: [company({ pending: 3, invalid: 900 }, { hold: HOLD })],
      areas: [
        {
          area: 'jobs',
          stop: { code, cause, message: '', hint: '', retryAt: null, since: YESTERDAY, pausedUntil },
          credentials: 'unknown',
          refusedCause: null,
        },
      ],
    });
  const kinds = (...given: Parameters<typeof stop>) =>
    causesOf(findTroubles(stop(...given))).map(({ troubles: [{ kind }], passes }) => [kind, passes]);
  expect(kinds('breaker-open', null)).toEqual([
    ['area-stopped', true],
    ['invalid', false],
    ['held', false],
  ]);
  expect(kinds('breaker-open', 'certificate')[0]).toEqual(['area-stopped', false]);
  expect(kinds('long-pause', null, new Date(NOW.getTime() + 60_000))[0]).toEqual(['area-stopped', true]);
  expect(causesOf(findTroubles(facts({ entities: [vacancy({ deferred: 2 })] })))[0]?.passes).toBe(true);
});
