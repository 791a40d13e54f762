import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTenantFile } from '../../../src/config/fleet/read-tenants.js';
import { makeAuthority } from '../../postgres/make-certificates.js';
import { problemsOf } from '../config-folder.js';
import { problemsOfAcme, readAcme, SHARED, TENANT, tenantFolder } from './tenant-folder.js';

const withSchema = `${TENANT}state: { schema: ledger_of_acme }\n`;

describe('the files that a tenant names', () => {
  const UUID = '898b0b80-ff91-4a11-b8b4-5a0e9c2f6a01';

  it('are stored under the paths of its file, a lookup that two columns share once', () => {
    const yaml = `${withSchema}webhook: { sql: sql/received.sql }\n`.replace(
      'companies.sql\n',
      'companies.sql\n    lookups: { industry: ./codes.csv, region_id: ./codes.csv }\n',
    );
    const files = {
      'codes.csv': `code,id\nit,${UUID}\n`,
      'sql/received.sql': 'insert into applicants values (:application_id)',
    };
    const { files: stored } = readAcme(yaml, files);
    expect(stored).toEqual({
      'queries/companies.sql': 'select 1 as key',
      './codes.csv': files['codes.csv'],
      'sql/received.sql': files['sql/received.sql'],
    });
  });

  it('of certificates are stored without the key beside them', () => {
    const pem = makeAuthority('ours').certificate;
    const yaml = withSchema.replace('platform:\n', 'platform:\n  ca: tls.pem\n');
    const key = '-----BEGIN PRIVATE KEY-----\nhunter2\n-----END PRIVATE KEY-----\n';
    const { files } = readAcme(yaml, { 'tls.pem': `${key}${pem}` });
    expect(files['tls.pem']).toBe(pem.trim());
  });

  it.each(['../companies.sql', '/etc/hosts', 'queries/../../companies.sql'])(
    'are refused outside of its folder: %s',
    (path) => {
      const problems = problemsOfAcme(withSchema.replace('queries/companies.sql', path));
      expect(problems).toEqual([
        `acme.yaml:12: entities.companies.query: ${path} must be in the tenant's folder (), because it is stored with the tenant`,
      ]);
    },
  );

  it('are refused outside of its folder also behind a link', () => {
    const cwd = tenantFolder({ 'acme.yaml': withSchema.replace('queries/companies.sql', 'link.sql') });
    symlinkSync('/etc/hosts', join(cwd, 'link.sql'));
    expect(problemsOf(() => readTenantFile('acme.yaml', { defaultPeriodMs: 1, cwd })).join()).toContain(
      'link.sql must be in the tenant',
    );
  });

  it('and the file itself may be a link within its folder, as Kubernetes makes it, and none that leads out', () => {
    const secret = join(tenantFolder({ 'secret.yaml': 'rahasia7788: yes\n' }), 'secret.yaml');
    const cwd = tenantFolder({ '..data/acme.yaml': withSchema });
    symlinkSync('..data/acme.yaml', join(cwd, 'acme.yaml'));
    symlinkSync(secret, join(cwd, 'evil.yaml'));
    expect(readTenantFile('acme.yaml', { defaultPeriodMs: 1, cwd }).name).toBe('acme');
    const problems = problemsOf(() =>
      readTenantFile('evil.yaml', { defaultPeriodMs: 1, variables: SHARED, cwd }),
    ).join();
    expect(problems).toContain('evil.yaml: is a link to a file outside of its folder');
    expect(problems).not.toContain('rahasia7788');
  });

  it.each([
    [
      'larger than 1 MiB',
      `select 1 -- ${' '.repeat(1024 * 1024)}`,
      'queries/companies.sql is larger than 1 MiB',
    ],
    ['not UTF-8', Buffer.from([0x73, 0xff]), 'queries/companies.sql is not UTF-8'],
    ['not to be stored', 'select 1 \0', 'queries/companies.sql has the character U+0000'],
  ])('are refused when they are %s', (_, sql, message) => {
    expect(problemsOfAcme(withSchema, { 'queries/companies.sql': sql })).toEqual([
      expect.stringContaining(`acme.yaml:12: entities.companies.query: ${message}`),
    ]);
  });

  it('are refused from where they are larger than 4 MiB together', () => {
    const entities = ['companies', 'vacancies', 'institutions', 'trainings', 'application-statuses'];
    const large = `select 1 as key -- ${' '.repeat(1024 * 1024 - 1000)}`;
    const files = Object.fromEntries(entities.map((name) => [`${name}.sql`, large]));
    const yaml = `${withSchema.split('entities:')[0] ?? ''}  training: { baseUrl: https://t.example, clientId: x, clientSecret: "\${ACME_T}" }
state: { schema: ledger_of_acme }
entities:
${entities.map((name) => `  ${name}: { query: ${name}.sql }\n`).join('')}`;
    expect(problemsOfAcme(yaml, files)).toEqual([
      expect.stringMatching(
        /: with application-statuses\.sql the files of this tenant are larger than 4 MiB$/,
      ),
    ]);
  });

  it('do not let the tenant’s own file be larger than 1 MiB or hold what Postgres cannot take', () => {
    expect(problemsOfAcme(`# ${' '.repeat(1024 * 1024)}`)).toEqual(['acme.yaml: is larger than 1 MiB']);
    expect(problemsOfAcme('# \0')).toEqual([
      'acme.yaml: has the character U+0000, which Postgres cannot take',
    ]);
  });
});
