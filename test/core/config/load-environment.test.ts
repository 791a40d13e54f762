import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import {
  interpolate,
  mentions,
  replaceMentions,
  type Variable,
} from '../../../src/core/config/interpolate.js';
import { environmentReader } from '../../../src/core/config/read-named-config.js';
import { settingsSchema } from '../../../src/core/config/schema.js';
import { maskAddress, secretTexts } from '../../../src/core/config/secrets.js';
import { configFolder, load, loadFrom, problemsOf, SMALL } from './config-folder.js';

const withArea = (lines: string) => SMALL.replace('platform:\n  jobs:\n', `platform:\n  jobs:\n${lines}`);

describe('a value from the environment', () => {
  it('becomes a number, a boolean or null where the setting is one', () => {
    const yaml = withArea(
      '    concurrency: ${C}\n    allowHttp: ${H}\n    ratePerSecond: ${R}\n    timeout: ${T:-5s}\n',
    );
    const { jobs } = load(yaml, { C: ' 7 ', H: 'true', R: 'null' }).settings.platform;
    expect(jobs).toMatchObject({ concurrency: 7, allowHttp: true, ratePerSecond: null, timeoutMs: 5000 });
  });

  it('stays text where the setting is text, whatever it looks like', () => {
    const env = { ID: '0123', SECRET: 'true' };
    const yaml = SMALL.replace('partner', '${ID}').replace('secret-key', '${SECRET}');
    expect(load(yaml, env).settings.platform.jobs).toMatchObject({
      clientId: '0123',
      clientSecret: 'true',
    });
  });

  it('that is empty leaves a setting with a default at its default, and is nothing for a required one', () => {
    const yaml = withArea('    concurrency: ${C:-}\n    ratePerSecond: ${C:-}\n');
    expect(load(yaml).settings.platform.jobs).toMatchObject({ concurrency: 4, ratePerSecond: null });
    expect(problemsOf(() => load(SMALL.replace('secret-key', '${S}'), { S: '' }))).toEqual([
      'config.yaml:9: platform.jobs.clientSecret: must not be empty',
    ]);
  });

  it.each([
    ['C', 'eight', 'platform.jobs.concurrency: must be a whole number from 1 to 1000'],
    ['H', 'yes', 'platform.jobs.allowHttp: must be true or false'],
  ])('is refused when %s=%s', (name, value, message) => {
    const yaml = withArea('    concurrency: ${C:-4}\n    allowHttp: ${H:-false}\n');
    expect(problemsOf(() => load(yaml, { [name]: value }))).toEqual([expect.stringContaining(message)]);
  });

  it('cannot change the structure', () => {
    const attack = 'x: } , allowHttp: true, evil: [ &a *a "\'#${PATH}';
    const { platform } = load(SMALL.replace('secret-key', '${SECRET}'), {
      SECRET: attack,
      PATH: '/bin',
    }).settings;
    expect(platform.jobs).toMatchObject({ clientSecret: attack, allowHttp: false });
    expect(platform).not.toHaveProperty('evil');
    const lines = 'x: }\n    allowHttp: true\n  evil: [';
    expect(problemsOf(() => load(SMALL.replace('secret-key', '${SECRET}'), { SECRET: lines }))).toEqual([
      expect.stringContaining('platform.jobs.clientSecret: must not contain control characters'),
    ]);
  });

  it('can come from the file that NAME_FILE names, seen from the configuration', () => {
    const yaml = SMALL.replace('secret-key', '${SECRET}');
    const config = loadFrom(
      { 'config.yaml': yaml, 'secrets/s': 'from a file\n' },
      { SECRET_FILE: 'secrets/s' },
    );
    expect(config.settings.platform.jobs?.clientSecret).toBe('from a file');
  });

  it('is told once, with the setting, when both NAME and NAME_FILE are set', () => {
    const yaml = SMALL.replace('secret-key', '${SECRET}');
    expect(problemsOf(() => load(yaml, { SECRET: 'a', SECRET_FILE: 'b' }))).toEqual([
      'config.yaml:9: platform.jobs.clientSecret: both SECRET and SECRET_FILE are set; unset one of them',
    ]);
  });

  it('may be quoted inside brackets', () => {
    const yaml = `${SMALL}webhook: { secrets: ["\${A}", "\${B:-b}"] }\n`;
    expect(load(yaml, { A: 'a' }).settings.webhook.secrets).toEqual(['a', 'b']);
  });
});

describe('masked', () => {
  it('shows the configuration in effect without secrets', () => {
    const yaml = `${SMALL.replace('secret-key', '${SECRET}')}webhook: { secrets: [alpha, beta] }
notify: { url: https://hooks.example/T0/secret, smtp: { url: "smtp://u:p@mail", from: a@b, to: [b@c] }, secret: beta }
http: { admin: { token: letmein } }
state: { url: "postgres://u@db/x?password=pw2&sslmode=require" }
`;
    const masked = load(yaml, { SECRET: 'hunter2' }).masked();
    expect(masked).toMatchObject({
      source: { url: 'postgres://reader:***@db.example/hr', statementTimeout: '10m' },
      state: { url: 'postgres://u@db/x?password=***&sslmode=require', leaseTtl: '30s' },
      platform: { jobs: { clientId: 'partner', clientSecret: '***', ratePerSecond: 10 } },
      webhook: { secrets: ['***', '***'], tolerance: '5m' },
      notify: { url: '***', smtp: '***' },
      http: { public: { port: 8080 }, admin: { token: '***' } },
      entities: { companies: { query: 'companies.sql', onVanished: 'report', lookups: {} } },
    });
    expect(JSON.stringify(masked)).not.toMatch(/hunter2|pw|letmein|alpha|beta|T0|smtp:\/\//);
    expect(masked).not.toHaveProperty(['platform', 'training']);
  });

  it('shows the address of the state database also when it is the source’s', () => {
    const url = 'postgres://reader:***@db.example/hr';
    expect(load(SMALL).masked()).toMatchObject({
      source: { url },
      state: { url, schema: 'placement_sync' },
    });
    expect(load(`${SMALL}state:\n`).masked()).toMatchObject({ state: { url, leaseTtl: '30s' } });
  });
});

describe('environment variables', () => {
  it('reads a variable', () => {
    expect(environmentReader({ A: 'x' }, '/')('A')).toEqual({ value: 'x' });
  });

  it('reads the file that NAME_FILE names and cuts one line feed', () => {
    const folder = configFolder({ secret: ' s3cret\n\n', windows: 'x\r\n' });
    const read = environmentReader({ A_FILE: join(folder, 'secret'), B_FILE: 'windows', B: '' }, folder);
    expect([read('A'), read('B')]).toEqual([{ value: ' s3cret\n' }, { value: 'x' }]);
  });

  it('refuses NAME and NAME_FILE together', () => {
    const read = environmentReader({ A: 'x', A_FILE: '/run/secrets/a' }, '/');
    expect(read('A')).toEqual({ problem: 'both A and A_FILE are set; unset one of them' });
  });

  it('refuses a file that is not UTF-8, and cuts a byte order mark', () => {
    const folder = configFolder({ marked: '\uFEFFx' });
    writeFileSync(join(folder, 'latin'), Buffer.from('caf\xe9', 'latin1'));
    const read = environmentReader({ A_FILE: 'latin', B_FILE: 'marked' }, folder);
    expect(read('A')).toEqual({ problem: expect.stringContaining('latin, which is not UTF-8') as string });
    expect(read('B')).toEqual({ value: 'x' });
  });

  it('names a file that is not there', () => {
    const read = environmentReader({ A_FILE: '/nowhere/a' }, '/');
    expect(read('A')).toEqual({ problem: 'A_FILE names /nowhere/a, which does not exist' });
  });

  it('knows nothing of an unset variable, also when its NAME_FILE is empty', () => {
    expect(environmentReader({ A_FILE: '' }, '/')('A')).toEqual({ value: null });
  });
});

describe('interpolate', () => {
  const VALUES: Readonly<Record<string, string>> = { HOST: 'db.example', EMPTY: '', ODD: 'a$&${HOST}$$' };
  const read = (name: string): Variable => ({ value: VALUES[name] ?? null });

  const NOT_A_MENTION =
    'the text between "${" and "}" is not a name; write ${NAME} or ${NAME:-default}, and $${ for a literal "${"';

  describe('interpolate', () => {
    it.each([
      ['plain text', 'plain text'],
      ['${HOST}', 'db.example'],
      ['x-${HOST}-${HOST}', 'x-db.example-db.example'],
      ['${UNSET:-fallback}', 'fallback'],
      ['${EMPTY:-fallback}', 'fallback'],
      ['${HOST:-fallback}', 'db.example'],
      ['${UNSET:-}', ''],
      ['${EMPTY}', ''],
      ['${UNSET:-a:-b}', 'a:-b'],
      ['$HOST costs 5$', '$HOST costs 5$'],
      ['$$', '$'],
      ['$${HOST}', '${HOST}'],
      ['$$${HOST}', '$db.example'],
      ['${ODD}', 'a$&${HOST}$$'],
    ])('makes of %s the text %s', (text, expected) => {
      expect(interpolate({ a: text }, read)).toMatchObject({ data: { a: expected }, problems: [] });
    });

    it.each([
      ['${UNSET}', 'the environment variable UNSET is not set (nor UNSET_FILE)'],
      ['${HOST', '"${" without its "}"; write $${ for a literal "${"'],
      ['${}', NOT_A_MENTION],
      ['ab${S3cret-Part}x', NOT_A_MENTION],
    ])('refuses %s', (text, message) => {
      expect(interpolate({ a: [text] }, read)).toMatchObject({
        data: { a: [text] },
        problems: [{ path: ['a', 0], message }],
      });
    });

    it('tells every variable that is missing, not only the first', () => {
      const { problems } = interpolate({ a: '${ONE}${TWO}', b: { c: '${THREE}' } }, read);
      expect(problems.map(({ message }) => /[A-Z]+/.exec(message)?.[0])).toEqual(['ONE', 'TWO', 'THREE']);
    });

    it('remembers which values came from the environment', () => {
      const { fromEnvironment } = interpolate({ a: '${HOST}', b: '$$', c: { d: ['x', 'y${HOST}'] } }, read);
      expect([...fromEnvironment]).toEqual(['a', 'c.d[1]']);
    });

    it('leaves keys, numbers, booleans and null alone', () => {
      const data = { '${HOST}': 1, b: true, c: null };
      expect(interpolate(data, read).data).toEqual(data);
    });

    it('hands on what the environment has no value for and cannot be read', () => {
      const { problems } = interpolate('${A}', () => ({ problem: 'both A and A_FILE are set' }));
      expect(problems).toEqual([{ path: [], message: 'both A and A_FILE are set' }]);
    });

    it('leaves a text as it is when only another machine knows a variable, unless it has a default', () => {
      const data = { a: '$$${HOST}', b: { c: '${PORT:-5432}', d: ['${NAME:-}'] }, e: '${a b}' };
      expect(interpolate(data, () => ({ unknown: true }))).toMatchObject({
        data: { ...data, b: { c: '5432', d: ['${NAME:-}'] } },
        unknown: [['a'], ['b', 'd', 0]],
        problems: [{ path: ['e'] }],
      });
    });
  });

  describe('mentions', () => {
    it('lists the variables of a text with their defaults', () => {
      expect(mentions('${A}$${B}${C:-x}')).toEqual([
        { name: 'A', fallback: null },
        { name: 'C', fallback: 'x' },
      ]);
    });
  });

  it('replaceMentions puts something in place of each mention', () => {
    expect(
      replaceMentions('${A}-$$-${B:-x}-${not a name}', ({ name, fallback }) => `${name}${fallback}`),
    ).toBe('Anull-$-Bx-${not a name}');
  });
});

describe('blanks', () => {
  it.each([
    ['https://jobs.example', '"https://jobs.example/a b"', 'platform.jobs.baseUrl'],
    ['https://jobs.example', '" https://jobs.example"', 'platform.jobs.baseUrl'],
    ['postgres://reader:pw@db.example/hr', '"postgres://reader:p w@db.example/hr"', 'source.url'],
    ['postgres://reader:pw@db.example/hr', '"postgres://reader:pw@db.example/hr\\n"', 'source.url'],
  ])('refuses blanks in the address that replaces %s by %s', (from, to, setting) => {
    expect(problemsOf(() => load(SMALL.replace(from, to)))).toEqual([
      expect.stringContaining(`: ${setting}: `),
    ]);
  });
});

describe('secrets', () => {
  const ofSource = (url: string) => secretTexts(settingsSchema, { source: { url } });

  test('the password of a database is secret as it is written and as the driver decodes it', () => {
    expect(ofSource('postgres://hr:p%40ss%2Fword@db.example/hr')).toEqual(['p%40ss%2Fword', 'p@ss/word']);
  });

  test('a password without a user, in a parameter, or of an address that is none is secret too', () => {
    expect(ofSource('postgres://:hidden@db.example/hr')).toEqual(['hidden']);
    expect(ofSource('postgres://db.example/hr?password=p%40ss')).toEqual(['p@ss', 'p%40ss']);
    expect(ofSource('not an address')).toEqual(['not an address']);
  });

  test('what is shorter than four characters would be found in any text', () => {
    expect(ofSource('postgres://hr:abc@db.example/hr')).toEqual([]);
  });
});

describe('mask', () => {
  test.each([
    ['postgres://hr:hidden@db.example/hr', 'postgres://hr:***@db.example/hr'],
    ['postgres://:hidden@db.example/hr', 'postgres://:***@db.example/hr'],
    ['postgres://hr@db.example/hr', 'postgres://hr@db.example/hr'],
    [
      'postgres://db.example/hr?password=hidden&sslmode=require',
      'postgres://db.example/hr?password=***&sslmode=require',
    ],
    ['postgres://db.example/hr?sslPassword=hidden', 'postgres://db.example/hr?sslPassword=***'],
    ['postgres://hr:hid den@:x/hr', '***'],
  ])('%s is printed as %s', (address, printed) => {
    expect(maskAddress(address)).toBe(printed);
  });
});
