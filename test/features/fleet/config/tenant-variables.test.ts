import { describe, expect, it } from 'vitest';
import { loadFleet } from '../../../../src/features/fleet/config/load-fleet.js';
import { loadTenant, tenantLedger } from '../../../../src/features/fleet/config/load-tenant.js';
import { readTenantFile } from '../../../../src/features/fleet/config/read-tenants.js';
import { literalSecret } from '../../../../src/features/fleet/config/reference-problems.js';
import { onlyOwnVariables, variablePrefix } from '../../../../src/features/fleet/config/tenant-variables.js';
import { configFolder, problemsOf, refusalOf } from '../../../core/config/config-folder.js';
import { changed, ENVIRONMENT, problemsOfAcme, readAcme, TENANT, tenantFolder } from './tenant-folder.js';

const FLEET_URL = 'postgres://fleet:pw12345@db.example/fleet';
const OTHERS = {
  BETA_SECRET: 'rahasia7788',
  FLEET_DATABASE_URL: FLEET_URL,
  ADMIN_TOKEN: 'dashboard-token',
};
const FLEET = `fleet:
  database: { url: "\${FLEET_DATABASE_URL}" }
  sharedVariables: [PLATFORM_CLIENT_SECRET]
http: { admin: { token: "\${ADMIN_TOKEN}" } }
`;

const fleetOf = (yaml: string) =>
  loadFleet({ file: 'fleet.yaml', env: OTHERS, cwd: configFolder({ 'fleet.yaml': yaml }) });
const variables = {
  ofFleet: ['FLEET_DATABASE_URL', 'ADMIN_TOKEN'],
  shared: ['PLATFORM_CLIENT_SECRET'],
};

describe('a variable', () => {
  it.each([
    ['acme', 'ACME_'],
    ['acme-west', 'ACME_WEST_'],
    ['acme_2', 'ACME_2_'],
    ['3-ways', '_3_WAYS_'],
  ])('of the tenant %s begins with %s', (tenant, prefix) => {
    expect(variablePrefix(tenant)).toBe(prefix);
  });

  it.each([
    'aws',
    'https',
    'http',
    'no',
    'node',
    'admin',
    'aws-secret',
    'pg',
    'pgbouncer',
    'placement-sync',
    'fleet',
  ])('of the tenant %s does not begin like one of a program, or of the fleet', (tenant) => {
    const prefix = variablePrefix(tenant);
    expect(prefix).toBe(`TENANT_${tenant.toUpperCase().replace('-', '_')}_`);
    const taken = [
      'AWS_SECRET_ACCESS_KEY',
      'HTTPS_PROXY',
      'HTTP_PROXY',
      'NO_PROXY',
      'NODE_OPTIONS',
      'ADMIN_TOKEN',
    ];
    for (const name of [...taken, 'PG_X', 'PGBOUNCER_X', 'PLACEMENT_SYNC_CONFIG', 'FLEET_X'])
      expect(onlyOwnVariables(tenant, { ofFleet: [], shared: [] }, () => 'read')(name)).toHaveProperty(
        'problem',
      );
    expect(onlyOwnVariables(tenant, variables, () => 'read')(`${prefix}SECRET`)).toBe('read');
  });

  it.each(['awsome', 'nordic', 'ciputra', 'adm', 'tenant-1', 'nodeflux'])(
    'of %s begins with its name',
    (tenant) => {
      expect(variablePrefix(tenant)).not.toContain('TENANT_TENANT');
      expect(variablePrefix(tenant)).toBe(`${tenant.toUpperCase().replace('-', '_')}_`);
    },
  );

  const read = (name: string, tenant = 'acme') => onlyOwnVariables(tenant, variables, () => 'read')(name);

  it.each(['ACME_SECRET', 'ACME_', 'PLATFORM_CLIENT_SECRET'])('%s is for acme', (name) => {
    expect(read(name)).toBe('read');
  });

  it.each(['BETA_SECRET', 'ACME', 'ACMES_SECRET', 'acme_secret', 'X_ACME_SECRET', 'PLATFORM_CLIENT', 'PATH'])(
    '%s is not',
    (name) => {
      expect(read(name)).toEqual({
        problem: `this tenant may not use ${name}; name the variable ACME_…, or list ${name} in fleet.sharedVariables of the fleet's file if every tenant may have its value`,
      });
    },
  );

  it.each(['FLEET_DATABASE_URL', 'FLEET_DATABASE_URL_FILE', 'FLEET_database_URL', 'ADMIN_TOKEN'])(
    '%s, which fleet.yaml uses, is for nobody, not even for a tenant of that name',
    (name) => {
      for (const tenant of ['acme', 'fleet', 'admin'])
        expect(read(name, tenant)).toEqual({
          problem: `no tenant may use ${name}, because the fleet's own file does; give this tenant a variable that begins with ${variablePrefix(tenant)}`,
        });
    },
  );
});

describe('the wall between tenants', () => {
  it('keeps the variables of others out of the table, with every line that names one', () => {
    const yaml = changed(
      '    clientSecret',
      "    headers: { X: '\${BETA_SECRET} \${FLEET_DATABASE_URL:-}' }\n    clientSecret",
    );
    const cwd = tenantFolder({ 'acme.yaml': yaml });
    expect(problemsOf(() => readTenantFile('acme.yaml', { defaultPeriodMs: 1, variables, cwd }))).toEqual([
      expect.stringMatching(
        /^acme\.yaml:9: platform\.jobs\.headers\.X: this tenant may not use BETA_SECRET; /,
      ),
      expect.stringMatching(
        /^acme\.yaml:9: platform\.jobs\.headers\.X: no tenant may use FLEET_DATABASE_URL, /,
      ),
    ]);
  });

  it('stands where fleet.yaml says nothing', () => {
    expect(problemsOfAcme(changed('ACME_SECRET', 'PLATFORM_CLIENT_SECRET')).join()).toContain(
      'may not use PLATFORM_CLIENT_SECRET',
    );
  });

  it.each(['BETA_SECRET', 'FLEET_DATABASE_URL'])(
    'keeps %s from a tenant that was stored without it, at a replica and at fleet migrate',
    (name) => {
      const env = { ...ENVIRONMENT, ...OTHERS };
      const stored = { ...readAcme(TENANT), configuration: changed('ACME_SECRET', name) };
      const refusal = refusalOf(() => loadTenant(stored, { fleetUrl: FLEET_URL, variables, env }));
      expect(refusal.message).toMatch(
        new RegExp(`tenant acme:9: platform\\.jobs\\.clientSecret: .*tenant may (not )?use ${name}`),
      );
      expect(refusal.scope).toBe('usage');
      const elsewhere = `${TENANT}state: { url: "postgres://x:\${${name}}@evil.example/x", schema: tenant_acme }\n`;
      const ledger = { ...stored, configuration: elsewhere, ledgerHere: false };
      expect(() => tenantLedger(ledger, { variables, env })).toThrow(
        new RegExp(`^tenant acme: state\\.url: .* tenant may (not )?use ${name}`),
      );
    },
  );

  it('lets all tenants have what fleet.yaml shares', () => {
    const yaml = changed('ACME_SECRET', 'PLATFORM_CLIENT_SECRET');
    const cwd = tenantFolder({ 'acme.yaml': yaml });
    const definition = readTenantFile('acme.yaml', { defaultPeriodMs: 1, variables, cwd });
    const env = { ...ENVIRONMENT, PLATFORM_CLIENT_SECRET: 'one-for-all' };
    const { settings } = loadTenant(definition, { fleetUrl: FLEET_URL, variables, env });
    expect(settings.platform.jobs?.clientSecret).toBe('one-for-all');
  });

  it('follows from fleet.yaml', () => {
    expect(fleetOf(FLEET).variables).toMatchObject(variables);
  });

  it('cannot be opened for what fleet.yaml uses itself, and takes names only', () => {
    const shares = (list: string) => () => fleetOf(FLEET.replace('PLATFORM_CLIENT_SECRET', list));
    expect(problemsOf(shares('OURS, FLEET_DATABASE_URL_FILE'))).toEqual([
      'fleet.yaml:3: fleet.sharedVariables[1]: this file uses FLEET_DATABASE_URL_FILE itself, and no tenant may have such a variable; give the tenants another one',
    ]);
    expect(problemsOf(shares('A-B')).join()).toContain('must be the name of a variable, without ${ and }');
  });
});

describe('a text that is secret as a whole', () => {
  it.each(['${KEY}', '${A}${B}', '${KEY:-}', ' ${KEY} ', ''])('%j holds no secret itself', (text) => {
    expect(literalSecret(text, 'whole')).toBeNull();
  });

  it.each(['hunter2', '${KEY:-hunter2}', 'x${KEY}', '${KEY}x', '$${KEY}', '10000'])('%j does', (text) => {
    expect(literalSecret(text, 'whole')).toBe('whole');
  });
});

describe('an address', () => {
  it.each([
    '${URL}',
    '${URL:-}',
    '${URL:-postgres://db.example/hr}',
    'postgres://reader:${PW}@db.example:5432/hr',
    'postgres://${USER}:${A}${B}@${HOST}:${PORT:-5432}/${DB}',
    'postgres://reader@db.example/hr',
    'postgres://db.example/hr?password=${PW}&sslmode=require',
    'http://user:${PW}@${HOST}.example:3128',
    'http://proxy.example:${PORT}',
    'http://proxy.${DOMAIN}',
    'smtps://mail:${PW}@mail.example.com:465',
  ])('%s holds no password itself', (text) => {
    expect(literalSecret(text, 'address')).toBeNull();
  });

  it.each([
    'postgres://reader:hunter2@db.example/hr',
    '${SCHEME}://reader:hunter2@db.example/hr',
    'postgres://:hunter2@db.example/hr',
    'postgres://reader:${PW:-hunter2}@db.example/hr',
    'postgres://reader:hunter${PW}@db.example/hr',
    'postgres://reader:10000@${HOST}/hr',
    'postgres://reader:$$${PW}@db.example/hr',
    '${URL:-postgres://reader:hunter2@db.example/hr}',
    'postgres://db.example/hr?password=hunter2',
    'postgres://db.example/hr?sslpassword=${PW:-hunter2}',
  ])('%s does', (text) => {
    expect(literalSecret(text, 'address')).toBe('password');
  });

  it.each(['${BASE}/hr', 'postgres://reader:12/hunter${X}@db.example/hr'])('%s may hide one', (text) => {
    expect(literalSecret(text, 'address')).toBe('hidden');
  });

  it.each(['postgres//reader:hunter2@db', 'postgres://reader:12/34@db.example/hr'])(
    '%s is left to the schema, which refuses it',
    (text) => {
      expect(literalSecret(text, 'address')).toBeNull();
    },
  );
});
