import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RunReport } from '../../src/core/run/end.js';
import { startRawServer } from '../core/platform/raw-server.js';
import { addCompanies, addVacancies, createCliWorld } from './cli-world.js';

describe('exit codes', () => {
  test('of several reasons the exit code is the first of 1, 5, 4, 3', async () => {
    const world = await createCliWorld();
    await addCompanies(world, 10);
    await addVacancies(world, 3);
    await world.sql(`update vacancy set quota = 'many' where id = 'v003'`);
    expect(await world.run(), 'one is invalid').toMatchObject({ code: 3, exitCode: 3, outcome: 'partial' });
    expect(await world.run(), 'it still is').toMatchObject({
      code: 3,
      entities: { vacancies: { invalid: 1 } },
    });

    await world.sql(`delete from company where id > 'c005'`);
    const held = await world.run();
    expect(held, 'half of the companies are gone').toMatchObject({ code: 4, exitCode: 4, outcome: 'held' });
    expect(held.entities.companies).toMatchObject({ held: true, error: null });

    await addVacancies(world, 0);
    await world.sql(`update vacancy set title = 'Other' where id = 'v001'`);
    world.env.CLIENT_SECRET = 'wrong';
    const refused = await world.run();
    expect(refused, 'and the secret is wrong').toMatchObject({ code: 5, exitCode: 5, outcome: 'aborted' });
    expect(refused.entities.companies?.held).toBe(true);

    world.write('companies.sql', 'select id as key, name from compani');
    const failed = await world.run();
    expect(failed, 'and a query fails').toMatchObject({ code: 1, exitCode: 1, outcome: 'failed' });
    expect(failed.entities.companies?.error).toMatchObject({
      code: 'query-failed',
      message: expect.stringContaining('compani') as string,
    });
  });

  test('a vacancy whose company is not in the query makes exit code 3 and is named', async () => {
    const world = await createCliWorld();
    await addCompanies(world, 1);
    await addVacancies(world, 1, 'c999');
    const { exitCode, stdout } = await world.cli('run');
    expect(exitCode).toBe(3);
    expect(stdout).toContain('vacancies: 1 waits for a parent that does not come.');
    expect(stdout).toContain('v001: its parent is not in the query of companies');
  });

  test('records that the platform refuses make exit code 3 until retry sends them', async () => {
    const world = await createCliWorld();
    await addCompanies(world, 3);
    world.intercept = ({ body, count }) =>
      count === 1 && !JSON.stringify(body).includes('Company 3')
        ? { status: 422, body: { message: 'no such region' } }
        : undefined;
    const run = await world.cli('run');
    expect(run.exitCode).toBe(3);
    expect(run.stdout).toMatch(/companies: 2 rejected\.[^]*no such region \(2: c001, c002\)/);
    expect((await world.run()).code, 'a standing refusal').toBe(3);

    const preview = await world.cli('retry', '--preview', '--entity', 'companies');
    expect(preview).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^companies: 2 rejected records would be pending again\n/) as string,
    });
    const retried = await world.cli('retry');
    expect(retried.exitCode).toBe(0);
    expect(world.sandbox.records('jobs', 'companies')).toHaveLength(3);
  });

  test('an unmigrated schema is refused with 2 and a hint; --migrate fixes it', async () => {
    const world = await createCliWorld({ migrated: false });
    await addCompanies(world, 1);
    for (const command of [['run'], ['status'], ['explain', 'companies', 'c001']]) {
      const { exitCode, stdout, stderr } = await world.cli(...command);
      expect(exitCode, command[0]).toBe(2);
      expect(stdout).toBe('');
      expect(stderr).toContain('placement-sync migrate');
      expect(stderr).not.toContain('    at ');
    }
    const refused = await world.run();
    expect(refused).toMatchObject({ code: 2, exitCode: 2, outcome: 'failed' });
    expect(refused.entities.companies).toMatchObject({ read: 0, error: { code: 'schema-not-migrated' } });
    expect((await world.run('--migrate')).code).toBe(0);
    expect((await world.cli('migrate')).stdout).toContain('up to date');
  });

  test('a dry run does not migrate', async () => {
    const world = await createCliWorld({ migrated: false });
    const { exitCode, stdout, stderr } = await world.cli('run', '--dry-run', '--migrate');
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain('--dry-run writes nothing');
    expect(await world.sql(`select 1 from pg_namespace where nspname = 'placement_sync'`)).toEqual([]);
  });

  test('two runs at once: the second ends with 6, naming holder and seconds', async () => {
    const world = await createCliWorld();
    await addCompanies(world, 80);
    const release = world.holdReplies();
    const first = world.start('run', '--json');
    await world.requested(1);
    const second = await world.run();
    expect(second).toMatchObject({
      code: 6,
      exitCode: 6,
      outcome: 'busy',
      entities: { companies: { read: 0 } },
    });
    expect(second.stderr).toMatch(
      new RegExp(`pid ${String(first.child.pid)} holds the \\w+ lease \\(valid for \\d+ s\\)`),
    );
    const quiet = await world.cli('run', '-q');
    expect(quiet.exitCode).toBe(6);
    expect(quiet.stderr.trim().split('\n'), 'it ends the command, so -q does not hide it').toHaveLength(1);
    expect(quiet.stderr).toMatch(
      new RegExp(`pid ${String(first.child.pid)} holds the \\w+ lease, valid for \\d+ s`),
    );
    const marked = await world.cli('resync', '--key', 'c001', '--entity', 'companies', '--json');
    expect(marked.exitCode, 'resync leaves the work to the other').toBe(0);
    expect(JSON.parse(marked.stdout)).toMatchObject({ exitCode: 0 });
    expect(marked.stderr).toContain('Resend requested');
    release();
    expect((await first.done).exitCode).toBe(0);
  });

  test('another base address is refused with 2 until adopt says what it means', async () => {
    const world = await createCliWorld();
    await addCompanies(world, 2);
    expect((await world.run()).code).toBe(0);
    world.env.BASE_URL = world.sandbox.url.replace('127.0.0.1', 'localhost');
    const refused = await world.run();
    expect(refused).toMatchObject({ code: 2, exitCode: 2, outcome: 'failed' });
    expect(refused.entities.vacancies).toMatchObject({ error: { code: 'environment-changed' } });
    expect(refused.stderr).toContain('adopt --environment --keep');
    for (const command of [['plan'], ['run', '--dry-run'], ['retry'], ['approve', 'companies']]) {
      const { exitCode, stdout, stderr } = await world.cli(...command);
      expect({ exitCode, stdout }, command.join(' ')).toEqual({ exitCode: 2, stdout: '' });
      expect(stderr).toContain('adopt --environment --keep');
    }

    expect((await world.cli('adopt', '--environment')).exitCode, 'neither keep nor reset').toBe(2);
    expect((await world.cli('adopt', '--environment', '--keep')).exitCode).toBe(0);
    expect(await world.run()).toMatchObject({ code: 0, entities: { companies: { sent: 0 } } });

    world.env.BASE_URL = world.sandbox.url;
    expect((await world.cli('run')).exitCode).toBe(2);
    const unasked = await world.cli('adopt', '--environment', '--reset');
    expect(unasked.exitCode, 'without a terminal').toBe(2);
    expect(unasked.stdout).toContain('--reset forgets what the former platform accepted of 2 companies');
    expect(unasked.stderr).toContain('placement-sync adopt --environment --reset --yes');
    expect((await world.cli('run')).exitCode, 'nothing was forgotten').toBe(2);
    expect((await world.cli('adopt', '--environment', '--reset', '--yes')).exitCode).toBe(0);
    expect(await world.run()).toMatchObject({ code: 0, entities: { companies: { sent: 2 } } });
  });

  test('a state database that is not there ends with 1, an error without stack and a JSON summary', async () => {
    const world = await createCliWorld();
    world.configure('state: {', `state: { url: 'postgres://nobody:hidden@127.0.0.1:1/none',`);
    const { exitCode, stdout, stderr } = await world.cli('run', '--json');
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: 'failed',
      exitCode: 1,
      entities: {
        companies: {
          read: 0,
          error: {
            code: 'state-unavailable',
            message: expect.stringContaining('127.0.0.1:1/none') as string,
          },
        },
        vacancies: { error: { code: 'state-unavailable' } },
      },
    });
    expect(stderr).toContain('127.0.0.1:1/none');
    expect(stderr).not.toMatch(/hidden| {4}at /);
  });
});

describe('process end', () => {
  test('a run whose platform changes the protocol (101) ends, with nothing accepted or rejected', async () => {
    const world = await createCliWorld();
    await addCompanies(world, 12);
    const server = await startRawServer((socket) =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'),
    );
    world.env.BASE_URL = `http://127.0.0.1:${server.port}`;

    const { exitCode, stdout, stderr } = await world.start('run', '--json').done;
    await server.leftAlone();
    expect(exitCode, stderr).toBe(5);
    expect(JSON.parse(stdout) as RunReport).toMatchObject({
      exitCode: 5,
      outcome: 'aborted',
      entities: { companies: { accepted: 0, rejected: 0, error: { code: 'breaker-open' } } },
    });
    expect(stderr).toContain('HTTP 101: the server changed to another protocol');
    // By itself, not by force.
    expect(stderr).not.toContain('did not end by itself');
    const [company] = await world.sql(
      'select confirm_at, refused_hash, last_status_code from placement_sync.sync_state order by key limit 1',
    );
    expect(company).toMatchObject({
      confirm_at: expect.any(Date) as Date,
      refused_hash: null,
      last_status_code: 101,
    });
  });

  test('a command that left something open ends all the same, with its exit code and all that it printed', async () => {
    const world = await createCliWorld();
    const preload = join(world.folder, 'leak.mjs');
    // A timer and a connection that nobody ends. The wait for them to end is shortened, which nothing else here needs.
    writeFileSync(
      preload,
      `import { connect, createServer } from 'node:net';
const wait = globalThis.setTimeout;
globalThis.setTimeout = (work, ms, ...rest) => wait(work, ms >= 5000 ? 50 : ms, ...rest);
setInterval(() => undefined, 2 ** 30);
const server = createServer().listen(0, '127.0.0.1', () => connect(server.address().port, '127.0.0.1'));
`,
    );
    world.env.NODE_OPTIONS = `--import=${preload}`;

    const usual = await world.cli('config', 'print');
    expect(usual).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^\{[^]*\}\n$/) as string });
    const [line] = usual.stderr.trim().split('\n').slice(-1);
    expect(JSON.parse(line ?? '')).toMatchObject({
      level: 'warn',
      message: expect.stringMatching(/did not end by itself .* 1 TCPServerWrap/) as string,
    });

    const failed = await world.cli('explain', 'companies');
    expect(failed.exitCode).toBe(2);
    expect(failed.stderr).toContain('warning: The process did not end by itself');
  });
});
