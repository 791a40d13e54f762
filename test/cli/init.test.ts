import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { runCli as runWith } from '../../src/cli/run-cli.js';
import { openDatabase } from '../features/init/draft-world.js';
import { createTestDatabase, type TestDatabase } from '../postgres/test-database.js';
import { DAILY } from '../slow.js';
import { onTerminal, runCli } from './run-cli.js';
import { temporaryFolder } from '../temporary-folder.js';
import { words } from '../words.js';

describe('init', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await openDatabase('loker');
  });

  const source = () => ({ SOURCE_DATABASE_URL: database.url });
  const credentials = () => ({
    ...source(),
    PLACEMENT_SYNC_NAMESPACE: '6ba7b810-9dad-41d1-80b4-00c04fd430c8',
    JOSS_CLIENT_ID: 'a',
    JOSS_CLIENT_SECRET: 'a-secret-value-of-some-length',
  });
  const filesIn = (root: string) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.\w+$/.test(name))
      .sort();

  test('drafts a configuration in which config check finds nothing, and whose queries plan runs', async () => {
    const cwd = temporaryFolder();
    const { exitCode, stdout, stderr } = await runCli(['init', '--yes'], { cwd, env: source() });
    expect(exitCode, stderr).toBe(0);
    expect(filesIn(join(cwd, 'config'))).toEqual(
      words(`
        .env.example placement-sync.schema.json placement-sync.yaml queries/companies.sql
        queries/vacancies.sql reference/cities.csv reference/education-levels.csv reference/gender.csv
        reference/industries.csv reference/job-types.csv`).sort(),
    );
    expect(stdout).toContain('companies: tbl_perusahaan (40 rows)');
    expect(stdout).toContain('placement-sync doctor --config config/placement-sync.yaml');
    const variables = readFileSync(join(cwd, 'config/.env.example'), 'utf8');
    expect(variables).toMatch(/^PLACEMENT_SYNC_NAMESPACE=[0-9a-f-]{36}$/m);
    expect(variables).toMatch(/^PLACEMENT_SYNC_CONFIG=config\/placement-sync.yaml$/m);
    expect(variables).toContain('JOSS_CLIENT_ID=');
    // There are no trainings, and the file is no example.
    expect(variables).not.toMatch(/TOSS|LOG_|example\.yaml/);

    const env = credentials();
    const checked = await runCli(['config', 'check'], { cwd, env });
    expect(checked.exitCode, checked.stderr).toBe(0);
    expect((await runCli(['migrate'], { cwd, env })).exitCode).toBe(0);
    const planned = await runCli(['plan', '--json'], { cwd, env });
    expect(planned.exitCode, planned.stderr).toBe(0);
    const { entities } = JSON.parse(planned.stdout) as {
      entities: Record<string, { read: number; error: unknown }>;
    };
    expect(entities).toMatchObject({
      companies: { read: 40, error: null },
      vacancies: { read: 120, error: null },
    });
  });

  test('refuses a folder that has one of its files, names all of them, and writes nothing', async () => {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, 'config/queries'), { recursive: true });
    writeFileSync(join(cwd, 'config/placement-sync.yaml'), 'mine');
    const early = await runCli(['init', '--yes'], { cwd, env: source() });
    expect(early.exitCode).toBe(2);
    expect(early.stderr).toContain('these exist: config/placement-sync.yaml.');
    rmSync(join(cwd, 'config/placement-sync.yaml'));
    writeFileSync(join(cwd, 'config/queries/companies.sql'), 'select 1');
    mkdirSync(join(cwd, 'config/reference'));
    writeFileSync(join(cwd, 'config/reference/gender.csv'), 'code,id');
    const late = await runCli(['init', '--yes'], { cwd, env: source() });
    expect(late.exitCode).toBe(2);
    expect(late.stderr).toContain('config/queries/companies.sql, config/reference/gender.csv');
    expect(late.stderr).toContain('--out DIR');
    expect(filesIn(join(cwd, 'config'))).toEqual(['queries/companies.sql', 'reference/gender.csv']);
  });

  test('a file that has the same content already is no obstacle, and stays; another version of it is one', async () => {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, 'config'));
    const schema = join(cwd, 'config/placement-sync.schema.json');
    copyFileSync('config/placement-sync.schema.json', schema);
    const { exitCode, stdout, stderr } = await runCli(['init', '--yes'], { cwd, env: source() });
    expect(exitCode, stderr).toBe(0);
    expect(stdout).toContain('kept config/placement-sync.schema.json\n');
    expect(stdout).toContain('wrote config/placement-sync.yaml\n');

    rmSync(join(cwd, 'config'), { recursive: true });
    mkdirSync(join(cwd, 'config'));
    writeFileSync(schema, '{}');
    const other = await runCli(['init', '--yes'], { cwd, env: source() });
    expect(other.exitCode).toBe(2);
    expect(other.stderr).toContain('these exist: config/placement-sync.schema.json.');
    expect(readFileSync(schema, 'utf8')).toBe('{}');
  });

  test('in a clone it says at once that config has the examples, and which command does it', async () => {
    const before = filesIn('config');
    const { exitCode, stderr } = await runCli(['init', '--yes'], {
      cwd: process.cwd(),
      env: { SOURCE_DATABASE_URL: 'postgres://reader@127.0.0.1:1/hr' },
    });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('config has the examples of this program');
    expect(stderr).toContain('placement-sync init --out my-config');
    expect(filesIn('config')).toEqual(before);
  });

  test('--out names another folder', async () => {
    const cwd = temporaryFolder();
    const { exitCode } = await runCli(['init', '--yes', '--out', 'a/b', '--quiet'], { cwd, env: source() });
    expect(exitCode).toBe(0);
    expect(existsSync(join(cwd, 'a/b/queries/vacancies.sql'))).toBe(true);
  });

  test('without a terminal and without --yes it says what --yes would take, and writes nothing', async () => {
    const cwd = temporaryFolder();
    const { exitCode, stderr } = await runCli(['init'], { cwd, env: source() });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(
      'init --yes takes the likeliest (companies: tbl_perusahaan, vacancies: tbl_lowongan)',
    );
    expect(existsSync(join(cwd, 'config'))).toBe(false);
  });

  test('before there are credentials, doctor and plan look at the source, and one line of each says what is missing', async () => {
    const cwd = temporaryFolder();
    expect((await runCli(['init', '--yes'], { cwd, env: source() })).exitCode).toBe(0);
    const { PLACEMENT_SYNC_NAMESPACE } = credentials();
    const env = { ...source(), PLACEMENT_SYNC_NAMESPACE };
    const missing = /JOSS_CLIENT_ID\b.*JOSS_CLIENT_SECRET/;

    const examined = await runCli(['doctor', '--json'], { cwd, env });
    const { checks } = JSON.parse(examined.stdout) as { checks: { id: string; message: string }[] };
    expect(checks.filter(({ message }) => missing.test(message)).map(({ id }) => id)).toEqual([
      'credentials',
    ]);
    expect(checks.map(({ id }) => id)).toEqual(expect.arrayContaining(['decisions', 'codes', 'order']));

    const planned = await runCli(['plan', '--json'], { cwd, env });
    expect(planned.exitCode, planned.stderr).toBe(0);
    expect(JSON.parse(planned.stdout)).toMatchObject({
      entities: { companies: { read: 40, error: null }, vacancies: { read: 120, error: null } },
    });
    expect(planned.stderr.split('\n').filter((line) => missing.test(line))).toHaveLength(1);
    // What sends needs them.
    const sent = await runCli(['run'], { cwd, env });
    expect(sent.exitCode).toBe(2);
    expect(sent.stderr).toMatch(/JOSS_CLIENT_ID/);
  });

  /** Runs `init` with a person who gives these answers; false: Ctrl-D. */
  async function asked(
    cwd: string,
    answers: readonly (string | false)[],
    meanwhile: () => Promise<unknown> = () => Promise.resolve(),
  ): Promise<{ exitCode: number; questions: string[]; messages: string }> {
    const questions: string[] = [];
    const left = [...answers];
    let messages = '';
    const stream = (take: (text: string) => void) =>
      new Writable({ write: (chunk, _encoding, done) => (take(String(chunk)), done()) });
    let exitCode = 0;
    await runWith(['init'], {
      readInput: () => Buffer.alloc(0),
      ask: async (question) => {
        questions.push(question);
        await meanwhile();
        return left.shift() ?? '';
      },
      stdout: stream(() => undefined),
      stderr: stream((text) => (messages += text)),
      env: source(),
      cwd,
      signal: new AbortController().signal,
      setExitCode: (code) => (exitCode = code),
    });
    return { exitCode, questions, messages };
  }

  test('asks on a terminal which table to take; an empty answer is the first, and a wrong one is named and asked again', async () => {
    const cwd = temporaryFolder();
    const { exitCode, questions } = await asked(cwd, ['', '77', '1']);
    expect(exitCode).toBe(0);
    expect(questions).toHaveLength(3);
    expect(questions[0]).toMatch(
      /Which table holds the companies\?\n {2}1\) tbl_perusahaan \(40 rows, (?:one table names|\d+ tables name) it\)/,
    );
    expect(questions[1]).toMatch(/^\nWhich table holds the vacancies/);
    expect(questions[2]).toMatch(/^"77" is none of 0 to \d\.\n\nWhich table holds the vacancies/);
    expect(filesIn(join(cwd, 'config/queries'))).toEqual(['companies.sql', 'vacancies.sql']);
  });

  test('a person may think for as long as it takes: no transaction is open meanwhile, and the draft is the same', async () => {
    const cwd = temporaryFolder();
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const { exitCode, messages } = await asked(cwd, [], async () => {
      const open = `select from pg_stat_activity where application_name = 'placement-sync' and datname = current_database()`;
      // A connection that was closed is gone a moment later.
      await expect.poll(() => database.query(open)).toEqual([]);
      vi.setSystemTime(Date.now() + 6 * 60_000);
    });
    expect(exitCode, messages).toBe(0);
    const prompt = temporaryFolder();
    expect((await runCli(['init', '--yes'], { cwd: prompt, env: source() })).exitCode).toBe(0);
    const drafted = (root: string) =>
      filesIn(join(root, 'config')).map((name) => [name, readFileSync(join(root, 'config', name), 'utf8')]);
    expect(drafted(cwd)).toEqual(drafted(prompt));
  });

  test('the end of the input stops it, and nothing is written', async () => {
    const cwd = temporaryFolder();
    const { exitCode, questions, messages } = await asked(cwd, ['1', false]);
    expect(questions).toHaveLength(2);
    expect(messages).toBe('Stopped. Nothing was written.\n');
    expect(exitCode).toBe(1);
    expect(existsSync(join(cwd, 'config'))).toBe(false);
  });

  test('Ctrl-D on a terminal stops it as Ctrl-C does', async ({ skip }) => {
    skip(DAILY);
    for (const typed of ['\u0004', '\u0003']) {
      const cwd = temporaryFolder();
      const { exitCode, shown } = await onTerminal({ env: source() }, ['init'], () => typed, {
        question: '[1]',
        cwd,
      });
      expect(shown, JSON.stringify(typed)).toContain('Stopped. Nothing was written.');
      expect(shown).not.toContain('vacancies?');
      expect(exitCode).toBe(1);
      expect(existsSync(join(cwd, 'config'))).toBe(false);
    }
  });

  test('a table that is named is taken, whatever it is called, with the key that is named', async () => {
    await database.query(
      'create view "V_Tayang" as select id_lowongan as "NoLowongan", id_perusahaan, judul from tbl_lowongan',
    );
    onTestFinished(async () => void (await database.query('drop view "V_Tayang"')));
    const cwd = temporaryFolder();
    const named = ['--table', 'vacancies=public."V_Tayang"', '--key', 'NoLowongan'];
    const { exitCode, stderr } = await runCli(['init', '--yes', ...named], { cwd, env: source() });
    expect(exitCode, stderr).toBe(0);
    const query = readFileSync(join(cwd, 'config/queries/vacancies.sql'), 'utf8');
    expect(query).toMatch(/v\."NoLowongan" +as key/);
    expect(query).toContain('from public."V_Tayang" v');
    const config = join(cwd, 'config/placement-sync.yaml');
    expect(
      (await runCli(['config', 'check', '--config', config], { cwd, env: credentials() })).exitCode,
    ).toBe(0);
  });

  test.each([
    [['--table', 'vacancies=nowhere'], /no table nowhere[^]*tbl_lowongan \(120 rows\)/],
    [['--table', 'jobs=tbl_lowongan'], /names none of companies, vacancies/],
    [['--table', 'vacancies=tbl_lowongan', '--key', 'nr'], /no column nr[^]*id_lowongan/],
    [['--key', 'vacancies=id_lowongan'], /--key names vacancies, and no --table does/],
    [['--out', '/proc/drafts'], /cannot be written to: no folder can be made there/],
  ])('%j is refused', async (args, text) => {
    const { exitCode, stderr } = await runCli(['init', '--yes', ...args], {
      cwd: temporaryFolder(),
      env: source(),
    });
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(text);
  });

  test('a folder that cannot be written to is said before the database is asked, and the trial leaves nothing', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'file'), '');
    mkdirSync(join(cwd, 'taken'));
    writeFileSync(join(cwd, 'taken/queries'), '');
    const env = { SOURCE_DATABASE_URL: 'postgres://reader@127.0.0.1:1/hr' };
    for (const [out, named] of [
      ['file/config', 'file/config cannot be written to: a part of the path is no folder (ENOTDIR)'],
      ['file', 'file cannot be written to: it is no folder (EEXIST)'],
      ['taken', 'taken/queries cannot be written to: it is no folder (EEXIST)'],
    ] as const) {
      const { exitCode, stderr } = await runCli(['init', '--yes', '--out', out], { cwd, env });
      expect(stderr).toContain(named);
      expect(stderr).toContain('Nothing was written.');
      expect(exitCode).toBe(2);
    }
    expect((await runCli(['init', '--yes', '--out', 'a/b'], { cwd, env })).exitCode).toBe(1);
    expect(readdirSync(cwd, { recursive: true }).sort()).toEqual(['file', 'taken', 'taken/queries']);
  });

  test('what could not be written half way is written by a repeat in the same folder', async () => {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, 'config'));
    // In the way, and found only when it is written.
    const link = join(cwd, 'config/.env.example');
    symlinkSync('nowhere', link);
    const half = await runCli(['init', '--yes'], { cwd, env: source() });
    expect(half.exitCode).toBe(2);
    expect(half.stdout).toContain('wrote config/queries/companies.sql\n');
    expect(existsSync(join(cwd, 'config/placement-sync.yaml'))).toBe(false);
    rmSync(link);
    const whole = await runCli(['init', '--yes'], { cwd, env: source() });
    expect(whole.exitCode, whole.stderr).toBe(0);
    expect(whole.stdout).toContain('kept config/queries/companies.sql\n');
    expect(whole.stdout).toContain('wrote config/.env.example\nwrote config/placement-sync.yaml\n');
  });

  test('0 leaves an entity out', async () => {
    const cwd = temporaryFolder();
    expect((await asked(cwd, ['1', '0'])).exitCode).toBe(0);
    expect(filesIn(join(cwd, 'config/queries'))).toEqual(['companies.sql']);
    expect((await asked(temporaryFolder(), ['0', '0'])).exitCode).toBe(2);
  });

  test('takes the address from a file, and says what is missing', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'url'), `${database.url}\n`);
    const fromFile = await runCli(['init', '--yes'], {
      cwd,
      env: { SOURCE_DATABASE_URL_FILE: join(cwd, 'url') },
    });
    expect(fromFile.exitCode, fromFile.stderr).toBe(0);
    const without = await runCli(['init', '--yes'], { cwd: temporaryFolder() });
    expect(without.exitCode).toBe(2);
    expect(without.stderr).toContain('SOURCE_DATABASE_URL is not set.');
  });

  test('a database without such tables is named with what to do', async () => {
    const empty = await createTestDatabase();
    const { exitCode, stderr } = await runCli(['init', '--yes'], {
      cwd: temporaryFolder(),
      env: { SOURCE_DATABASE_URL: empty.url },
    });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('None of 0 tables looks like companies, vacancies, institutions or trainings.');
    expect(stderr).toContain('config init');
  });

  test.each([
    ['notaurl', 'SOURCE_DATABASE_URL is not an address such as postgres://user:password@host:5432/database.'],
    ['mysql://reader:geheim-wort@db/hr', 'it begins with mysql://, and one of Postgres is postgres://'],
    ['postgres://reader:geheim#wort@db/hr', 'its password has a character (#) that ends it too early'],
    ['postgres://reader:12/geheim-wort@db/hr', 'its password has a character (/) that ends it too early'],
  ])('an address that is none is named as such, without the password: %s', async (url, said) => {
    const { exitCode, stderr } = await runCli(['init', '--yes'], {
      cwd: temporaryFolder(),
      env: { SOURCE_DATABASE_URL: url },
    });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(said) as string]);
    expect(stderr).not.toMatch(/geheim|wort/);
  });

  test('a server that is away ends it, without the password', async () => {
    const url = 'postgres://reader:geheim-wort@127.0.0.1:1/hr';
    const { exitCode, stderr } = await runCli(['init', '--yes'], {
      cwd: temporaryFolder(),
      env: { SOURCE_DATABASE_URL: url },
    });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('cannot be reached');
    expect(stderr).not.toContain('geheim-wort');
  });
});

describe('config init', () => {
  const files = (root: string) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.\w+$/.test(name))
      .sort();

  const ENVIRONMENT = {
    SOURCE_DATABASE_URL: 'postgres://reader@127.0.0.1/hr',
    PLACEMENT_SYNC_NAMESPACE: '6ba7b810-9dad-41d1-80b4-00c04fd430c8',
    JOSS_CLIENT_ID: 'a',
    JOSS_CLIENT_SECRET: 'a-secret-value-of-some-length',
    TOSS_CLIENT_ID: 'b',
    TOSS_CLIENT_SECRET: 'b-secret-value-of-some-length',
  };

  test('writes what the guide begins with, and config check finds nothing wrong in it', async () => {
    const cwd = temporaryFolder();
    const { exitCode, stdout } = await runCli(['config', 'init'], { cwd });
    expect(exitCode).toBe(0);
    expect(files(join(cwd, 'config'))).toEqual(
      [
        'placement-sync.yaml',
        'placement-sync.schema.json',
        '.env.example',
        ...readdirSync('config/queries').map((name) => `queries/${name}`),
        ...readdirSync('config/reference').map((name) => `reference/${name}`),
      ].sort(),
    );
    for (const name of files(join(cwd, 'config'))) expect(stdout).toContain(`wrote config/${name}\n`);
    expect(readFileSync(join(cwd, 'config/placement-sync.yaml'), 'utf8')).toBe(
      readFileSync('config/placement-sync.example.yaml', 'utf8'),
    );
    // The default place of the configuration, seen from the same folder.
    const checked = await runCli(['config', 'check'], { cwd, env: ENVIRONMENT });
    expect(checked.exitCode, checked.stderr).toBe(0);
  });

  test('--out names another folder, which need not exist', async () => {
    const cwd = temporaryFolder();
    const { exitCode, stdout } = await runCli(['config', 'init', '--out', 'a/b c'], { cwd });
    expect(exitCode).toBe(0);
    expect(existsSync(join(cwd, 'a/b c/queries/companies.sql'))).toBe(true);
    expect(stdout).toContain("placement-sync config check --config 'a/b c/placement-sync.yaml'");
  });

  test('never overwrites a file, nor what a link leads to', async () => {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, 'config/queries'), { recursive: true });
    writeFileSync(join(cwd, 'config/queries/companies.sql'), 'select 1');
    symlinkSync(join(cwd, 'nowhere.yaml'), join(cwd, 'config/placement-sync.yaml'));
    const { exitCode, stdout } = await runCli(['config', 'init'], { cwd });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('kept  config/queries/companies.sql');
    expect(stdout).toContain('kept  config/placement-sync.yaml');
    expect(readFileSync(join(cwd, 'config/queries/companies.sql'), 'utf8')).toBe('select 1');
    expect(existsSync(join(cwd, 'nowhere.yaml'))).toBe(false);
    expect(existsSync(join(cwd, 'config/queries/vacancies.sql'))).toBe(true);
    const again = await runCli(['config', 'init'], { cwd });
    expect(again.exitCode).toBe(0);
    expect(again.stdout).not.toContain('wrote');
  });

  test('a folder that cannot be is named with what to do', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'config'), 'a file');
    const { exitCode, stderr } = await runCli(['config', 'init'], { cwd });
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/could not be written: (EEXIST|ENOTDIR)\.\n *→ .*--out DIR/);
  });

  test('the demo has queries and lookups of its own, and they are the examples', () => {
    const demo = readFileSync('config/demo.yaml', 'utf8');
    const named = [...demo.matchAll(/: (\S+\.(?:sql|csv))$/gm)].map(([, path = '']) => path);
    expect(named.length).toBeGreaterThan(10);
    for (const path of named) {
      expect(path).toMatch(/^demo\//);
      expect(readFileSync(join('config', path), 'utf8'), path).toBe(
        readFileSync(join('config', path.replace(/^demo\//, '')), 'utf8'),
      );
    }
    const others = ['demo/sample.sql'];
    expect(new Set([...named, ...others])).toEqual(
      new Set(files('config/demo').map((name) => `demo/${name}`)),
    );
  });
});
