import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { buildProgram } from '../../src/cli/create-program.js';
import { addCompanies, addVacancies, createCliWorld, type CliWorld } from './cli-world.js';
import { runCli } from './run-cli.js';

interface Row {
  readonly at: string;
  readonly who: string;
  readonly via: string;
  readonly action: string;
  readonly entity: string | null;
  readonly keys: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
  readonly reason: string | null;
  readonly outcome: string | null;
}

/** A command that acts: how it is called here, and its row. */
interface Acting {
  readonly words: readonly string[];
  readonly row: Partial<Row>;
  readonly exitCode?: number;
  readonly before?: (world: CliWorld) => Promise<unknown>;
}

const REASON = ['--reason', 'asked for by the office'];

/** In the order in which one world goes through them. */
const ACTING: Readonly<Record<string, Acting>> = {
  resync: {
    words: ['resync', '--entity', 'companies', '--key', 'c001', ...REASON],
    row: { action: 'resync', entity: 'companies', keys: ['c001'], counts: { companies: 1 } },
  },
  retry: {
    words: ['retry', ...REASON],
    row: { action: 'retry', entity: null, counts: { companies: 0, vacancies: 0, pauses: 0 } },
  },
  verify: {
    words: ['verify', '--repair', '--all', '--entity', 'companies', ...REASON],
    row: { action: 'verify --repair', counts: { checked: 6, same: 6, drifted: 0, missing: 0 } },
  },
  probe: {
    words: ['probe', '--company', 'c001', '--yes', ...REASON],
    row: { action: 'probe', keys: ['c001'] },
  },
  adopt: {
    words: ['adopt', '--entity', 'companies', ...REASON],
    row: { action: 'adopt', entity: 'companies' },
  },
  'inbox reread': {
    words: ['inbox', 'reread', ...REASON],
    row: { action: 'inbox reread', counts: { read: 0, recognised: 0, repeats: 0, failed: 0 } },
  },
  'subject export': {
    words: ['subject', 'export', 'nobody@example.org', ...REASON],
    row: { action: 'subject export', entity: null, keys: [] },
  },
  'subject erase': {
    words: ['subject', 'erase', 'nobody@example.org', '--yes', ...REASON],
    row: { action: 'subject erase', entity: null, keys: [], counts: {} },
  },
  approve: {
    before: async (world) => {
      await world.sql('delete from vacancy');
      await world.sql('delete from company');
      expect((await world.run()).code).toBe(4);
    },
    words: ['approve', 'companies', '--yes', ...REASON],
    row: { action: 'approve', entity: 'companies', counts: { vanished: 6, invalid: 0 } },
  },
  migrate: {
    before: (world) => world.sql('drop schema placement_sync cascade'),
    words: ['migrate', ...REASON],
    row: { action: 'migrate', entity: null },
  },
};

/** Commands of a fleet that act; test/features/fleet/processes has their rows. */
const ACTING_ON_A_FLEET = ['apply', 'add', 'remove', 'pause', 'resume', 'sync', 'move', 'migrate'];

const CHANGES_NOTHING: Readonly<Record<string, string>> = {
  run: 'the scheduled work; each one is a row of sync_run',
  start: 'the scheduled work; each sweep is a row of sync_run',
  'fleet start': 'the scheduled work of all tenants',
  plan: 'looks',
  status: 'looks',
  records: 'looks',
  explain: 'looks',
  report: 'looks',
  doctor: 'looks',
  actions: 'looks',
  'fleet list': 'looks',
  'fleet status': 'looks',
  'fleet actions': 'looks',
  'config init': 'writes new files of the partner',
  'config check': 'looks at the configuration',
  'config print': 'looks at the configuration',
  'config schema': 'prints',
  init: 'writes new files of the partner, and nothing in the ledger or at the platform',
  'lookup fill': 'completes a file of the partner, and nothing in the ledger or at the platform',
  sign: 'prints',
  'notify test': 'sends a test notice to the operators themselves',
  sandbox: 'has a platform of its own',
  'sandbox send-application': 'sends an invented application',
  demo: 'has a database of its own',
  help: 'prints',
};

async function actions(world: CliWorld, ...words: string[]): Promise<readonly Row[]> {
  const { exitCode, stdout, stderr } = await world.cli('actions', '--json', ...words);
  expect(exitCode, stderr).toBe(0);
  return (JSON.parse(stdout) as { actions: Row[] }).actions;
}

describe('actions', () => {
  test('every command either leaves a row, or is known to change nothing', async () => {
    const all = (command: Command): string[] => {
      const works = command.commands.length === 0 || command.name() === 'sandbox';
      const below = command.commands.flatMap((child) =>
        all(child).map((name) => `${command.name()} ${name}`),
      );
      return [...(works ? [command.name()] : []), ...below];
    };
    const commands = (await buildProgram()).commands.flatMap(all);
    const acting = [...Object.keys(ACTING), ...ACTING_ON_A_FLEET.map((name) => `fleet ${name}`)];
    expect(
      commands.toSorted(),
      'A new command that changes something needs `noted` (src/cli/operator.ts) and a line in ACTING; any other a line in CHANGES_NOTHING that says why.',
    ).toEqual([...acting, ...Object.keys(CHANGES_NOTHING)].toSorted());
  });

  test('each command that changes something leaves exactly one row', async () => {
    const world = await createCliWorld();
    await addCompanies(world, 6);
    await addVacancies(world, 1);
    await world.run();
    for (const [name, { words, row, exitCode, before }] of Object.entries(ACTING)) {
      await before?.(world);
      const had = name === 'migrate' ? [] : await actions(world);
      const done = await world.cli(...words);
      if (exitCode !== undefined) expect(done.exitCode, done.stderr).toBe(exitCode);
      expect(done.stderr.match(/"event":"operator-action"/g), name).toHaveLength(1);
      expect(done.stderr).not.toContain('asked for by the office');
      const [latest, ...others] = await actions(world);
      expect(others, name).toEqual(had);
      expect(Object.keys(latest ?? {})).toEqual([
        'at',
        'who',
        'via',
        'action',
        'entity',
        'keys',
        'counts',
        'reason',
        'outcome',
      ]);
      expect(latest).toMatchObject({
        who: expect.stringMatching(/^\S.*@\S+$/) as string,
        via: 'command',
        reason: 'asked for by the office',
        outcome: done.exitCode === 0 ? 'done' : `exit ${done.exitCode}`,
        ...row,
      });
    }
  });

  test('a command that fails leaves its row, and one that only looks leaves none', async () => {
    const world = await createCliWorld();
    await addCompanies(world, 1);
    await world.run();
    for (const words of [['retry', '--preview'], ['verify'], ['plan'], ['status'], ['run'], ['migrate']])
      await world.cli(...words);
    expect(await actions(world)).toEqual([]);
    world.configure('clientId: sandbox-client', 'clientId: another');
    expect((await world.cli('resync')).exitCode).toBe(2);
    const [refused, ...others] = await actions(world);
    expect(others).toEqual([]);
    expect(refused).toMatchObject({ action: 'resync', reason: null, outcome: 'failed: environment-changed' });
    for (const how of ['--keep', '--reset']) await world.cli('adopt', '--environment', how, '--yes');
    expect((await actions(world)).map(({ action, outcome }) => `${action}: ${outcome}`)).toEqual([
      'adopt --environment --reset: done',
      'adopt --environment --keep: done',
      'resync: failed: environment-changed',
    ]);
    expect(await actions(world, '--limit', '1')).toHaveLength(1);
    await world.sql(
      `update placement_sync.operator_action set at = at - interval '2 days' where action = 'resync'`,
    );
    expect(await actions(world, '--since', '1d')).toHaveLength(2);
    expect((await world.cli('actions')).stdout).toMatch(
      /who +via +action .*\n(.*\n)*.* resync .*failed: environment-changed/,
    );
  });

  test('who says no, or gives no reason where one is asked for, changes nothing and leaves no row', async () => {
    const world = await createCliWorld();
    await addCompanies(world, 6);
    await world.run();
    await world.sql('delete from company');
    await world.run();
    const no = await runCli(['approve', 'companies'], { env: world.env, answer: 'n' });
    expect(no).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining('Nothing was approved.') as string,
    });
    world.configure('entities:', 'guards: { requireReason: true }\nentities:');
    for (const words of [
      ['approve', 'companies', '--yes'],
      ['retry', '--removed'],
      ['verify', '--repair', '--field', 'name'],
      ['adopt', '--environment', '--keep'],
    ]) {
      const { exitCode, stderr } = await world.cli(...words);
      expect([words.join(' '), exitCode]).toEqual([words.join(' '), 2]);
      expect(stderr).toContain('needs a reason, because guards.requireReason is true.');
      expect(stderr).toContain('--reason');
    }
    expect((await world.cli('approve', 'companies', '--yes', '--reason', ' ')).exitCode).toBe(2);
    expect(await actions(world)).toEqual([]);
    expect((await world.cli('retry')).exitCode).toBe(0);
    const yes = await runCli(['approve', 'companies', '--reason', 'the office closed'], {
      env: world.env,
      answer: 'y',
    });
    expect(yes.exitCode, yes.stderr).toBe(0);
    expect(await actions(world)).toMatchObject([
      { action: 'approve', reason: 'the office closed' },
      { action: 'retry' },
    ]);
  });

  test('migrate --down leaves a row, unless it takes the table itself back', async () => {
    const world = await createCliWorld();
    expect((await world.cli('migrate', '--down', '--yes')).exitCode).toBe(0);
    const [{ there } = { there: null }] = await world.sql<{ there: string | null }>(
      `select to_regclass('placement_sync.operator_action') as there`,
    );
    await world.cli('migrate');
    const rows = (await actions(world)).map(({ action }) => action);
    expect(rows).toEqual(there === null ? ['migrate'] : ['migrate', 'migrate --down']);
  });
});
