import { expect, test } from 'vitest';
import { addCompanies, addVacancies, createCliWorld, type CliWorld } from './cli-world.js';
import { runCli } from './run-cli.js';

interface Listed {
  readonly records: readonly Record<string, unknown>[];
}

/** Twelve companies, of which c003 is rejected and c004 is invalid; two vacancies, of which v002 waits for c003. */
async function mixedWorld(): Promise<CliWorld> {
  const world = await createCliWorld();
  await addCompanies(world, 12);
  await addVacancies(world, 2);
  await world.sql(`update company set name = null where id = 'c004'`);
  await world.sql(`update vacancy set company_id = 'c003' where id = 'v002'`);
  world.intercept = ({ body }) =>
    (body as { name?: string } | undefined)?.name === 'Company 3'
      ? { status: 422, body: { message: 'The name has already been taken.' } }
      : undefined;
  await world.run();
  return world;
}

test('records --json has every record with the promised fields, and can be narrowed', async () => {
  const world = await mixedWorld();
  const list = async (...args: string[]) => {
    const { exitCode, stdout } = await world.cli('records', '--json', ...args);
    expect(exitCode).toBe(0);
    return (JSON.parse(stdout) as Listed).records;
  };
  const all = await list();
  expect(all.map(({ key }) => key)).toEqual([
    ...Array.from({ length: 12 }, (_, n) => `c${String(n + 1).padStart(3, '0')}`),
    'v001',
    'v002',
  ]);
  for (const record of all)
    expect(Object.keys(record)).toEqual(['entity', 'key', 'title', 'status', 'reason', 'lastAttemptAt']);
  expect(all[0]).toEqual({
    entity: 'companies',
    key: 'c001',
    title: 'Company 1',
    status: 'synced',
    reason: null,
    lastAttemptAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
  });
  expect(await list('--status', 'invalid')).toEqual([
    {
      entity: 'companies',
      key: 'c004',
      title: null,
      status: 'invalid',
      reason: 'name is required',
      lastAttemptAt: null,
    },
  ]);
  expect(await list('--reason', 'ALREADY been')).toMatchObject([{ key: 'c003', status: 'rejected' }]);
  expect(await list('--entity', 'vacancies', '--status', 'waiting')).toMatchObject([
    { key: 'v002', reason: 'waits for c003' },
  ]);
  expect(await list('--entity', 'vacancies', '--status', 'rejected')).toEqual([]);
  expect((await list('--search', 'company 1')).map(({ key }) => key)).toEqual([
    'c001',
    'c010',
    'c011',
    'c012',
  ]);
  expect(await list('--search', 'V00', '--status', 'waiting')).toMatchObject([{ key: 'v002' }]);
  expect(await list('--limit', '3')).toHaveLength(3);
  expect((await world.cli('records', '--status', 'odd')).exitCode).toBe(2);
  expect((await world.cli('records', '--entity', 'odd')).exitCode).toBe(2);
});

test('people get a table in the order of numbers, the first fifty of it, and times of their zone', async () => {
  const world = await createCliWorld();
  await world.sql(
    `insert into company (id, name) select n::text, 'Company ' || n from generate_series(1, 60) n`,
  );
  await world.run();
  const { stdout } = await world.cli('records');
  const lines = stdout.trimEnd().split('\n');
  expect(lines[0]).toMatch(/^entity +key +title +status +reason +last attempt$/);
  expect(lines.slice(1, 51).map((line) => line.split(/\s+/)[1])).toEqual(
    Array.from({ length: 50 }, (_, n) => String(n + 1)),
  );
  expect(lines[1]).toMatch(/synced +- +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d WIB$/);
  expect(lines.at(-1)).toBe('There are more; --limit lists more of them, --json lists all.');
  expect((await world.cli('records', '--limit', '60')).stdout).not.toContain('There are more');
  expect((await world.cli('records', '--status', 'rejected')).stdout).toBe('No records.\n');
});

test('keys and titles cannot act on a terminal, and a status has its colour there', async () => {
  const world = await createCliWorld();
  await world.sql(`insert into company (id, name) values ('a', E'\\u001b[2JToko\\nSari'), ('b', null)`);
  await world.run();
  const { stdout } = await runCli(['records'], {
    env: { ...world.env, TERM: 'xterm' },
    terminal: { columns: 150 },
  });
  expect(stdout).toContain('\\u001b[2JToko Sari');
  expect(stdout).toContain('\u001b[31minvalid\u001b[39m');
  expect(stdout.replaceAll(/\u001b\[\d+m/g, '')).not.toContain('\u001b');
});

test('retry and resync take the records that are named, by key, title or reason, and no others', async () => {
  const world = await createCliWorld();
  await addCompanies(world, 12);
  let words = 'The name has already been taken.';
  world.intercept = ({ body }) => {
    const { name = '' } = (body ?? {}) as { name?: string };
    if (/ [3-5]$/.test(name)) return { status: 422, body: { message: words } };
    return name.endsWith(' 6') ? { status: 422, body: { message: 'The city is unknown.' } } : undefined;
  };
  await world.run();
  const pending = async (...args: string[]) => {
    const { exitCode, stdout, stderr } = await world.cli('retry', '--preview', ...args);
    expect(exitCode, stderr).toBe(0);
    return Number(/companies: (\d+) rejected/.exec(stdout + stderr)?.[1]);
  };
  expect(await pending()).toBe(4);
  expect(await pending('--matching', 'already BEEN taken')).toBe(3);
  expect(await pending('--search', 'company 5')).toBe(1);
  expect(await pending('--entity', 'companies', '--key', 'c003', '--key', 'c001')).toBe(1);
  const ofNone = await world.cli('retry', '--matching', 'no such words');
  expect(ofNone).toMatchObject({ exitCode: 0 });
  expect(ofNone.stdout + ofNone.stderr).toContain('No record of those that you named is rejected');
  for (const args of [
    ['--key', 'c003'],
    ['--entity', 'companies', '--key', 'c003', '--search', 'x'],
  ])
    expect((await world.cli('retry', ...args)).exitCode, args.join(' ')).toBe(2);

  words = 'Still taken.';
  await world.cli('retry', '--matching', 'already been');
  const { stdout } = await world.cli('records', '--json', '--status', 'rejected');
  expect((JSON.parse(stdout) as Listed).records.map(({ reason }) => reason)).toEqual([
    ...Array.from({ length: 3 }, () => expect.stringContaining('Still taken.') as string),
    expect.stringContaining('The city is unknown.') as string,
  ]);

  const resent = await world.cli('resync', '--entity', 'companies', '--search', 'company 1', '--json');
  expect((JSON.parse(resent.stdout) as { entities: object }).entities).toMatchObject({
    companies: { sent: 4 },
  });
  expect((await world.cli('resync', '--search', 'company 1')).exitCode, 'of which entity?').toBe(2);
  expect((await world.cli('resync', '--entity', 'companies', '--search', 'none')).exitCode).toBe(2);
});
