import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadFleet } from '../../../../src/features/fleet/config/load-fleet.js';
import { loadTenant, tenantLedger } from '../../../../src/features/fleet/config/load-tenant.js';
import { readTenantFile } from '../../../../src/features/fleet/config/read-tenants.js';
import { loadConfig } from '../../../../src/core/config/load.js';
import { connectError } from '../../../../src/core/domain/sql/error-fields.js';
import { translateStateError } from '../../../../src/core/ledger/database/translate-state-error.js';
import { makeAuthority } from '../../../postgres/make-certificates.js';
import { problemsOf, refusalOf } from '../../../core/config/config-folder.js';
import { ENVIRONMENT, problemsOfAcme, readAcme, SHARED, TENANT, tenantFolder } from './tenant-folder.js';

describe('a stored tenant', () => {
  const FLEET_URL = 'postgres://fleet@db.example/fleet';
  const UUID = '898b0b80-ff91-4a11-b8b4-5a0e9c2f6a01';
  const PEM = makeAuthority('ours').certificate;
  const FULL = `${TENANT}    lookups: { industry: codes.csv }
tenant: { period: 1h }
`;
  const FILES = {
    'codes.csv': `code,id\nit,${UUID}\n`,
  };

  it('without state.url has its ledger in the fleet’s database', () => {
    const { settings } = loadTenant(readAcme(TENANT), { fleetUrl: FLEET_URL, env: ENVIRONMENT });
    expect(settings.state.url).toBe(FLEET_URL);
  });

  it('has the adapter that the fleet has for its address', () => {
    const adapterWith = (setting: string) => {
      const yaml = `fleet: { database: { url: '${FLEET_URL}' }, adapter: ${setting} }`;
      const cwd = tenantFolder({ 'fleet.yaml': yaml, 'a.mjs': 'export default {};', 'b.mjs': '' });
      const { variables } = loadFleet({ file: 'fleet.yaml', env: {}, cwd });
      const { transport } = loadTenant(readAcme(TENANT), {
        fleetUrl: FLEET_URL,
        env: ENVIRONMENT,
        variables: { ...variables, shared: SHARED.shared },
      });
      return transport.jobs?.adapter?.replace(`${cwd}/`, '') ?? null;
    };
    expect(adapterWith('null')).toBeNull();
    expect(adapterWith('a.mjs')).toBe('a.mjs');
    expect(adapterWith('{ "https://jobs.example/": a.mjs, "https://other.example": b.mjs }')).toBe('a.mjs');
    expect(adapterWith('{ "https://other.example": b.mjs }')).toBeNull();
    expect(problemsOf(() => adapterWith('{ "https://other.example": c.mjs }'))).toEqual([
      expect.stringMatching(/^fleet\.yaml:1: fleet\.adapter\.\S+: \/\S*c\.mjs does not exist/),
    ]);
    expect(problemsOf(() => adapterWith('{ "other.example": b.mjs }'))).toHaveLength(1);
  });

  it.each([
    ['without a scheme', 'sync:rahasia7788@127.0.0.1:5432/hr'],
    ['whose password has a slash', 'postgres://u:12/rahasia7788@127.0.0.1/hr'],
    ['without a user', 'rahasia7788@127.0.0.1/hr'],
  ])('is refused with a ledger at an address %s, which nobody repeats', (_, url) => {
    const definition = readAcme(`${TENANT}state: { url: '\${ACME_STATE}', schema: hr }\n`);
    const env = { ...ENVIRONMENT, ACME_STATE: url };
    const refused = () => tenantLedger(definition, { env });
    expect(refused).toThrow('tenant acme: state.url: is not an address such as postgres://');
    expect(refused).not.toThrow('rahasia7788');
    expect(() => loadTenant(definition, { fleetUrl: FLEET_URL, env })).not.toThrow('rahasia7788');
    expect(translateStateError(new Error('timeout'), url).message).not.toContain('rahasia7788');
    expect(connectError(new Error('timeout'), url).message).not.toContain('rahasia7788');
  });

  it('is loaded as its file would be, without the file and what that names', () => {
    const cwd = tenantFolder({
      'acme.yaml': `${FULL}state: { schema: tenant_acme, url: 'postgres://ledger@db.example/state' }\n`,
      ...FILES,
    });
    const definition = readTenantFile('acme.yaml', { defaultPeriodMs: 1, cwd });
    const fromDisk = loadConfig({ file: 'acme.yaml', env: ENVIRONMENT, cwd });
    rmSync(join(cwd, 'queries'), { recursive: true });
    rmSync(join(cwd, 'codes.csv'));
    const loaded = loadTenant(definition, { fleetUrl: FLEET_URL, env: ENVIRONMENT, cwd });
    expect(loaded.settings).toEqual(fromDisk.settings);
    expect(loaded.entities.get('companies')).toEqual({
      ...fromDisk.entities.get('companies'),
      queryFile: 'queries/companies.sql',
    });
    expect(loaded.masked()).toEqual(fromDisk.masked());
    expect(loaded.secrets()).toEqual(['p%40ss', 'p@ss', 'secret-key']);
    expect(loaded.file).toBe('tenant acme');
  });

  it('has the schema that its name gave it', () => {
    const { settings } = loadTenant(readAcme(FULL, FILES), { fleetUrl: FLEET_URL, env: ENVIRONMENT });
    expect(settings.state.schema).toBe('tenant_acme');
  });

  it('trusts the certificates that are stored with it', () => {
    const yaml = TENANT.replace('platform:\n', 'platform:\n  ca: tls.pem\n');
    const definition = readAcme(yaml, { 'tls.pem': PEM });
    const { transport } = loadTenant(definition, { fleetUrl: FLEET_URL, env: ENVIRONMENT });
    expect(transport.jobs).toMatchObject({ certificates: [PEM.trim()], certificateFile: 'tls.pem' });
  });

  it('reads secrets from the files that the replica names', () => {
    const cwd = tenantFolder({ 'secret.txt': 'from-a-file\n' });
    const env = { ACME_PASSWORD: 'pw', ACME_SECRET_FILE: 'secret.txt' };
    expect(
      loadTenant(readAcme(TENANT), { fleetUrl: FLEET_URL, env, cwd }).settings.platform.jobs?.clientSecret,
    ).toBe('from-a-file');
  });

  it('is refused with its name when the replica lacks its variables', () => {
    const definition = readAcme(TENANT);
    expect(
      problemsOf(() => loadTenant(definition, { fleetUrl: FLEET_URL, env: { ACME_SECRET: 'x' } })),
    ).toEqual([
      'tenant acme:2: source.url: the environment variable ACME_PASSWORD is not set (nor ACME_PASSWORD_FILE)',
    ]);
  });

  it('is refused when the address of its ledger is empty, which elsewhere means the source', () => {
    const definition = readAcme(`${TENANT}state: { schema: tenant_acme, url: '\${ACME_STATE_URL}' }\n`);
    for (const ACME_STATE_URL of ['', ' ', '\n'])
      expect(
        refusalOf(() =>
          loadTenant(definition, { fleetUrl: FLEET_URL, env: { ...ENVIRONMENT, ACME_STATE_URL } }),
        ).message,
      ).toBe('tenant acme: state.url: ${ACME_STATE_URL} is empty');
  });

  it('is refused when a value of the environment does not fit, without the value', () => {
    const definition = readAcme(TENANT.replace('ids:', '  poolMax: ${ACME_POOL}\nids:'));
    const env = { ...ENVIRONMENT, ACME_PASSWORD: 'pa/ss@word', ACME_POOL: 'hunter2' };
    const refusal = refusalOf(() => loadTenant(definition, { fleetUrl: FLEET_URL, env }));
    expect(refusal.message).toContain('tenant acme:2: source.url: is not an address such as postgres://');
    expect(refusal.message).toContain('tenant acme:3: source.poolMax: must be a whole number from 1 to 100');
    expect(refusal.message).not.toMatch(/hunter2|ss@word/);
  });

  it('names a file that is not stored with it, and does not look for it on disk', () => {
    const cwd = tenantFolder({ 'acme.yaml': TENANT });
    const definition = readTenantFile('acme.yaml', { defaultPeriodMs: 1, cwd });
    writeFileSync(join(cwd, 'constructor'), 'select 1');
    const other = { ...definition, configuration: TENANT.replace('queries/companies.sql', 'constructor') };
    expect(problemsOf(() => loadTenant(other, { fleetUrl: FLEET_URL, env: ENVIRONMENT, cwd }))).toEqual([
      "tenant acme:12: entities.companies.query: constructor is not stored with the tenant; apply the tenant's file again",
    ]);
  });
});

describe('the files that a tenant names', () => {
  const withSchema = `${TENANT}state: { schema: ledger_of_acme }\n`;

  const UUID = '898b0b80-ff91-4a11-b8b4-5a0e9c2f6a01';

  it('are stored under the paths of its file, a lookup that two columns share once', () => {
    const yaml = withSchema.replace(
      'companies.sql\n',
      'companies.sql\n    lookups: { industry: ./codes.csv, region_id: ./codes.csv }\n',
    );
    const files = {
      'codes.csv': `code,id\nit,${UUID}\n`,
    };
    const { files: stored } = readAcme(yaml, files);
    expect(stored).toEqual({
      'queries/companies.sql': 'select 1 as key',
      './codes.csv': files['codes.csv'],
    });
  });

  it('of certificates are stored without the key beside them', () => {
    const pem = makeAuthority('ours').certificate;
    const yaml = withSchema.replace('platform:\n', 'platform:\n  ca: tls.pem\n');
    const key = '-----BEGIN PRIVATE KEY-----\nhunter2\n-----END PRIVATE KEY-----\n';
    const { files } = readAcme(yaml, { 'tls.pem': `${key}${pem}` });
    expect(files['tls.pem']).toBe(pem.trim());
  });

  it.each([
    ['platform:\n', 'platform:\n  adapter: own.mjs\n', 'platform.adapter'],
    ['    clientId', '    adapter: own.mjs\n    clientId', 'platform.jobs.adapter'],
  ])('of an adapter are refused, because a replica would run them for all: %s', (from, to, setting) => {
    const problems = problemsOfAcme(withSchema.replace(from, to), { 'own.mjs': 'export default {};' });
    expect(problems).toEqual([
      expect.stringContaining(`${setting}: a tenant of a fleet cannot name an adapter, because it is code`),
    ]);
    expect(problems.join()).toContain('fleet.adapter');
  });

  it('of a client certificate are refused, because its key would be stored', () => {
    const { certificate, key } = makeAuthority('ours').issue();
    const block = 'clientCertificate: { cert: both.pem, key: both.pem }';
    const yaml = withSchema.replace('platform:\n', `platform:\n  ${block}\n`);
    const cwd = tenantFolder({ 'acme.yaml': yaml, 'both.pem': `${certificate}${key}` });
    expect(problemsOf(() => readTenantFile('acme.yaml', { defaultPeriodMs: 1, cwd }))).toEqual([
      expect.stringContaining(
        'platform.clientCertificate.key: a tenant of a fleet cannot have a client certificate',
      ),
    ]);
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
