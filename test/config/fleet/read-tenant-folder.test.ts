import { describe, expect, it } from 'vitest';
import { readTenantFolder } from '../../../src/config/fleet/read-tenants.js';
import { problemsOf, refusalOf } from '../config-folder.js';
import { changed, readFolder, SHARED, TENANT, tenantFolder } from './tenant-folder.js';

describe('a folder of tenants', () => {
  it('has a tenant for each file, in the order of their names; subfolders and hidden files are left alone', () => {
    const tenants = readFolder({
      'beta.yaml': TENANT,
      'acme.yaml': TENANT,
      'old/gone.yaml': 'x',
      'queries/notes.txt': 'x',
      '.gitignore': 'x',
    });
    expect(tenants.map(({ name, schema }) => [name, schema])).toEqual([
      ['acme', 'tenant_acme'],
      ['beta', 'tenant_beta'],
    ]);
  });

  it('may have the files that its tenants name beside them', () => {
    const yaml = changed('queries/companies.sql', 'companies.sql');
    expect(readFolder({ 'acme.yaml': yaml, 'companies.sql': 'select 1 as key' })).toHaveLength(1);
  });

  it('is refused with the problems of all its files', () => {
    const act = () =>
      readFolder({
        'acme.yaml': changed('${ACME_SECRET}', 'hunter2'),
        'beta.yaml': changed('db.example/hr', 'db.example/hr\n  poolMx: 1'),
        'fleet.yaml': 'fleet: { database: { url: "${FLEET_URL}" } }',
        'gamma.yml': TENANT,
        'README.md': 'x',
      });
    expect(refusalOf(act).message.split('\n')[0]).toBe('the tenants have 9 problems:');
    const problems = problemsOf(act);
    expect(problems).toContain(
      'beta.yaml:3: source.poolMx: there is no such setting; did you mean "poolMax"?',
    );
    expect(
      problems.filter((line) => line.startsWith('acme.yaml:9: platform.jobs.clientSecret: a secret')),
    ).toHaveLength(1);
    expect(problems.some((line) => line.startsWith('fleet.yaml:1: fleet: there is no such setting'))).toBe(
      true,
    );
    const rest =
      "is not a tenant's file, and no tenant names it; name it NAME.yaml, or move it to a subfolder";
    expect(problems.slice(-2)).toEqual([`README.md: ${rest}`, `gamma.yml: ${rest}`]);
    expect(refusalOf(act).details.problems).toContainEqual({
      file: 'beta.yaml',
      line: 3,
      path: 'source.poolMx',
      message: 'there is no such setting; did you mean "poolMax"?',
    });
  });

  it('has no two tenants with the same schema, written or derived, also in other databases', () => {
    const state = (url: string) => `${TENANT}state:\n  url: ${url}\n  schema: tenant_a_b\n`;
    expect(
      problemsOf(() =>
        readFolder({ 'a-b.yaml': TENANT, 'a_b.yaml': TENANT, 'c.yaml': state('postgres://other.example/x') }),
      ),
    ).toEqual([
      'a_b.yaml:1: state.schema: tenant_a_b is also the schema of a-b.yaml; each tenant needs its own',
      'c.yaml:15: state.schema: tenant_a_b is also the schema of a-b.yaml; each tenant needs its own',
    ]);
  });

  it('without a tenant is refused, because all tenants would be removed', () => {
    expect(refusalOf(() => readFolder({ '.gitkeep': '' })).message).toBe(
      "the folder . has no tenant's file (NAME.yaml)",
    );
  });

  it('that is none is refused with its name', () => {
    const cwd = tenantFolder({ 'acme.yaml': TENANT });
    const read = (folder: string) =>
      refusalOf(() => readTenantFolder(folder, { defaultPeriodMs: 1, variables: SHARED, cwd })).message;
    expect(read('nowhere')).toBe('the folder nowhere does not exist');
    expect(read('acme.yaml')).toBe('the folder acme.yaml does not exist');
  });
});
