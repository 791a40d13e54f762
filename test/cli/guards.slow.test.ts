import { describe, expect, test, vi } from 'vitest';
import { createTestDatabase } from '../postgres/test-database.js';
import { addCompanies, addVacancies, type CliWorld, createCliWorld } from './cli-world.js';
import { onTerminal } from './run-cli.js';

describe('guards', () => {
  // Each of them starts several processes.
  vi.setConfig({ testTimeout: 120_000 });

  /** What a run says at level error: what is wrong, and what to do. */
  const errorsOf = ({ stderr }: { readonly stderr: string }) =>
    stderr
      .split('\n')
      .filter((line) => line.includes('"level":"error"'))
      .map((line) => {
        const { message, hint } = JSON.parse(line) as { message: string; hint: string };
        return `${message} ${hint}`;
      });

  test('a platform that refuses every record of an entity is asked a few times, then no more until approve', async () => {
    const world = await createCliWorld();
    world.configure('entities:', 'guards: { maxRejectedInARow: 5 }\nentities:');
    await addCompanies(world, 1);
    await addVacancies(world, 60);
    const refusal = {
      message: 'The given data was invalid.',
      errors: { title: ['The title must be in Bahasa.'] },
    };
    world.intercept = ({ path }) => (path.includes('/jobs/') ? { status: 422, body: refusal } : undefined);
    const first = await world.run();
    expect(first).toMatchObject({
      code: 4,
      outcome: 'held',
      entities: { companies: { accepted: 1, held: false }, vacancies: { new: 60, accepted: 0, held: true } },
    });
    expect(errorsOf(first)).toEqual([
      expect.stringMatching(/^vacancies is held: .*in a row.*approve vacancies/),
    ]);
    // Those that were under way beside the fifth are answered, too.
    const { rejected = 0, pending = 0 } = first.entities.vacancies ?? {};
    expect(rejected).toBeGreaterThanOrEqual(5);
    expect(rejected).toBeLessThanOrEqual(5 + 4);
    expect(rejected + pending).toBe(60);

    world.sandbox.clearRequests();
    const second = await world.run();
    expect(second).toMatchObject({
      code: 4,
      entities: { vacancies: { unchanged: 60, sent: 0, held: true } },
    });
    expect(errorsOf(second)).toHaveLength(1);
    expect(world.sandbox.requests(), 'no second pile of requests').toEqual([]);

    // Fixed at the platform: what was rejected is pending again, and approve itself sends it.
    world.intercept = null;
    const sentence = `${rejected} rejected records of vacancies will be sent again.`;
    expect((await world.cli('status')).stdout).toContain(`If you approve: ${sentence}`);
    expect((await world.cli('approve', 'vacancies', '--yes')).stdout).toContain(sentence);
    expect(world.sandbox.records('jobs', 'vacancies')).toHaveLength(60);
    expect(await world.run()).toMatchObject({
      code: 0,
      outcome: 'complete',
      entities: { vacancies: { unchanged: 60, sent: 0, held: false } },
    });
  });
});

describe('approve', () => {
  vi.setConfig({ testTimeout: 120_000 });

  /** Three of twelve vacancies have left the source, and the guard holds the sweep that saw it. */
  async function heldWorld(policy: string): Promise<CliWorld> {
    const world = await createCliWorld();
    world.configure('vacancies.sql }', `vacancies.sql, ${policy} }`);
    await addCompanies(world, 1);
    await addVacancies(world, 12);
    expect(await world.run()).toMatchObject({ code: 0 });
    await world.sql(`delete from vacancy where id > 'v009'`);
    expect(await world.run()).toMatchObject({ code: 4, entities: { vacancies: { held: true } } });
    world.sandbox.clearRequests();
    return world;
  }

  const approval = async (world: CliWorld) =>
    (await world.sql(`select approval from placement_sync.entity_state where entity = 'vacancies'`))[0]
      ?.approval;

  test.each([
    [
      'onVanished: close, closedStatus: filled',
      '3 vacancies will be CLOSED at the platform (status "filled").',
    ],
    ['onVanished: report', '3 vacancies will only be marked as vanished: nothing is sent'],
  ])('under %s, run, status, plan and approve say what an approval does', async (policy, consequence) => {
    const world = await heldWorld(policy);
    const { stdout: plan } = await world.cli('plan');
    expect(plan).toMatch(/would be held by the guard max-vanished-percent.*\n *If you approve:\n/);
    for (const command of [['run'], ['status'], ['plan'], ['approve', 'vacancies']]) {
      const { stdout } = await world.cli(...command);
      expect(stdout, command.join(' ')).toContain('If you approve:');
      expect(stdout, command.join(' ')).toContain(consequence);
    }
  });

  test('without a terminal approve refuses unless --yes, and with it the consequence comes true', async () => {
    const world = await heldWorld('onVanished: close');
    const refused = await world.cli('approve', 'vacancies');
    expect(refused.exitCode).toBe(2);
    expect(refused.stdout).toContain('3 vacancies will be CLOSED at the platform');
    expect(refused.stderr).toContain('there is no terminal. Nothing was done.');
    expect(refused.stderr).toContain('placement-sync approve vacancies --yes');
    expect(await approval(world)).toBeNull();
    expect(await world.run()).toMatchObject({ code: 4, entities: { vacancies: { sent: 0, held: true } } });
    const approved = await world.cli('approve', 'vacancies', '--yes');
    expect(approved).toMatchObject({ exitCode: 0 });
    expect(approved.stdout).toMatch(/3 vacancies will be CLOSED.*\n.*approved/);
    expect((await world.cli('approve', 'vacancies', '--yes')).stdout).toContain('approved');
    expect(await world.run()).toMatchObject({ code: 0, entities: { vacancies: { sent: 3, held: false } } });
    const closed = world.sandbox
      .records('jobs', 'vacancies')
      .filter(({ body }) => (body as { status?: string }).status === 'closed');
    expect(closed).toHaveLength(3);
    const again = await world.cli('approve', 'vacancies', '--yes');
    expect(again).toMatchObject({
      exitCode: 0,
      stdout: 'vacancies is not held. There is nothing to approve.\n',
    });
  });

  test('on a terminal it asks: only yes approves, and --yes does not ask', async () => {
    const world = await heldWorld('onVanished: close');
    // Nothing, and Ctrl-C.
    for (const typed of ['\n', '\u0003']) {
      const { exitCode, shown } = await onTerminal(world, ['approve', 'vacancies'], () => typed);
      expect(shown).toMatch(/3 vacancies will be CLOSED at the platform\.\s+Approve vacancies\? \[y\/N\]/);
      expect(shown, JSON.stringify(typed)).toContain('Nothing was approved.');
      expect(exitCode, JSON.stringify(typed)).toBe(1);
      expect(await approval(world)).toBeNull();
    }
    const yes = await onTerminal(world, ['approve', 'vacancies'], () => 'y\n');
    expect(yes).toMatchObject({ exitCode: 0 });
    expect(yes.shown).toContain('approved');
    expect(await approval(world)).toEqual({ vanished: 3, invalid: 0 });
    const unasked = await onTerminal(world, ['approve', 'vacancies', '--yes'], () => 'n\n');
    expect(unasked).toMatchObject({ exitCode: 0 });
    expect(unasked.shown).not.toContain('[y/N]');
  });

  test('what a newer sweep found beyond the question is not approved by the answer', async () => {
    const world = await heldWorld('onVanished: close');
    const { exitCode, shown } = await onTerminal(world, ['approve', 'vacancies'], async () => {
      await world.sql(`delete from vacancy where id > 'v006'`);
      expect(await world.run()).toMatchObject({ code: 4, entities: { vacancies: { vanished: 6 } } });
      return 'y\n';
    });
    expect(shown).toContain('a newer sweep found more than this');
    expect(exitCode).toBe(4);
    expect(await approval(world)).toBeNull();
  });
});

describe('another source', () => {
  vi.setConfig({ testTimeout: 120_000 });

  /** Twelve companies at the platform, and a copy of their tables in another database; the ledger stays where it is. */
  async function worldWithCopy() {
    const world = await createCliWorld();
    const own = world.env.SOURCE_DATABASE_URL ?? '';
    world.configure('state: {', `state: { url: '${own}',`);
    await addCompanies(world, 12);
    expect(await world.run()).toMatchObject({ code: 0, entities: { companies: { accepted: 12 } } });
    world.sandbox.clearRequests();
    const copy = await createTestDatabase();
    await copy.query(`create table company (id text primary key, name text, city text, about text);
      create table vacancy (id text primary key, company_id text, title text, quota text, expire_at timestamptz, closes timestamp)`);
    for (const { id, name, city } of await world.sql<Record<string, string>>('select * from company'))
      await copy.query('insert into company values ($1, $2, $3)', [id, name, city]);
    const read = (url: string) => void (world.env.SOURCE_DATABASE_URL = url);
    const from = async () =>
      (
        await world.sql<{ database: string }>(
          `select source -> 'origin' ->> 'database' as database from placement_sync.entity_state where entity = 'companies'`,
        )
      )[0]?.database;
    return { world, own, copy, read, from };
  }

  test('a copy of the database is held although nothing in it differs, until the address is put back', async () => {
    const { world, own, copy, read, from } = await worldWithCopy();
    const first = await from();
    read(copy.url);
    const differs = `Another database than before: "${copy.name}" instead of "${String(first)}"`;
    const plan = await world.cli('plan');
    expect(plan.stdout).toContain('companies would be held by the guard other-source: ' + differs);
    expect(plan.stdout).toContain('This source becomes the one of companies.');
    await copy.query(`update company set name = 'Of the copy' where id = 'c001'`);
    for (const asked of [
      ['run', '--json'],
      ['resync', '--entity', 'companies'],
    ]) {
      const { exitCode, stderr } = await world.cli(...asked);
      expect(exitCode, asked[0]).toBe(4);
      expect(stderr, asked[0]).toContain('companies is held: Another database than before');
      expect(await from(), asked[0]).toBe(first);
    }
    const status = await world.cli('status', '--exit-code');
    expect(status.exitCode).toBe(4);
    expect(status.stdout).toContain('The rows do not come from the source of before.');
    expect(status.stdout).toContain(differs);
    const json = JSON.parse((await world.cli('status', '--json')).stdout) as { entities: unknown };
    expect(json.entities).toMatchObject({ companies: { held: true, heldBack: { vanished: 0, invalid: 0 } } });
    const bodies = world.sandbox.records('jobs', 'companies').map(({ body }) => JSON.stringify(body));
    expect(bodies.filter((body) => body.includes('Of the copy'))).toEqual([]);

    read(own);
    expect(await world.run()).toMatchObject({ code: 0, entities: { companies: { held: false } } });
    expect(await from()).toBe(first);
  });

  test('an approval takes the other source, and the one of before is another one then', async () => {
    const { world, own, copy, read, from } = await worldWithCopy();
    read(copy.url);
    expect(await world.run()).toMatchObject({ code: 4, entities: { companies: { held: true } } });
    const approved = await world.cli('approve', 'companies', '--yes');
    expect(approved.stdout).toContain('The next run takes the other source, and may apply up to 0 vanished');
    expect((await world.cli('approve', 'vacancies', '--yes')).exitCode).toBe(0);
    expect(await world.run()).toMatchObject({ code: 0, entities: { companies: { unchanged: 12 } } });
    expect(await from()).toBe(copy.name);
    read(own);
    expect(await world.run()).toMatchObject({ code: 4, entities: { companies: { held: true } } });
  });

  test('what was approved of one source is not approved of another, and a source not with more than was shown', async () => {
    const { world, copy, read } = await worldWithCopy();
    await world.sql(`delete from company where id > 'c008'`);
    expect(await world.run()).toMatchObject({ code: 4, entities: { companies: { vanished: 4 } } });
    expect((await world.cli('approve', 'companies', '--yes')).stdout).toContain('4 vanished');
    read(copy.url);
    await copy.query(`delete from company where id > 'c010'`);
    expect((await world.run()).stderr).toContain('companies is held: Another database');
    expect((await world.cli('approve', 'companies', '--yes')).stdout).toContain('up to 2 vanished');
    await copy.query(`delete from company where id > 'c008'`);
    const more = await world.run();
    expect(more).toMatchObject({ code: 4, entities: { companies: { vanished: 4, held: true } } });
    expect(more.stderr).toContain('companies is held: 4 of 12 records vanished');
  });
});
