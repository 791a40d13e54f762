import { describe, expect, it } from 'vitest';
import type { EntityQuery } from '../../src/ports/source.js';
import { SyncError } from '../../src/domain/errors.js';
import { checkColumns } from '../../src/source/query.js';

const companies: EntityQuery = {
  entity: 'companies',
  sql: '',
  file: 'queries/companies.sql',
  columns: [
    { name: 'key', required: true },
    { name: 'row_version' },
    { name: 'name', required: true },
    { name: 'postal_code' },
  ],
};
const statuses: EntityQuery = {
  entity: 'application-statuses',
  sql: '',
  file: 'queries/application-statuses.sql',
  columns: [{ name: 'key' }, { name: 'vacancy_key' }, { name: 'email' }, { name: 'status', required: true }],
};

function problemsOf(query: EntityQuery, names: string[]): unknown {
  try {
    checkColumns(query, names);
  } catch (error) {
    expect(error).toMatchObject({ code: 'column-contract', scope: 'entity' });
    expect((error as SyncError).message).toContain(query.file);
    return (error as SyncError).details.problems;
  }
  return [];
}

describe('checkColumns', () => {
  it('accepts the required columns in any order, without the optional ones', () => {
    expect(problemsOf(companies, ['name', 'key'])).toEqual([]);
  });

  it('reports every problem at once, with the closest known name', () => {
    expect(problemsOf(companies, ['key', '?column?', 'postal_cod', 'key', ''])).toEqual([
      'column 2 has no name (give it one: … as name)',
      'column "postal_cod" is unknown (did you mean "postal_code"?)',
      'column "key" appears twice (leave one out)',
      'column "" is unknown (leave it out)',
      'the required column "name" is missing',
    ]);
  });

  it('takes vacancy_key and email in the place of key where the entity has them', () => {
    expect(problemsOf(statuses, ['vacancy_key', 'email', 'status'])).toEqual([]);
    expect(problemsOf(statuses, ['key', 'status'])).toEqual([]);
    expect(problemsOf(statuses, ['email', 'status'])).toEqual([
      'the required column "key", or the columns "vacancy_key" and "email", is missing',
    ]);
    expect(problemsOf(companies, ['name'])).toEqual(['the required column "key" is missing']);
  });
});
