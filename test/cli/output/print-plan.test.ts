import { describe, expect, test } from 'vitest';
import { groupProblems } from '../../../src/cli/output/print-groups.js';
import { diffLine, planSummary } from '../../../src/cli/output/print-plan.js';
import { groupOf, type IssueGroup, type SharedIssue } from '../../../src/core/domain/issue-group.js';
import { type PlannedActions, sumOfActions } from '../../../src/features/plan/plan-entity.js';

describe('print plan', () => {
  const change = (from: string | null, to: string | null) => ({ field: 'about', from, to });

  test('a new record does not show fields that are null', () => {
    expect(diffLine(change(null, null), true, 80)).toBeNull();
    expect(diffLine(change(null, 'x'), true, 80)).toBe('             about: nothing → "x"');
  });

  test('a field that was left out and is null now is not shown as nothing → nothing', () => {
    expect(diffLine(change(null, null), false, 80)).toBe(
      '             about: empty before and after (left out, or sent as null)',
    );
  });

  test.each([
    ['a'.repeat(200), 'b'.repeat(200)],
    ['short', 'b'.repeat(200)],
    ['a'.repeat(200), 'short'],
  ])(
    'values are cut to the width of the terminal, and a short one leaves its room to the other',
    (from, to) => {
      for (const width of [60, 80, 133]) {
        const line = diffLine(change(from, to), false, width) ?? '';
        expect(line.length).toBeGreaterThanOrEqual(width - 1);
        expect(line.length).toBeLessThanOrEqual(width);
        if (from === 'short') expect(line).toContain('"short" →');
        if (to === 'short') expect(line).toMatch(/→ "short"$/);
      }
    },
  );

  test('a terminal that is too narrow still shows the beginning of both, and a pipe more', () => {
    expect(diffLine(change('a'.repeat(99), 'b'.repeat(99)), false, 10)).toMatch(/"aaaaaa… → "bbbbbb…$/);
    expect(diffLine(change('a'.repeat(99), null), false, undefined)).toBe(
      `             about: "${'a'.repeat(58)}… → nothing`,
    );
  });
});

describe('plan summary', () => {
  const NONE: PlannedActions = {
    create: 0,
    update: 0,
    close: 0,
    delete: 0,
    before: 0,
    waiting: 0,
    kept: 0,
    gone: 0,
    held: 0,
    invalid: 0,
  };

  test.each([
    [{ create: 1, update: 2, close: 1, invalid: 18 }, '1 create, 2 update, 1 close, 18 with errors'],
    [{ delete: 1200, before: 3 }, '1,200 delete, 3 pending from before'],
    [{ invalid: 1 }, 'nothing to send, 1 with errors'],
    [{ create: 2, waiting: 356 }, '2 create, 356 wait for their parents'],
    [{ waiting: 1 }, 'nothing to send, 1 waits for its parent'],
    [{ held: 7 }, 'nothing to send, 7 held back by a guard'],
    [{}, 'nothing to send'],
  ])('%j is: %s', (some, text) => {
    expect(planSummary({ ...NONE, ...some })).toBe(text);
  });

  test('the actions of all entities are added up, each by itself', () => {
    const one = {
      create: 1,
      update: 2,
      close: 3,
      delete: 4,
      before: 5,
      waiting: 6,
      kept: 7,
      gone: 0,
      held: 8,
      invalid: 9,
    };
    expect(sumOfActions([one, { ...NONE, create: 1 }])).toEqual({ ...one, create: 2 });
    expect(sumOfActions([])).toEqual(NONE);
  });
});

describe('group problems', () => {
  function group(about: Partial<IssueGroup>, issue: Partial<SharedIssue> = {}): IssueGroup {
    const { entity = 'vacancies', kind = 'invalid', count = 1, sampleKeys = [] } = about;
    const shared = { field: 'title', code: 'required', message: 'is required', hint: null, ...issue };
    return groupOf(entity, kind, shared, { count, sampleKeys });
  }

  const code = (city: string, about: Partial<IssueGroup>) =>
    group(about, {
      field: 'region.id',
      column: 'region_id',
      code: 'undecided',
      message: `the code ${JSON.stringify(city)} has no id in reference/cities.csv yet`,
      hint: 'in reference/cities.csv.',
      lookup: { code: city, todo: 'fill' },
    });

  const texts = (groups: readonly IssueGroup[], most = 12) =>
    groupProblems(groups, most).flatMap(({ line, codes }) => [line, ...codes.map((each) => `  ${each}`)]);

  test('the codes of a column stand together, over the entities that have them, and count with all their records', () => {
    expect(
      texts([
        group({ count: 25 }),
        code('Bogor', { entity: 'companies', count: 20, sampleKeys: ['c1', 'c2'] }),
        code('Malang', { count: 9, sampleKeys: ['v9'] }),
        code('Bogor', { count: 1, sampleKeys: ['v1'] }),
      ]),
    ).toEqual([
      'region_id: 2 codes have no id: 20 companies and 10 vacancies are invalid; fill in the ids in reference/cities.csv (companies c1, c2, vacancies v9, …)',
      '  "Bogor": 20 companies and 1 vacancy are invalid',
      '  "Malang": 9 vacancies are invalid',
      'title is required: 25 vacancies are invalid',
    ]);
  });

  test('codes beyond the limit are counted with their records', () => {
    const cities = ['A', 'B', 'C', 'D'].map((city, index) => code(city, { count: 10 - index }));
    expect(texts(cities, 2).slice(1)).toEqual([
      '  "A": 10 vacancies are invalid',
      '  "B": 9 vacancies are invalid',
      '  2 more, about 15 records; --json lists all',
    ]);
  });

  test('a single code keeps its line, and what is only doubtful comes last', () => {
    expect(
      texts([
        group({ kind: 'doubtful', count: 90 }, { field: null, message: 'was rounded', code: 'rounded' }),
        code('Bogor', { count: 2, sampleKeys: ['v1', 'v2'] }),
      ]),
    ).toEqual([
      'region_id: code "Bogor" has no id: 2 vacancies are invalid; fill in its id in reference/cities.csv (v1, v2)',
      'was rounded: 90 vacancies are doubtful',
    ]);
  });
});
