import { describe, expect, it } from 'vitest';
import { loadFleet } from '../../../../src/features/fleet/config/load-fleet.js';
import { loadTenant, tenantLedger } from '../../../../src/features/fleet/config/load-tenant.js';
import { readTenantFile } from '../../../../src/features/fleet/config/read-tenants.js';
import { configFolder, problemsOf } from '../../../core/config/config-folder.js';
import { changed, ENVIRONMENT, readAcme, TENANT, tenantFolder } from './tenant-folder.js';

const fleetOf = (host: string, more = '') =>
  loadFleet({
    file: 'fleet.yaml',
    env: {},
    cwd: configFolder({ 'fleet.yaml': `fleet:\n  database: { url: "postgres://u@${host}/fleet" }\n${more}` }),
  });

const problemsIn = (yaml: string, { variables } = fleetOf('db.example')): string[] => {
  const cwd = tenantFolder({ 'acme.yaml': yaml });
  const read = () => readTenantFile('acme.yaml', { defaultPeriodMs: 1, variables, cwd });
  try {
    read();
    return [];
  } catch {
    return problemsOf(read);
  }
};

const baseUrl = (url: string) => changed('https://jobs.example', url);

describe('an address of a tenant', () => {
  it.each([
    ['platform.jobs.baseUrl', baseUrl('http://127.0.0.1:8080')],
    ['platform.jobs.baseUrl', baseUrl('https://169.254.169.254')],
    ['platform.jobs.baseUrl', baseUrl('https://[::ffff:127.0.0.1]')],
    ['platform.jobs.baseUrl', baseUrl('https://10.0.0.5')],
    ['platform.jobs.baseUrl', baseUrl('http://localhost')],
    [
      'platform.jobs.proxy',
      changed('    clientSecret', '    proxy: http://192.168.0.1:3128\n    clientSecret'),
    ],
    ['platform.proxy', changed('  jobs:', '  proxy: "http://u:${ACME_PW}@127.0.0.1:1"\n  jobs:')],
    ['notify.url', `${TENANT}notify: { url: "https://127.0.0.1/\${ACME_HOOK}" }\n`],
    [
      'notify.smtp.url',
      `${TENANT}notify: { smtp: { url: "smtp://[::1]:25", from: a@b.example, to: [a@b.example] } }\n`,
    ],
  ])('%s leads to no network of the fleet', (setting, yaml) => {
    expect(problemsIn(yaml).join()).toMatch(
      new RegExp(`: ${setting.replaceAll('.', '\\.')}: leads to .*fleet\\.allowedNetworks`),
    );
  });

  it('may lead where fleet.allowedNetworks says, and to this machine while the fleet itself is there', () => {
    const local = baseUrl('http://127.0.0.1:8080');
    for (const host of ['127.0.0.1:5432', 'localhost', '[::1]'])
      expect(problemsIn(local, fleetOf(host))).toEqual([]);
    expect(problemsIn(local, fleetOf('127.0.0.1', '  allowedNetworks: []\n')).join()).toContain(
      'leads to 127.0.0.1',
    );
    expect(problemsIn(baseUrl('https://169.254.169.254'), fleetOf('127.0.0.1')).join()).toContain(
      'leads to 169.254',
    );
    const inside = fleetOf('db.example', '  allowedNetworks: [10.0.0.0/8, 127.0.0.1]\n');
    expect(problemsIn(baseUrl('https://10.1.1.1'), inside)).toEqual([]);
    expect(problemsIn(local, inside)).toEqual([]);
    expect(problemsOf(() => fleetOf('db', '  allowedNetworks: [jobs.example]\n')).join()).toContain(
      'fleet.allowedNetworks[0]: must be an IP address, or a network such as',
    );
  });

  it('is looked at by the replica when it comes from a variable, with its file and its socket', () => {
    const load = (yaml: string, env: Record<string, string>) =>
      problemsOf(() =>
        loadTenant(readAcme(yaml), {
          ...{ fleetUrl: 'postgres://u@db.example/f', variables: fleetOf('db.example').variables },
          env: { ...ENVIRONMENT, ...env },
        }),
      ).join();
    expect(load(baseUrl('${ACME_URL}'), { ACME_URL: 'http://127.0.0.1' })).toContain('leads to 127.0.0.1');
    const source = changed('postgres://reader:${ACME_PASSWORD}@db.example/hr', '${ACME_URL}');
    for (const [url, what] of [
      ['postgres://u:p@h/db?sslrootcert=/dev/zero', 'sslrootcert'],
      ['postgres://u:p@h/db?sslkey=key.pem', 'sslkey'],
      ['postgres://u:p@/db?host=/run/postgresql', 'a Unix socket'],
    ] as const)
      expect(load(source, { ACME_URL: url })).toContain(`source.url: must not have ${what}`);
  });

  it('names no file of the replicas, also where only the ledger is read', () => {
    expect(problemsIn(changed('db.example/hr', 'db.example/hr?sslrootcert=/dev/zero')).join()).toContain(
      'source.url: must not have sslrootcert',
    );
    const configuration = `${TENANT}state: { url: "postgres://u@h/x?sslcert=/dev/zero", schema: tenant_acme }\n`;
    const stored = { ...readAcme(TENANT), configuration, ledgerHere: false };
    expect(() => tenantLedger(stored, { env: {} })).toThrow('must not have sslcert');
  });

  it.each([
    'postgres://${ACME_LOGIN}@db.example/hr',
    'postgres://u:${ACME_PW}@db.example/hr?sslmode=${ACME_MODE}',
  ])('%s is taken with its references', (url) => {
    expect(problemsIn(changed('postgres://reader:${ACME_PASSWORD}@db.example/hr', url))).toEqual([]);
  });
});
