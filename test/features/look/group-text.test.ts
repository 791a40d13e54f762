import { expect, test } from 'vitest';
import { countedRecords } from '../../../src/core/domain/text.js';
import { groupText, namedKeys } from '../../../src/features/look/group-text.js';
import { createGroupTally, groupOf, type IssueGroup } from '../../../src/core/domain/issue-group.js';
import { parentIssue } from '../../../src/core/domain/reason.js';
import { companies } from '../../../src/core/entities/companies.js';
import { readLookup } from '../../../src/core/entities/lookup.js';

const CITIES = readLookup('code,id\nBogor,\n', 'reference/cities.csv');
const CONTEXT = {
  lookups: { region_id: CITIES },
  plainText: [],
  required: null,
  namespace: '6f1de0a2-6a57-4d1c-9c43-0f5c0b8f7a11',
};
/** The issues of a company, by its own map. */
const issuesOf = (row: Record<string, string | null>) =>
  companies.map({ key: 'c', name: 'C', ...row }, CONTEXT).issues;

/** A tally of companies with these cities, one each. */
function tallyOf(...cities: (string | null)[]) {
  const tally = createGroupTally('companies');
  const ids = cities.map((city, index) =>
    tally.add('invalid', [`c${index + 1}`], issuesOf({ region_id: city })),
  );
  return { tally, ids };
}
const texts = (groups: readonly IssueGroup[]) => groups.map(groupText);

test('a code without id names the column, what follows, and the file that is to be extended', () => {
  const { tally, ids } = tallyOf(...Array.from({ length: 40 }, () => 'Surabaya'), 'Bogor');
  for (let n = 0; n < 356; n += 1) tally.follow(ids[n % 40] ?? [], 'vacancies', 1);
  tally.follow(ids[40] ?? [], 'vacancies', 1);
  expect(texts(tally.groups())).toEqual([
    'region_id: code "Surabaya" has no id: 40 companies are invalid, 356 vacancies wait for them; add it to reference/cities.csv (c1, c2, c3, …)',
    'region_id: code "Bogor" has no id: 1 company is invalid, 1 vacancy waits for it; fill in the id in reference/cities.csv; region_id is required, so - is not possible there. If the platform accepts companies without region_id, write under entities.companies: required: [] (c41)',
  ]);
});

test('a required field names its column, and children say which parent they wait for', () => {
  const { tally } = tallyOf(null);
  tally.add('waiting', ['v1'], [parentIssue('parent-absent', 'companies', 'company_key')]);
  expect(texts(tally.groups())).toEqual([
    expect.stringMatching(
      /^company_key: no such record in the query of companies: 1 company waits; .* \(companies v1\)$/,
    ),
    expect.stringMatching(/^region_id is required: 1 company is invalid; \S.* \(c1\)$/),
  ]);
});

test('what differs from record to record does not part a group; what all of them have is shown', () => {
  const tally = createGroupTally('companies');
  const says = (message: string, common?: string) => ({ field: 'website', code: 'format', message, common });
  const noAddress = (quoted: string) => says(`"${quoted}" is no address`, '"…" is no address');
  tally.add('invalid', ['a'], [noAddress('x'), noAddress('y')]);
  tally.add('invalid', ['b'], [noAddress('z')]);
  tally.add('doubtful', ['c'], [says('was rounded'), says('was rounded')]);
  tally.add('doubtful', ['d'], [says('was rounded')]);
  tally.add('doubtful', ['e'], [says('was rounded')]);
  expect(tally.groups()).toMatchObject([
    { kind: 'invalid', message: '"…" is no address', count: 2, sampleKeys: ['a', 'b'] },
    { kind: 'doubtful', message: 'was rounded', count: 3 },
  ]);
});

test('the effect decides the order: a few records that many wait for come first', () => {
  const tally = createGroupTally('companies');
  const cause = (field: string) => ({ field, code: 'required', message: 'is required' });
  for (const key of ['a', 'b', 'c']) tally.add('invalid', [key], [cause('name')]);
  tally.follow(tally.add('invalid', ['d'], [cause('region.id')]), 'vacancies', 9);
  expect(tally.groups().map(({ field }) => field)).toEqual(['region.id', 'name']);
});

test('a million codes take the memory of the first ones, and every record is counted', () => {
  const tally = createGroupTally('companies', 3);
  for (let n = 0; n < 1_000; n += 1) tally.add('invalid', [`c${n}`], issuesOf({ region_id: `city ${n}` }));
  const groups = tally.groups();
  expect(groups).toHaveLength(4);
  expect(groups[0]).toMatchObject({ message: 'further codes have no id', count: 997, hint: null });
  expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe(1_000);
});

test('one record is named in the singular', () => {
  expect(
    ['companies', 'trainings', 'application-statuses'].map((entity) => countedRecords(1, entity)),
  ).toEqual(['1 company', '1 training', '1 application-status']);
  expect(countedRecords(2_208, 'vacancies')).toBe('2,208 vacancies');
});

test('children that wait are named with their parents, which are the ones to correct', () => {
  const issue = parentIssue('parent-invalid', 'companies', 'company_key');
  const keys = ['101', '103'];
  const waiting = (parents: readonly string[]) =>
    groupText(
      groupOf('vacancies', 'waiting', issue, {
        count: 5,
        sampleKeys: keys,
        parents: { entity: 'companies', keys: parents },
      }),
    );
  const says = 'company_key: the record of companies is invalid: 5 vacancies wait; correct these companies';
  expect(waiting(['2', '14'])).toBe(`${says} (companies 2, 14; vacancies 101, 103, …)`);
  expect(waiting([])).toBe(`${says} (vacancies 101, 103, …)`);
});

test.each([
  [[{ entity: 'companies', sampleKeys: ['1', '2', '1'] }], 5, ['1', '2']],
  [
    [
      { entity: 'companies', sampleKeys: ['12', '14'] },
      { entity: 'vacancies', sampleKeys: ['501', '33', '40'] },
      { entity: 'companies', sampleKeys: ['12'] },
    ],
    5,
    ['companies 12', '14', 'vacancies 501', '33', '40'],
  ],
])('keys of several entities have their names, each key once: %j', (groups, most, named) => {
  expect(namedKeys(groups, most)).toEqual(named);
});
