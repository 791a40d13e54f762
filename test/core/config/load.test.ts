import { join, relative } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/core/config/load.js';
import { planted, secretsIn } from '../../security/planted.js';
import { configFolder, load, loadFrom, problemsOf, refusalOf, SMALL } from './config-folder.js';

/** SMALL with a text in place of another. */
function changed(from: string, to: string): string {
  expect(SMALL).toContain(from);
  return SMALL.replace(from, to);
}

describe('a small configuration', () => {
  it.each(['http://127.0.0.1:8080', 'http://localhost:8080', 'http://[::1]:8080'])(
    'holds a rehearsal at %s to no rate, unless one is set',
    (address) => {
      const rehearsal = SMALL.replace(/(baseUrl: ).*/, `$1${address}`);
      expect(load(rehearsal).settings.platform.jobs).toMatchObject({ ratePerSecond: null });
      const withRate = rehearsal.replace(/^( *)baseUrl:.*$/m, '$&\n$1ratePerSecond: 3');
      expect(load(withRate).settings.platform.jobs).toMatchObject({ ratePerSecond: 3 });
    },
  );

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
      maxReplicaLagMs: null,
    });
    expect(settings.state).toEqual({
      url: 'postgres://reader:pw@db.example/hr',
      poolMax: 8,
      schema: 'placement_sync',
      leaseTtlMs: 30_000,
      retentionMs: 90 * 86_400_000,
      deliveryRetentionMs: 400 * 86_400_000,
      statusRetentionMs: 180 * 86_400_000,
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
      maxSameRefusals: 5,
      maxRejectedInARow: 50,
      requireReason: false,
    });
    expect(settings.retry).toEqual({
      maxAttempts: 10,
      baseDelayMs: 30_000,
      maxDelayMs: 21_600_000,
      breakerAfter: 10,
      maxPauseMs: 60_000,
      runForMs: 120_000,
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
    ['url: mysql://host/db', 'state.url: is an address of another kind: it begins with mysql://, and one of'],
    ['url: notaurl', 'state.url: is not an address such as postgres://'],
    [
      "url: 'postgres://u:p#s@host/db'",
      'state.url: is not an address such as postgres://user:password@host:5432/database: its password has a character (#) that ends it too early; in the password',
    ],
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

describe('credentials', () => {
  const LINE_FEED = 'look for a line feed at the end of its file or variable';

  it.each(['"part ner"', '"partner\\n"', '"pärtner"', '"part\\tner"'])(
    'refuses the client id %s, which no header can carry, and says where to look',
    (value) => {
      expect(problemsOf(() => load(SMALL.replace('partner', value)))).toEqual([
        `config.yaml:8: platform.jobs.clientId: must be plain characters without blanks; ${LINE_FEED}`,
      ]);
    },
  );

  it('takes blanks inside of a secret, but no control characters', () => {
    const yaml = (value: string) => SMALL.replace('secret-key', value);
    expect(load(yaml('"a b ü"')).settings.platform.jobs?.clientSecret).toBe('a b ü');
    const [problem = ''] = problemsOf(() => load(yaml('"S3cret\\n"')));
    expect(problem).toBe(
      `config.yaml:9: platform.jobs.clientSecret: must not contain control characters; ${LINE_FEED}`,
    );
  });

  it('cuts one line feed of a file, and refuses a second', () => {
    const folder = configFolder({
      'config.yaml': SMALL.replace('secret-key', '${KEY}'),
      one: 'S3cret\n',
      two: 'S3cret\n\n',
    });
    const load = (KEY_FILE: string) => loadConfig({ file: 'config.yaml', env: { KEY_FILE }, cwd: folder });
    expect(load('one').settings.platform.jobs?.clientSecret).toBe('S3cret');
    expect(problemsOf(() => load('two'))).toEqual([expect.stringContaining(LINE_FEED)]);
  });

  it('says of an empty client id only that', () => {
    expect(problemsOf(() => load(SMALL.replace('clientId: partner', 'clientId: ""')))).toEqual([
      'config.yaml:8: platform.jobs.clientId: must not be empty',
    ]);
  });
});

describe('the path of the webhook', () => {
  it('takes only a path that a request can have', () => {
    expect(problemsOf(() => load(`${SMALL}webhook:\n  path: /hooks?a=1\n`))).toEqual([
      expect.stringContaining('webhook.path: must not contain ? or #'),
    ]);
    for (const path of ['/lamaran-kerjä', 'hooks', '"/a b"']) {
      expect(problemsOf(() => load(`${SMALL}webhook:\n  path: ${path}\n`))).toEqual([
        expect.stringContaining('webhook.path: must begin with "/" and be plain characters'),
      ]);
    }
  });
});

describe('secret slips', () => {
  const INLINE = planted('inline');
  const WHOLE = `${SMALL}webhook: { secrets: [SECRETS] }
http: { admin: { token: TOKEN } }
notify: { url: 'URL', secret: NOTIFY, smtp: { url: 'SMTP', from: a@b.example, to: [b@b.example] } }
`
    .replace('SECRETS', planted('webhook'))
    .replace('TOKEN', planted('token'))
    .replace('URL', `https://hooks.example/${planted('path')}`)
    .replace('NOTIFY', planted('notify'))
    .replace('SMTP', `smtps://ops:${planted('mail')}@mail.example`)
    .replace('reader:pw@', `reader:${planted('database')}@`);

  /** What stands in the file, and what somebody wrote in its place. */
  const SLIPS: readonly (readonly [string, string])[] = [
    ['secret-key', `"${INLINE}`],
    ['secret-key', `'${INLINE}' ${INLINE}`],
    ['secret-key', `${INLINE}: x\n     ${INLINE}`],
    ['secret-key', `@${INLINE}`],
    ['secret-key', `*${INLINE}`],
    ['secret-key', `!${INLINE} x`],
    ['secret-key', `"\\${INLINE}"`],
    ['secret-key', `[${INLINE}]`],
    ['secret-key', `{ word: ${INLINE} }`],
    ['secret-key', `\${${INLINE}}`],
    ['secret-key', `\${NAME:${INLINE}`],
    ['secret-key', `"${INLINE}\\n"`],
    ['clientSecret: secret-key', `clientSecret: ${INLINE}\n    clientSecret: ${INLINE}`],
    ['clientSecret: secret-key', `clientSecrets: ${INLINE}`],
    ['https://jobs.example', `https://${INLINE}:${INLINE}@jobs.example`],
    ['postgres://', `mysql://u:${INLINE}@db/x?password=${INLINE}#`],
    ['postgres://', `postgres://u:${INLINE}@db:${INLINE}/`],
    // A password that begins like a port, or not at all, and has what ends a host.
    ...['12/', '/', '?', '12?', '#', '12#'].map(
      (start) => ['postgres://reader:', `postgres://reader:${start}${INLINE}`] as const,
    ),
    ['postgres://reader:', `postgres://reader@domain:12/${INLINE}`],
    ['secrets: [', `secrets: ['', "${INLINE}\\n", {a: ${INLINE}}, `],
    ['token: ', `token: [${INLINE}] #`],
    ['https://hooks.example/', `http://hooks.example/${INLINE}/`],
    ['https://hooks.example/', `${INLINE} `],
    ['smtps://', `smtpz://${INLINE}:${INLINE}@`],
    ['smtps://', `smtp://${INLINE}:${INLINE}@mail.example:${INLINE}/`],
  ];

  it.each(SLIPS)('a slip at %j is told without what was written there (%#)', (from, to) => {
    expect(WHOLE).toContain(from);
    const folder = configFolder({ 'config.yaml': WHOLE.replace(from, to) });
    const error = refusalOf(() => loadConfig({ file: 'config.yaml', env: {}, cwd: folder }));
    expect(secretsIn(inspect(error, { depth: 20, breakLength: Infinity }))).toEqual([]);
  });

  it('the whole configuration without a slip is accepted, and printed with every secret masked', () => {
    const config = loadConfig({ file: 'config.yaml', env: {}, cwd: configFolder({ 'config.yaml': WHOLE }) });
    expect(secretsIn(JSON.stringify([config.masked(), config.warnings]))).toEqual([]);
    for (const name of ['webhook', 'token', 'path', 'notify', 'mail', 'database'])
      expect(config.secrets(), name).toContain(planted(name));
  });

  it('a secret in a file is left out of what is said of that file', () => {
    const yaml = SMALL.replace('secret-key', '${KEY}');
    const folder = configFolder({ 'config.yaml': yaml, key: `${INLINE}\n${INLINE}` });
    for (const env of [{ KEY: INLINE, KEY_FILE: 'key' }, { KEY_FILE: 'key' }, { KEY_FILE: 'none' }]) {
      const error = refusalOf(() => loadConfig({ file: 'config.yaml', env, cwd: folder }));
      expect(secretsIn(inspect(error, { depth: 20 }))).toEqual([]);
    }
  });
});
