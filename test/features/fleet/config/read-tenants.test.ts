import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadFleet } from '../../../../src/features/fleet/config/load-fleet.js';
import { readTenantFile, readTenantFolder } from '../../../../src/features/fleet/config/read-tenants.js';
import { problemsOf, refusalOf } from '../../../core/config/config-folder.js';
import {
  changed,
  problemsOfAcme,
  readAcme,
  readFolder,
  SHARED,
  TENANT,
  tenantFolder,
} from './tenant-folder.js';

describe('read tenant file', () => {
  const withSchema = `${TENANT}state: { schema: ledger_of_acme }\n`;
  const withTenant = (block: string) => `${withSchema}tenant: ${block}\n`;

  describe('a tenant', () => {
    it('is what its file says, with the file as it is and the texts that it names', () => {
      expect(readAcme(withSchema)).toEqual({
        name: 'acme',
        configuration: withSchema,
        files: { 'queries/companies.sql': 'select 1 as key' },
        periodMs: 600_000,
        lane: 'auto',
        enabled: true,
        schema: 'ledger_of_acme',
        ledgerHere: true,
      });
    });

    it('says in its own block how the fleet runs it', () => {
      expect(readAcme(withTenant('{ period: 1h, lane: large, enabled: false }'))).toMatchObject({
        periodMs: 3_600_000,
        lane: 'large',
        enabled: false,
      });
    });

    it('may have a schedule, listeners, a webhook and notices as any configuration', () => {
      const yaml = `${withSchema}schedule: { sync: '0 * * * *' }
http: { admin: { port: 9091 } }
webhook: { secrets: ['\${ACME_HOOK}'] }
notify: { smtp: { url: 'smtp://sync:\${ACME_MAIL}@mail.example', from: sync@example.com, to: [ops@example.com] } }
`;
      expect(readAcme(yaml).configuration).toBe(yaml);
    });

    it.each(['Acme.yaml', 'a b.yaml', '-acme.yaml', 'acme.yml', `${'a'.repeat(61)}.yaml`])(
      'is not named %s',
      (file) => {
        const cwd = tenantFolder({ [file]: withSchema });
        expect(
          problemsOf(() => readTenantFile(file, { defaultPeriodMs: 1, variables: SHARED, cwd })),
        ).toEqual([
          `${file}: the name of the file is the name of the tenant: small letters, digits, - and _, at most 60, beginning with a letter or a digit, and then .yaml`,
        ]);
      },
    );

    it('whose file is missing is refused with the file’s name', () => {
      const refusal = refusalOf(() =>
        readTenantFile('acme.yaml', { defaultPeriodMs: 1, variables: SHARED, cwd: tenantFolder({}) }),
      );
      expect(refusal).toMatchObject({ code: 'config-invalid', scope: 'usage' });
      expect(refusal.message).toBe("the tenant's file has one problem:\nacme.yaml: does not exist");
    });

    it('is refused with all its problems at once, each with its line', () => {
      const yaml = `tenant: { priod: 1h, lane: big }
source:
  url: postgres://reader:hunter2@db.example/hr
  poolMax: many
ids: { namespace: "\${ACME_NAMESPACE}" }
platform:
  jobs:
    baseUrl: http://jobs.example
    clientId: \${ACME_ID}
    clientSecret: hunter2
    ratePerSecond: \${ACME_RATE:-fast}
entities:
  companies:
    query: nowhere.sql
    lookups: { industri: nowhere.csv }
  trainings: { query: queries/companies.sql }
`;
      const problems = problemsOfAcme(yaml);
      expect(problems).toEqual([
        'acme.yaml:1: tenant.lane: must be one of auto, sync, large, not "big"',
        'acme.yaml:1: tenant.priod: there is no such setting; did you mean "period"?',
        'acme.yaml:3: source.url: a password must not stand in the file, also not in part or as a default; write ${ACME_SOURCE_PASSWORD} in its place, and give that variable to the replicas',
        'acme.yaml:4: source.poolMax: must be a whole number from 1 to 100',
        'acme.yaml:6: platform.training: is required, because trainings go there: baseUrl, clientId and clientSecret',
        'acme.yaml:8: platform.jobs.baseUrl: must begin with https:// (http:// only on this machine, or with allowHttp: true)',
        'acme.yaml:10: platform.jobs.clientSecret: a secret must not stand in the file, also not in part or as a default; write ${ACME_JOBS_CLIENT_SECRET}, and give that variable to the replicas',
        'acme.yaml:11: platform.jobs.ratePerSecond: must be a whole number, 1 or more',
        'acme.yaml:14: entities.companies.query: nowhere.sql does not exist',
        'acme.yaml:15: entities.companies.lookups.industri: companies has no column of this name; did you mean "industry"?',
        'acme.yaml:15: entities.companies.lookups.industri: nowhere.csv does not exist',
        'acme.yaml:16: entities.trainings: needs the entity institutions; configure entities.institutions',
      ]);
      expect(problems.join()).not.toContain('hunter2');
    });

    it.each([
      ['', 'acme.yaml:1: the configuration is empty; config/tenant.example.yaml shows what belongs here'],
      ['a: [', 'acme.yaml:1: the indentation does not fit'],
      ['source: 1\nsource: 2\n', 'acme.yaml:2: "source" is set twice in the same place'],
      [
        'source: ${ACME_SOURCE}\n',
        'acme.yaml:1: source: must be a block of settings or a list; ${NAME} gives text',
      ],
    ])('of the text %j is refused', (yaml, problem) => {
      expect(problemsOfAcme(yaml).join('\n')).toContain(problem);
    });
  });

  describe('what the environment of a replica fills in', () => {
    it('needs no value here, also where a number, a word, or true and false stand', () => {
      const yaml = `${withSchema.replace('clientId: partner', 'clientId: ${ACME_ID}\n    ratePerSecond: ${ACME_RATE}')}guards: { maxVanishedCount: "\${ACME_COUNT}" }
logging: { level: "\${ACME_LEVEL}" }
`;
      expect(readAcme(yaml).configuration).toBe(yaml);
    });

    it('is checked where it is wrong whatever the environment has', () => {
      expect(
        problemsOfAcme(`${withSchema}logging: { level: "\${ACME_LEVEL:-lowd}", format: "\${bad name}" }\n`),
      ).toEqual([
        'acme.yaml:14: logging.format: the text between "${" and "}" is not a name; write ${NAME} or ${NAME:-default}, and $${ for a literal "${"',
        'acme.yaml:14: logging.level: must be one of error, warn, info, debug, not "lowd"',
      ]);
    });

    it.each([
      'postgre://reader:${ACME_PW}@db.example/hr',
      'postgres://reader:${ACME_PW}@db.example/h r',
      'postgres://r:1?x${ACME_PW}@db/hr',
    ])('does not make an address of %s', (url) => {
      expect(
        problemsOfAcme(withSchema.replace('postgres://reader:${ACME_PASSWORD}@db.example/hr', url)),
      ).toEqual([
        expect.stringMatching(
          /^acme\.yaml:2: source\.url: is (not an address such as postgres:|an address of another kind: it begins with postgre:)/,
        ),
      ]);
    });

    it('leaves rules between settings to the replica when it decides a choice', () => {
      const http = withSchema.replace('https://jobs.example', 'http://jobs.example');
      expect(problemsOfAcme(http)).toHaveLength(1);
      expect(readAcme(http.replace('clientId:', 'allowHttp: ${ACME_ALLOW:-false}\n    clientId:')).name).toBe(
        'acme',
      );
    });

    it.each([
      ['tenant.period', withTenant('{ period: "${ACME_PERIOD:-10m}" }')],
      ['tenant.enabled', withTenant('{ enabled: "${ACME_ENABLED:-true}" }')],
      ['state.schema', `${TENANT}state: { schema: "\${ACME_PLACEMENT_SYNC_SCHEMA:-placement_sync}" }\n`],
      ['entities.companies.query', withSchema.replace('queries/', '${ACME_FOLDER:-queries}/')],
      ['platform.ca', withSchema.replace('platform:\n', 'platform:\n  ca: ${ACME_CA:-ca.pem}\n')],
    ])('is not %s, which the fleet reads itself', (setting, yaml) => {
      const files = { 'ca.pem': '-----BEGIN CERTIFICATE-----' };
      expect(problemsOfAcme(yaml, files).map((line) => line.replace(/^acme\.yaml:\d+: /, ''))).toContain(
        `${setting}: must not depend on the environment, because the fleet reads it when the file is applied; write it out`,
      );
    });
  });

  describe('a secret', () => {
    it.each([
      ['webhook: { secrets: [hunter2] }', 'webhook.secrets[0]', 'ACME_WEBHOOK_SECRETS_0'],
      ['notify: { url: "https://hooks.example/${ACME_KEY}", secret: null }', 'notify.url', 'ACME_NOTIFY_URL'],
      ['notify: { secret: "${ACME_SECRET:-hunter2}" }', 'notify.secret', 'ACME_NOTIFY_SECRET'],
      ['http: { admin: { token: hunter2 } }', 'http.admin.token', 'ACME_HTTP_ADMIN_TOKEN'],
    ])('of %s must be a reference', (block, setting, name) => {
      expect(problemsOfAcme(`${withSchema}${block}\n`)).toEqual([
        `acme.yaml:14: ${setting}: a secret must not stand in the file, also not in part or as a default; write \${${name}}, and give that variable to the replicas`,
      ]);
    });

    it('in the header of a gateway and in the address of a proxy or a mail server must be one too', () => {
      const yaml = withSchema.replace(
        'platform:\n',
        'platform:\n  headers: { X-Key: hunter2 }\n  proxy: http://me:hunter2@proxy.example:3128\n',
      );
      const mail =
        'notify: { smtp: { url: smtp://me:hunter2@mail.example, from: a@b.example, to: [c@d.example] } }';
      expect(problemsOfAcme(`${yaml}${mail}\n`)).toEqual([
        expect.stringMatching(
          /^acme\.yaml:6: platform\.headers\.X-Key: a secret must .* \$\{ACME_HEADERS_X_KEY\}/,
        ),
        expect.stringMatching(/^acme\.yaml:7: platform\.proxy: a password must .* \$\{ACME_PROXY_PASSWORD\}/),
        expect.stringMatching(
          /^acme\.yaml:16: notify\.smtp\.url: a password must .* \$\{ACME_NOTIFY_SMTP_PASSWORD\}/,
        ),
      ]);
    });

    it('is proposed under a name that a variable may have', () => {
      const cwd = tenantFolder({ '3-ways.yaml': changed('${ACME_SECRET}', 'hunter2') });
      expect(
        problemsOf(() =>
          readTenantFile('3-ways.yaml', { defaultPeriodMs: 1, variables: SHARED, cwd }),
        ).join(),
      ).toContain('${_3_WAYS_JOBS_CLIENT_SECRET}');
    });
  });

  describe('the schema of the ledger', () => {
    it.each([
      ['comes last in a file without state', TENANT],
      [
        'comes into the block that is there',
        `# ours\n${TENANT}state:\n  url: \${ACME_STATE} # shared\nsweep: { fullEvery: 1h }\n`,
      ],
      ['comes into a block in brackets', `${TENANT}state: { poolMax: 2 }\n`],
      ['takes the place of an empty block', `${TENANT}state:\n`],
    ])('%s when it is not set', (_, yaml) => {
      const { configuration, schema } = readAcme(yaml);
      expect(schema).toBe('tenant_acme');
      const before = parse(yaml) as { state?: object };
      expect(parse(configuration)).toEqual({ ...before, state: { ...before.state, schema: 'tenant_acme' } });
      for (const comment of yaml.match(/#.*/g) ?? []) expect(configuration).toContain(comment);
    });

    it('leaves the lines before it where they are', () => {
      expect(readAcme(TENANT).configuration).toBe(`${TENANT}state:\n  schema: tenant_acme\n`);
    });

    it('has _ for - of the name', () => {
      const cwd = tenantFolder({ 'acme-west.yaml': TENANT });
      expect(readTenantFile('acme-west.yaml', { defaultPeriodMs: 1, variables: SHARED, cwd }).schema).toBe(
        'tenant_acme_west',
      );
    });

    it('is not that of the fleet or of its engine, written or derived', () => {
      const own = (name: string, yaml: string) => {
        const cwd = tenantFolder({ [`${name}.yaml`]: yaml });
        return problemsOf(() =>
          readTenantFile(`${name}.yaml`, {
            defaultPeriodMs: 1,
            variables: SHARED,
            fleetSchema: 'tenant_hub',
            cwd,
          }),
        );
      };
      const message = 'state.schema: is the schema of the fleet; each tenant needs its own';
      expect(own('hub', TENANT)).toEqual([`hub.yaml:1: ${message}`]);
      expect(own('acme', `${TENANT}state: { schema: tenant_hub }\n`)).toEqual([`acme.yaml:13: ${message}`]);
      const ofJobs = 'state.schema: is the schema of the jobs of the fleet; each tenant needs its own';
      expect(own('hub_jobs', TENANT)).toEqual([`hub_jobs.yaml:1: ${ofJobs}`]);
      const elsewhere = 'state: { url: "${ACME_STATE}", schema: tenant_hub_jobs }';
      expect(own('acme', `${TENANT}${elsewhere}\n`)).toEqual([`acme.yaml:13: ${ofJobs}`]);
    });

    it('is required where the name is too long for it, or other blocks share the block', () => {
      const name = 'a'.repeat(57);
      const cwd = tenantFolder({ [`${name}.yaml`]: TENANT });
      expect(
        problemsOf(() => readTenantFile(`${name}.yaml`, { defaultPeriodMs: 1, variables: SHARED, cwd })),
      ).toEqual([
        `${name}.yaml:1: state.schema: is required, because tenant_${name} is too long for the name of a schema`,
      ]);
      const shared = TENANT.replace('source:\n', 'source: &db\n');
      expect(problemsOfAcme(`${shared}state: *db\n`)).toEqual([
        expect.stringMatching(
          /state\.schema: is required here, because other blocks share the block "state"/,
        ),
      ]);
    });
  });

  it('the example of a tenant has nothing wrong in it, in the fleet of the example', () => {
    const { variables } = loadFleet({
      file: 'config/fleet.example.yaml',
      env: { FLEET_DATABASE_URL: 'postgres://fleet@db.example/fleet' },
    });
    const cwd = tenantFolder({});
    mkdirSync(join(cwd, 'tenants'));
    for (const folder of ['queries', 'reference'])
      cpSync(join('config', folder), join(cwd, 'tenants', folder), { recursive: true });
    writeFileSync(join(cwd, 'tenants/acme.yaml'), readFileSync('config/tenant.example.yaml'));
    const definition = readTenantFile('tenants/acme.yaml', { defaultPeriodMs: 600_000, variables, cwd });
    expect(definition).toMatchObject({
      name: 'acme',
      periodMs: 1_800_000,
      lane: 'auto',
      schema: 'tenant_acme',
    });
    expect(Object.keys(definition.files)).toHaveLength(9);
  });
});

describe('a folder of tenants', () => {
  it('has a tenant for each file, in the order of their names; subfolders and hidden files are left alone', () => {
    const tenants = readFolder({
      'beta.yaml': changed('6ba7b810', '6ba7b811'),
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
    expect(refusalOf(act).message.split('\n')[0]).toBe('the tenants have 11 problems:');
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
    const problems = problemsOf(() =>
      readFolder({ 'a-b.yaml': TENANT, 'a_b.yaml': TENANT, 'c.yaml': state('postgres://u@other.example/x') }),
    );
    expect(problems.filter((line) => line.includes('schema'))).toEqual([
      'a_b.yaml:1: state.schema: tenant_a_b is also the schema of a-b.yaml; each tenant needs its own',
      'c.yaml:15: state.schema: tenant_a_b is also the schema of a-b.yaml; each tenant needs its own',
    ]);
  });

  it('has no two tenants that send with one credential and namespace, as a copied file would', () => {
    const own = TENANT.replaceAll('ACME_', 'BETA_');
    const files = (beta: string) => () => readFolder({ 'acme.yaml': TENANT, 'beta.yaml': beta });
    expect(problemsOf(files(own)).filter((line) => line.includes('namespace'))).toEqual([
      'beta.yaml:4: ids.namespace: is also the namespace of acme.yaml, which has the same baseUrl and clientId: each would overwrite the records of the other; give this tenant one of its own (uuidgen)',
    ]);
    for (const [from, to] of [
      ['6ba7b810', '6ba7b811'],
      ['https://jobs.example', 'https://other.example'],
      ['clientId: partner', 'clientId: another'],
    ] as const)
      expect(files(own.replace(from, to))()).toHaveLength(2);
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
