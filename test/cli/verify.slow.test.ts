import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { deletingRegions, moderating, puttingWith, startFront } from '../servers/front.js';
import { addCompanies, addVacancies, type CliWorld, createCliWorld } from './cli-world.js';

describe('verify', () => {
  async function syncedWorld(): Promise<CliWorld> {
    const world = await createCliWorld();
    await addCompanies(world, 3);
    await addVacancies(world, 2);
    await world.run();
    world.sandbox.clearRequests();
    return world;
  }

  /** Loses the last company that the platform got. */
  function loseOne(world: CliWorld): void {
    const last = world.sandbox.records('jobs', 'companies').at(-1);
    world.sandbox.forget('companies', last?.id ?? '');
  }

  const methods = (world: CliWorld) => world.sandbox.requests().map(({ method }) => method);

  test('verify --key looks at the named records now, explain says so, and --repair puts them right', async () => {
    const world = await syncedWorld();
    const reason = async (key: string) =>
      (JSON.parse((await world.cli('explain', 'companies', key, '--json')).stdout) as { reason: string })
        .reason;
    expect(await reason('c001')).toMatch(
      /^The platform accepted what is desired at .*Z\. It was not looked at since\.$/,
    );
    world.sandbox.clearRequests();
    const same = await world.cli('verify', '--entity', 'companies', '--key', 'c001', '--json');
    expect([same.exitCode, methods(world)]).toEqual([0, ['GET']]);
    expect(await reason('c001')).toMatch(/A look at it at .*Z found the same\.$/);

    loseOne(world);
    const keys = ['c001', 'c002', 'c003'].flatMap((key) => ['--key', key]);
    const missing = await world.cli('verify', '--entity', 'companies', ...keys);
    expect(missing.exitCode).toBe(3);
    const [, key = ''] = /companies (c00\d) is not at the platform/.exec(missing.stderr) ?? [];
    expect(await reason(key)).toMatch(/found that the platform lacks it or holds something else\./);
    // One that is missing says nothing about the path of the Find.
    const repaired = await world.cli('verify', '--entity', 'companies', '--key', key, '--repair');
    expect(repaired.exitCode).toBe(0);
    expect(world.sandbox.records('jobs', 'companies')).toHaveLength(3);
    expect(await reason(key)).toMatch(/It was not looked at since\.$/);

    await world.sql(`update company set name = null where id = 'c002'`);
    await world.run();
    const usage = [
      [['--key', 'c001'], /--key requires exactly one --entity/],
      [['--entity', 'companies', '--key', 'c001', '--all'], /cannot be combined with --all/],
      [
        ['--entity', 'companies', '--key', 'none'],
        /The ledger has no record of companies with the key .{1,2}none/,
      ],
      [
        ['--entity', 'companies', '--key', 'c002'],
        /companies .{1,2}c002.{1,2} is invalid: .*nothing to compare/,
      ],
    ] as const;
    for (const [args, words] of usage) {
      const refused = await world.cli('verify', ...args);
      expect([args, refused.exitCode]).toEqual([args, 2]);
      expect(refused.stderr).toMatch(words);
    }
  });

  test('verify exits 3 when something is missing, and 0 when --repair has sent it again', async () => {
    const world = await syncedWorld();
    loseOne(world);
    const found = await world.cli('verify', '--entity', 'companies', '--json', '--all');
    expect(found.exitCode).toBe(3);
    expect(JSON.parse(found.stdout)).toEqual({
      entities: { companies: { checked: 3, same: 2, drifted: 0, missing: 1 } },
      drift: [],
    });
    expect(found.stderr).toMatch(/companies c00\d is not at the platform/);
    const drifted = async () => {
      const file = join(world.folder, 'sync.prom');
      await world.run('--metrics-file', file);
      return readFileSync(file, 'utf8').match(/^placement_sync_drifted.*$/gm);
    };
    expect(await drifted()).toEqual([
      'placement_sync_drifted{entity="companies"} 1',
      'placement_sync_drifted{entity="vacancies"} 0',
    ]);
    world.sandbox.clearRequests();
    const repaired = await world.cli('verify', '--repair');
    expect(repaired.exitCode).toBe(0);
    expect(repaired.stdout).toContain('sent again');
    expect(methods(world).filter((method) => method === 'PUT')).toHaveLength(1);
    expect((await world.cli('verify')).exitCode).toBe(0);
    expect(await drifted()).toContain('placement_sync_drifted{entity="companies"} 0');
  });

  test('what is missing at the platform stays a problem until it is repaired, and advice and command agree', async () => {
    const world = await createCliWorld();
    await addCompanies(world, 1);
    await addVacancies(world, 396);
    expect(await world.run()).toMatchObject({ code: 0 });
    for (const { id } of world.sandbox.records('jobs', 'vacancies').slice(0, 200))
      world.sandbox.forget('vacancies', id);
    const at = () => world.sandbox.records('jobs', 'vacancies').length;

    const found = await world.cli('verify', '--all');
    expect(found.exitCode).toBe(3);
    expect(found.stdout).toContain(
      'To send these records again: placement-sync verify --all --repair --entity vacancies\n',
    );
    const status = (await world.cli('status')).stdout;
    expect(status).toContain('200 differ at the platform');
    expect(status).toContain('placement-sync verify --all --repair --entity vacancies');
    const run = await world.run();
    expect(run).toMatchObject({ code: 3, entities: { vacancies: { sent: 0 } } });

    // A sample repairs a part, and says that it did.
    const part = await world.cli('verify', '--repair', '--sample', '100', '--entity', 'vacancies');
    expect(part.stdout).toContain('vacancies: checked 100 of 396 records, chosen at random.');
    expect(part.stdout).toContain('The others were not looked at.');
    expect(part.stdout).toContain('placement-sync verify --all --repair --entity vacancies');
    const left = 396 - at();
    expect(left).toBeGreaterThan(99);
    expect((await world.cli('status')).stdout).toContain(`${left} differ at the platform`);

    // The command that was advised does what it says.
    const repaired = await world.cli('verify', '--all', '--repair', '--entity', 'vacancies');
    expect(repaired.exitCode).toBe(0);
    expect(repaired.stdout).not.toContain('not looked at');
    expect(at()).toBe(396);
    expect((await world.cli('status')).stdout).not.toContain('at the platform');
    expect(await world.run()).toMatchObject({ code: 0, entities: { vacancies: { sent: 0 } } });
  }, 180_000);

  test('a path that is doubted is named on standard output with what to do, and finding the records ends the problem', async () => {
    const world = await syncedWorld();
    world.intercept = ({ method, operation }) =>
      method === 'GET' && operation === 'findVacancy' ? { status: 404, body: { message: 'no' } } : undefined;
    const found = await world.cli('verify', '--all', '--repair');
    expect(found.exitCode).toBe(3);
    expect(methods(world)).not.toContain('PUT');
    expect(found.stdout).toContain('vacancies: the platform has none of the 2 records that were asked for.');
    expect(found.stdout).toContain('platform.operations.findVacancy');
    expect(found.stdout).toContain('placement-sync resync --entity vacancies');
    expect((await world.cli('verify', '--all')).stdout).not.toContain('--repair --entity vacancies');
    expect((await world.cli('status')).stdout).toContain('2 differ at the platform');
    world.intercept = null;
    expect((await world.cli('verify')).exitCode).toBe(0);
    expect((await world.cli('status')).stdout).not.toContain('differ at the platform');
  });

  test.each([
    [['--sample', '3', '--all'], '--sample cannot be combined with --all'],
    [['--sample', '0'], '--sample must be at least 1'],
    [['--sample', 'few'], 'Expected a whole number'],
    [['--entity', 'trainings'], 'trainings: not in the configuration'],
    [['--field', 'region.id'], '--field needs --repair'],
    [['--repair', '--field', 'region.ids'], 'Did you mean region.id?'],
  ])('verify %j is refused with exit code 2', async (args, message) => {
    const world = await createCliWorld();
    const { exitCode, stdout, stderr } = await world.cli('verify', '--json', ...args);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });

  test('verify with the wrong secret exits 5 and still prints its JSON', async () => {
    const world = await syncedWorld();
    world.env.CLIENT_SECRET = 'wrong';
    const { exitCode, stdout } = await world.cli('verify', '--json');
    expect(exitCode).toBe(5);
    expect(JSON.parse(stdout)).toMatchObject({ entities: { companies: { checked: 0 } }, drift: [] });
  });

  test('verify keeps to its share of the rate', async () => {
    const world = await syncedWorld();
    world.configure('ratePerSecond: null', 'ratePerSecond: 10');
    world.configure('state: { leaseTtl: 8s }', 'state: { leaseTtl: 8s }\nverify: { sharePercent: 20 }');
    const { exitCode } = await world.cli('verify', '--entity', 'companies');
    expect(exitCode).toBe(0);
    const times = world.sandbox.requests().map(({ at }) => Date.parse(at));
    expect(times).toHaveLength(3);
    // Two a second: the third comes a second after the first.
    expect((times[2] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(1_000);
  });

  /** The platform shows these fields of every company otherwise. */
  function showOtherwise(world: CliWorld, change: (company: Record<string, unknown>) => object): void {
    world.intercept = ({ method, id, operation }) => {
      if (method !== 'GET' || operation !== 'findCompany') return undefined;
      const record = world.sandbox.records('jobs', 'companies').find((each) => each.id === id);
      const body = (record?.body ?? {}) as Record<string, unknown>;
      return { status: 200, body: { data: { id, ...body, ...change(body) }, meta: {} } };
    };
  }

  test('verify names the setting that clears what the platform still holds', async () => {
    const world = await syncedWorld();
    showOtherwise(world, ({ name }) => (name === 'Company 2' ? { website: 'https://old.example' } : {}));
    const { exitCode, stdout } = await world.cli('verify', '--entity', 'companies');
    expect(exitCode).toBe(3);
    expect(stdout).toContain('companies c002 website: sent nothing, the platform has "https://old.example"');
    expect(stdout).toContain(
      'the platform still holds website in 1 record for which your query has no value',
    );
    expect(stdout).toContain(
      '--repair clears the field if the platform replaces the whole record. If it merges, only null clears',
    );
    expect(stdout).toContain('entities.companies.absent: { ');
    expect(stdout).toContain('entities.companies.absent: { website: null }');
    // The setting is taken as it is printed.
    world.configure('query: companies.sql }', 'query: companies.sql, absent: { website: null } }');
    expect((await world.run()).entities.companies).toMatchObject({ changed: 3, accepted: 3 });
    const report = await world.cli('verify', '--entity', 'companies', '--json');
    expect(JSON.parse(report.stdout)).not.toHaveProperty('leftOver');
  });

  test('verify says what it could not compare, and doubts a field that the platform shows of no record', async () => {
    const world = await syncedWorld();
    showOtherwise(world, () => ({ name: undefined, region: { type: null, id: null } }));
    const text = await world.cli('verify', '--entity', 'companies', '--repair');
    expect(text.exitCode).toBe(0);
    expect(text.stdout).toContain(
      'companies: not compared, because the platform does not show it: name (3 records)',
    );
    expect(text.stdout).toContain('companies: the platform shows nothing in region.id for any of 3 records');
    expect(text.stdout).toContain('placement-sync verify --entity companies --repair --field region.id');
    expect(methods(world).filter((method) => method === 'PUT')).toEqual([]);

    const { stdout } = await world.cli('verify', '--entity', 'companies', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      entities: { companies: { checked: 3, same: 3, drifted: 0, missing: 0 } },
      drift: [],
      notCompared: [{ entity: 'companies', field: 'name', records: 3 }],
      doubted: [
        { entity: 'companies', field: 'region.type', compared: 3, drifted: 3 },
        { entity: 'companies', field: 'region.id', compared: 3, drifted: 3 },
      ],
    });
    world.sandbox.clearRequests();
    await world.cli('verify', '--entity', 'companies', '--repair', '--field', 'region.id');
    expect(methods(world).filter((method) => method === 'PUT')).toHaveLength(3);
  });
});

describe('accepted is not live', () => {
  const WORDS = `
const STATES = { open: 'live', in_review: 'pending', rejected: 'refused', removed: 'removed' };
export default {
  reply({ status, json }, { operation }) {
    if (status !== 200) return undefined;
    if (operation === 'putVacancy') return { accepted: { id: json.data.id, state: 'pending' } };
    const state = STATES[json.data?.vacancy?.job?.status];
    return operation === 'findVacancy' && state ? { found: json.data, state } : undefined;
  },
};`;
  const putIds = (world: CliWorld) =>
    world.sandbox
      .requests()
      .flatMap(({ method, path }) => (method === 'PUT' ? [path.split('/').at(-2)] : []));

  /** v001 is live, v002 in review, v003 refused, v004 removed; v005 was lost by the platform. */
  async function moderatedWorld(adapter: string | null) {
    const world = await createCliWorld();
    if (adapter !== null) {
      world.write('adapter.mjs', adapter);
      world.configure('platform:\n', 'platform:\n  adapter: adapter.mjs\n');
    }
    const words = { 'Vacancy 2': 'in_review', 'Vacancy 3': 'rejected', 'Vacancy 4': 'removed' };
    const front = await startFront(world.sandbox.url, moderating(words));
    world.env.BASE_URL = front.url;
    await addCompanies(world, 1);
    await addVacancies(world, 9);
    expect(await world.run()).toMatchObject({ code: 0 });
    const idOf = (title: string) =>
      world.sandbox.records('jobs', 'vacancies').find(({ body }) => body.title === title)?.id ?? '';
    world.sandbox.forget('vacancies', idOf('Vacancy 5'));
    world.sandbox.clearRequests();
    return { ...world, idOf, front };
  }

  test('what the platform refused or removed later is named, journalled, and sent again only by a person', async () => {
    const world = await moderatedWorld(WORDS);
    expect(JSON.parse((await world.cli('status', '--json')).stdout)).toMatchObject({
      entities: { vacancies: { synced: 9, atPlatform: { pending: 9 } } },
    });

    // Of every record that was accepted since it is asked, whatever the sample.
    const verified = await world.cli('verify', '--repair', '--sample', '1', '--json');
    expect(verified.exitCode).toBe(3);
    const report = JSON.parse(verified.stdout) as { entities: unknown; states: unknown };
    expect(report).toMatchObject({
      entities: { vacancies: { checked: 9, same: 5, drifted: 0, missing: 0, notLive: 4 } },
    });
    expect(report.states).toEqual([
      { entity: 'vacancies', state: 'pending', word: 'in_review', records: 1, sampleKeys: ['v002'] },
      { entity: 'vacancies', state: 'pending', word: null, records: 1, sampleKeys: ['v005'] },
      { entity: 'vacancies', state: 'refused', word: 'rejected', records: 1, sampleKeys: ['v003'] },
      { entity: 'vacancies', state: 'removed', word: 'removed', records: 1, sampleKeys: ['v004'] },
    ]);
    expect(putIds(world)).toEqual([]);

    const status = await world.cli('status');
    expect(status.stdout).toContain(
      'vacancies: of what the platform accepted, 2 not seen live yet, 1 refused later, 1 removed.',
    );
    expect(status.stdout).toContain('2 taken down');
    expect(status.stdout).toContain('placement-sync retry --removed --entity vacancies');
    const removed = await world.cli('explain', 'vacancies', 'v004');
    expect(removed.stdout).toContain('vacancies v004 is rejected');
    expect(removed.stdout).toContain(
      'now shows it as "removed" (removed). It is sent again only by retry --removed',
    );
    expect(removed.stdout).toMatch(/findVacancy seen, HTTP 200: The platform shows it as .+ \(removed\)/);
    expect((await world.cli('records', '--status', 'rejected')).stdout).toContain('shows it as "rejected"');
    const reported = await world.cli('report', '--json');
    expect(reported.stdout).not.toContain('seen');
    expect(JSON.parse(reported.stdout)).toMatchObject({ takenDown: { vacancies: 2 } });
    expect((await world.cli('report')).stdout).toContain(
      'vacancies: the platform took down 2 records that it had accepted.',
    );
    const earlier = await world.cli('report', '--from', '2020-01-01', '--to', '2020-01-31');
    expect(earlier.stdout).not.toContain('took down');

    // Neither a run, nor a repair of everything, nor a retry, nor a resync of the entity, nor a change of a removed one.
    await world.sql(`update vacancy set quota = '7' where id = 'v004'`);
    expect(await world.run()).toMatchObject({ code: 3, entities: { vacancies: { changed: 1, sent: 0 } } });
    await world.cli('verify', '--all', '--repair');
    expect((await world.cli('retry')).stdout).toContain('vacancies: 0 rejected records are pending again');
    expect(putIds(world)).toEqual([]);
    await world.cli('resync', '--entity', 'vacancies');
    expect(putIds(world)).toHaveLength(7);
    expect(putIds(world)).not.toContain(world.idOf('Vacancy 3'));
    expect(putIds(world)).not.toContain(world.idOf('Vacancy 4'));

    // A refused one that was corrected is another one.
    world.sandbox.clearRequests();
    await world.sql(`update vacancy set title = 'Corrected' where id = 'v003'`);
    expect(await world.run()).toMatchObject({ code: 3, entities: { vacancies: { sent: 1, accepted: 1 } } });
    expect(putIds(world)).toEqual([world.idOf('Corrected')]);

    world.sandbox.clearRequests();
    const preview = await world.cli('retry', '--removed', '--preview');
    expect(preview.stdout).toContain('vacancies: 1 taken down record would be pending again');
    expect((await world.cli('retry', '--removed')).exitCode).toBe(0);
    expect(putIds(world)).toEqual([world.idOf('Vacancy 4')]);
    expect((await world.cli('explain', 'vacancies', 'v004')).stdout).toContain('vacancies v004 is synced');
  });

  test('a record that the platform shows as live again is synced, and its change is sent', async () => {
    const world = await moderatedWorld(WORDS);
    await world.cli('verify');
    await world.sql(`update vacancy set quota = '7' where id = 'v004'`);
    await world.run();
    expect(putIds(world)).toEqual([]);
    world.front.difference = null;
    await world.cli('verify', '--entity', 'vacancies');
    expect(await world.run()).toMatchObject({ code: 0, entities: { vacancies: { sent: 1 } } });
    expect(putIds(world)).toEqual([world.idOf('Vacancy 4')]);
    await world.cli('verify');
    expect(JSON.parse((await world.cli('status', '--json')).stdout)).toMatchObject({
      entities: { vacancies: { synced: 9, rejected: 0, atPlatform: { pending: 1 } } },
    });
  });

  test('without an adapter a status that was not sent is left to a person, and what is missing is repaired', async () => {
    const world = await moderatedWorld(null);
    const repaired = await world.cli('verify', '--all', '--repair');
    expect(repaired.exitCode).toBe(3);
    expect(putIds(world)).toEqual([world.idOf('Vacancy 5')]);
    expect(repaired.stdout).toContain('the platform shows it as "removed": 1 record (v004)');
    expect(repaired.stdout).toContain('placement-sync resync --entity vacancies --key v004');
    const explained = await world.cli('explain', 'vacancies', 'v004', '--json');
    expect(JSON.parse(explained.stdout)).toMatchObject({
      status: 'synced',
      atPlatform: { state: 'other', word: 'removed' },
    });
    world.sandbox.clearRequests();
    await world.cli('resync', '--entity', 'vacancies', '--key', 'v004');
    expect(putIds(world)).toEqual([world.idOf('Vacancy 4')]);
  });

  test('a region that the platform has deleted is a difference, which no repair sends again', async () => {
    const world = await createCliWorld();
    const front = await startFront(world.sandbox.url, null);
    world.env.BASE_URL = front.url;
    await addCompanies(world, 1);
    await addVacancies(world, 2);
    world.write(
      'vacancies.sql',
      `select v.id as key, company_id as company_key, title, c.city as region_id from vacancy v join company c on c.id = company_id\n`,
    );
    await world.run();
    front.difference = deletingRegions;
    world.sandbox.clearRequests();
    const { exitCode, stdout } = await world.cli('verify', '--repair');
    expect(exitCode).toBe(3);
    expect(stdout).toContain('vacancies: the platform has deleted the region of 2 records (v00');
    expect(stdout).toContain('correct the query or the lookup of region_id');
    expect(putIds(world)).toEqual([]);
    expect((await world.cli('status')).stdout).toContain('2 differ at the platform');
    front.difference = null;
    expect((await world.cli('verify')).exitCode).toBe(0);
  });

  test('a record accepted with 202 is read back until the platform has it, and is missing only after a day', async () => {
    const world = await createCliWorld();
    world.env.BASE_URL = (await startFront(world.sandbox.url, puttingWith(202))).url;
    await addCompanies(world, 1);
    await addVacancies(world, 3);
    await world.run();
    const [first] = world.sandbox.records('jobs', 'vacancies');
    world.sandbox.forget('vacancies', first?.id ?? '');
    const counts = async () =>
      (JSON.parse((await world.cli('status', '--json')).stdout) as { entities: { vacancies: object } })
        .entities.vacancies;
    expect(await counts()).toMatchObject({ atPlatform: { pending: 3 } });
    expect((await world.cli('verify', '--repair')).exitCode).toBe(0);
    expect(await counts()).toMatchObject({ synced: 3, atPlatform: { pending: 1 } });
    await world.sql(
      `update placement_sync.sync_state set acknowledged_at = acknowledged_at - interval '25 hours' where platform_state = 'pending'`,
    );
    world.sandbox.clearRequests();
    expect((await world.cli('verify', '--repair')).exitCode).toBe(0);
    expect(putIds(world)).toEqual([first?.id]);
  });
});

describe('adopt', () => {
  test('adopt of one entity asks for that one only, and prints a table', async () => {
    const world = await createCliWorld();
    await addCompanies(world, 2);
    await addVacancies(world, 2);
    const { exitCode, stdout } = await world.cli('adopt', '--entity', 'companies');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/companies +2 +0 +0 +2/);
    expect(stdout).toContain('Nothing was sent');
    expect(world.sandbox.requests()).toHaveLength(2);
  });

  test('adopt without a state database exits 1 and still prints its JSON', async () => {
    const world = await createCliWorld();
    world.configure('state: { leaseTtl: 8s }', 'state: { url: "postgres://nobody@127.0.0.1:1/none" }');
    const { exitCode, stdout } = await world.cli('adopt', '--json');
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toEqual({ entities: {} });
  });

  test.each([
    [['--keep']],
    [['--environment', '--keep', '--json']],
    [['--environment', '--keep', '-e', 'companies']],
  ])('adopt %j is refused with exit code 2', async (args) => {
    const world = await createCliWorld();
    const { exitCode, stderr } = await world.cli('adopt', ...args);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('adopt --environment --keep');
  });
});
