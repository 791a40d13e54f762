import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load.js';
import { configFolder, load, loadFrom, problemsOf, refusalOf, SMALL } from './config-folder.js';

/** SMALL with a text in place of another. */
function changed(from: string, to: string): string {
  expect(SMALL).toContain(from);
  return SMALL.replace(from, to);
}

describe('a small configuration', () => {
  it('gets every default, durations in milliseconds, and the source as state database', () => {
    const { settings, warnings } = load(SMALL);
    expect(warnings).toEqual([]);
    expect(settings.source).toEqual({
      url: 'postgres://reader:pw@db.example/hr',
      poolMax: 4,
      statementTimeoutMs: 600_000,
      timeZone: null,
      sessionTimeZone: null,
      rowSecurity: 'refuse',
    });
    expect(settings.state).toEqual({
      url: 'postgres://reader:pw@db.example/hr',
      poolMax: 8,
      schema: 'placement_sync',
      leaseTtlMs: 30_000,
      retentionMs: 90 * 86_400_000,
      deliveryRetentionMs: 400 * 86_400_000,
    });
    expect(settings.platform).toMatchObject({
      jobs: { ratePerSecond: 10, concurrency: 4, timeoutMs: 30_000, allowHttp: false },
      signature: { profile: 'digest-lines' },
      timeZone: 'Asia/Jakarta',
      operations: {},
    });
    expect(settings.guards).toEqual({
      maxVanishedPercent: 10,
      maxVanishedCount: 1000,
      maxInvalidPercent: 50,
      maxChangedPercent: 50,
      maxRejectedInARow: 50,
    });
    expect(settings.retry).toEqual({
      maxAttempts: 10,
      baseDelayMs: 30_000,
      maxDelayMs: 21_600_000,
      breakerAfter: 10,
      maxPauseMs: 60_000,
    });
    expect(settings.sweep).toEqual({ fullEveryMs: 86_400_000 });
    expect(settings.webhook).toMatchObject({ path: '/webhooks/job-applications', toleranceMs: 300_000 });
    expect(settings.logging).toEqual({ level: 'info', format: 'json' });
  });

  it('hands over the query untouched', () => {
    const { entities } = loadFrom({ 'companies.sql': '-- héllo\nselect 1 as key where 1 = ?; ' });
    expect(entities.get('companies')).toMatchObject({
      sql: '-- héllo\nselect 1 as key where 1 = ?; ',
      onVanished: 'report',
      plainText: [],
      required: null,
      lookups: {},
    });
  });

  it('lists entities in the order of the registry, whatever the order in the file', () => {
    const yaml = changed('entities:\n', 'entities:\n  vacancies: { query: companies.sql }\n');
    expect([...load(yaml).entities.keys()]).toEqual(['companies', 'vacancies']);
  });

  it('takes a block with every line commented out as its defaults', () => {
    expect(load(`${SMALL}guards:\n#  maxVanishedCount: 5\n`).settings.guards.maxVanishedCount).toBe(1000);
  });
});

describe('the file', () => {
  it('is found from any working directory, and its paths start at its own folder', () => {
    const folder = configFolder({
      'conf/sync.yaml': changed('companies.sql', '../sql/companies.sql'),
      'sql/companies.sql': 'select 2 as key',
    });
    const sql = [
      loadConfig({ file: 'conf/sync.yaml', env: {}, cwd: folder }),
      loadConfig({ file: 'sync.yaml', env: {}, cwd: join(folder, 'conf') }),
      loadConfig({ file: relative('/usr', join(folder, 'conf/sync.yaml')), env: {}, cwd: '/usr' }),
      loadConfig({ file: join(folder, 'conf/sync.yaml'), env: {}, cwd: '/' }),
    ].map(({ entities }) => entities.get('companies')?.sql);
    expect(sql).toEqual(Array(4).fill('select 2 as key'));
  });

  it('is --config before PLACEMENT_SYNC_CONFIG before config/placement-sync.yaml', () => {
    const folder = configFolder({
      'config/placement-sync.yaml': changed('companies.sql', '../companies.sql'),
    });
    const env = { PLACEMENT_SYNC_CONFIG: 'config.yaml' };
    const found = [
      loadConfig({ file: 'config/placement-sync.yaml', env, cwd: folder }),
      loadConfig({ env, cwd: folder }),
      loadConfig({ env: { PLACEMENT_SYNC_CONFIG: '' }, cwd: folder }),
    ].map(({ file }) => relative(folder, file));
    expect(found).toEqual(['config/placement-sync.yaml', 'config.yaml', 'config/placement-sync.yaml']);
  });

  it('says when it is missing, and how to make one', () => {
    const refusal = refusalOf(() => loadConfig({ env: {}, cwd: configFolder() }));
    expect(refusal).toMatchObject({
      scope: 'usage',
      message: 'the configuration config/placement-sync.yaml does not exist',
      hint: expect.stringContaining('Copy config/placement-sync.example.yaml') as string,
    });
  });

  it('does not say to copy something to a place where a folder is', () => {
    const refusal = refusalOf(() => loadConfig({ file: '.', env: {}, cwd: configFolder() }));
    expect(refusal.message).toMatch(/is a folder$/);
    expect(refusal.hint).toBe('Name yours with --config FILE or PLACEMENT_SYNC_CONFIG.');
  });

  it.each([
    [
      '',
      'config.yaml:1: the configuration is empty; config/placement-sync.example.yaml shows what belongs here',
    ],
    ['- a\n', 'config.yaml:1: the configuration must be a block of "setting: value" lines'],
  ])('of content %j is refused', (yaml, message) => {
    expect(problemsOf(() => load(yaml))).toEqual([message]);
  });
});

describe('problems', () => {
  it('are told all at once with their lines: unset variables, types, names, missing settings and files', () => {
    const yaml = `source:
  url: \${SOURCE_DATABASE_URL}
  poolMax: many
  statementTimout: 5m
ids:
  namespace: not-a-uuid
platform:
  jobs:
    baseUrl: https://jobs.example
    baseUrl: https://jobs.example
    clientId: 4711
    ratePerSecond: 0
    timeout: 30
entities:
  companies:
    query: nowhere.sql
    plainText: [abuot]
  vacancies:
    query: companies.sql
    onVanished: reprot
  institutions:
    query: companies.sql
guards: { maxVanishedPercent: 101 }
shedule: {}
`;
    const folder = configFolder({ 'config.yaml': yaml });
    const refusal = refusalOf(() => loadConfig({ file: 'config.yaml', env: {}, cwd: folder }));
    expect(refusal.message.replaceAll(folder, '')).toBe(
      `the configuration has 15 problems:
config.yaml:2: source.url: the environment variable SOURCE_DATABASE_URL is not set (nor SOURCE_DATABASE_URL_FILE)
config.yaml:3: source.poolMax: must be a whole number from 1 to 100
config.yaml:4: source.statementTimout: there is no such setting; did you mean "statementTimeout"?
config.yaml:6: ids.namespace: must be a UUID
config.yaml:7: platform.training: is required, because institutions go there: baseUrl, clientId and clientSecret
config.yaml:8: platform.jobs.clientSecret: is required: Secret key that belongs to the client id; signs every request and is never sent or printed.
config.yaml:10: "baseUrl" is set twice in the same place
config.yaml:11: platform.jobs.clientId: must be text, but YAML reads this as a number; put it in quotes
config.yaml:12: platform.jobs.ratePerSecond: must be a whole number, 1 or more
config.yaml:13: platform.jobs.timeout: must be a duration such as 500ms, 30s, 10m, 6h or 7d
config.yaml:16: entities.companies.query: /nowhere.sql does not exist
config.yaml:17: entities.companies.plainText[0]: companies has no column "abuot"; did you mean "about"?
config.yaml:20: entities.vacancies.onVanished: must be one of report, ignore, close, delete, not "reprot"; did you mean "report"?
config.yaml:23: guards.maxVanishedPercent: must be a number from 0 to 100
config.yaml:24: shedule: there is no such setting; did you mean "schedule"?`,
    );
    expect(refusal.details.problems).toHaveLength(15);
  });

  it.each([
    ['leaseTtl: 1s', 'state.leaseTtl: must be at least 2s'],
    ['leaseTtl: soon', 'state.leaseTtl: must be a duration such as 500ms, 30s, 10m, 6h or 7d'],
    ['schema: Placement-Sync', 'state.schema: must be a plain schema name'],
    ['url: mysql://host/db', 'state.url: is not an address such as postgres://'],
    ['url: postgres://u:p%40ss@[host', 'state.url: is not an address such as postgres://'],
    ['poolMax:', 'state.poolMax: has no value; it must be a whole number from 1 to 100'],
    ['poolMax: "8"', 'state.poolMax: must be a whole number from 1 to 100'],
    ['poolMax: 1.5', 'state.poolMax: must be a whole number from 1 to 100'],
  ])('name the rule that state: { %s } breaks', (line, message) => {
    expect(problemsOf(() => load(`${SMALL}state:\n  ${line}\n`))).toEqual([
      expect.stringContaining(`config.yaml:14: ${message}`),
    ]);
  });

  it.each(['Jakarta', '+07:00', 'Asia/Jakatra', ''])('refuse the time zone "%s"', (zone) => {
    const yaml = SMALL.replace('platform:', `platform:\n  timeZone: "${zone}"`);
    expect(problemsOf(() => load(yaml))).toEqual([
      'config.yaml:6: platform.timeZone: is not a known time zone; write a name such as Asia/Jakarta or UTC',
    ]);
  });

  it('say what belongs into a block in which a name fits nothing', () => {
    expect(problemsOf(() => load(`${SMALL}sweep: { xyz: 1 }\n`))).toEqual([
      'config.yaml:13: sweep.xyz: there is no such setting; known here: fullEvery',
    ]);
  });

  it('never show a secret or an address with a password', () => {
    const yaml = changed('clientSecret: secret-key', 'clientSecret: [hunter2]').replace(
      'postgres://reader:pw@db.example/hr',
      'postgres//reader:hunter2@db.example/hr',
    );
    const refusal = refusalOf(() => load(yaml));
    expect(refusal.details.problems).toHaveLength(2);
    expect(JSON.stringify([refusal.message, refusal.details])).not.toContain('hunter2');
  });
});
