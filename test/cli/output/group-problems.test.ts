import { expect, test } from 'vitest';
import { groupProblems } from '../../../src/cli/output/print-groups.js';
import { groupOf, type IssueGroup, type SharedIssue } from '../../../src/domain/issue-group.js';

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
    'region_id: 2 codes have no id: 20 companies and 10 vacancies are invalid; fill in the ids in reference/cities.csv (c1, c2, v9, …)',
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
