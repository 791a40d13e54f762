import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import type { Explanation } from '../../src/features/look/explain-record.js';
import { addCompanies, addVacancies, closeVanished, createCliWorld, type CliWorld } from './cli-world.js';
import { runCli, startCli } from './run-cli.js';

const COUNTS = ['accepted', 'closed', 'deleted', 'rejected', 'failed'];
const none = { accepted: 0, closed: 0, deleted: 0, rejected: 0, failed: 0 };

interface ReportJson {
  readonly from: string;
  readonly to: string;
  readonly entities: Readonly<Record<string, typeof none>>;
  readonly days: readonly {
    readonly day: string;
    readonly entities: Readonly<Record<string, typeof none>>;
    readonly parents: readonly (typeof none & {
      readonly entity: string;
      readonly parent: { readonly entity: string; readonly key: string; readonly name: string | null } | null;
    })[];
  }[];
}

/** Two companies; of three vacancies one is closed, one rejected at first, and one failed at first. */
async function reportedWorld(): Promise<CliWorld> {
  const world = await createCliWorld();
  closeVanished(world);
  await addCompanies(world, 2);
  await addVacancies(world, 3);
  world.intercept = ({ path }) =>
    path.includes('vacanc') ? { status: 500, body: { message: 'down' } } : undefined;
  world.configure('entities:', 'retry: { baseDelay: 1ms, maxDelay: 1ms }\nentities:');
  await world.run();
  world.intercept = null;
  await world.run();
  await world.sql(`delete from vacancy where id = 'v001'`);
  await world.sql(`update vacancy set title = 'Other' where id = 'v002'`);
  world.configure('entities:', 'guards: { maxVanishedPercent: 100 }\nentities:');
  world.intercept = ({ body }) =>
    JSON.stringify(body).includes('Other') ? { status: 422, body: { message: 'no "Other"' } } : undefined;
  await world.run();
  return world;
}

test('report counts what was accepted, closed, rejected and failed, and lists each request with its Request-Id', async () => {
  const world = await reportedWorld();
  const { stdout } = await world.cli('report', '--json');
  const report = JSON.parse(stdout) as ReportJson;
  expect(Object.keys(report)).toEqual(['from', 'to', 'entities', 'days', 'knownFrom', 'unknown']);
  expect(Object.keys(report.entities.vacancies ?? {})).toEqual(COUNTS);
  expect(report.entities.companies).toEqual({ ...none, accepted: 2 });
  expect(report.entities.vacancies).toMatchObject({ accepted: 4, closed: 1, deleted: 0, rejected: 1 });
  expect(report.entities.vacancies?.failed).toBeGreaterThanOrEqual(1);
  const parents = report.days.flatMap((day) => day.parents);
  expect(parents.filter(({ entity }) => entity === 'vacancies')).toMatchObject([
    { parent: { entity: 'companies', key: 'c001', name: 'Company 1' }, accepted: 4 },
  ]);
  expect(report.days.map(({ day }) => day)).toEqual([report.to]);

  const csv = await world.cli('report', '--csv', '--entity', 'vacancies');
  const rows = csvRows(csv.stdout);
  const closing = rows.filter((row) => row.get('kind') === 'close');
  expect(closing).toHaveLength(1);
  for (const [column, value] of Object.entries({ key: 'v001', outcome: 'accepted', parent_key: 'c001' }))
    expect(closing[0]?.get(column)).toBe(value);
  const asked = world.sandbox.requests().map(({ requestId }) => requestId);
  // Two of the requests were about companies.
  expect(asked).toHaveLength(rows.length + 2);
  expect(asked).toEqual(expect.arrayContaining(rows.map((row) => row.get('request_id'))));

  const people = await world.cli('report');
  expect(people.stdout).toContain('days in Asia/Jakarta');
  expect(people.stdout).toMatch(/vacancies\s+Company 1 c001\s+4\s+3\s+0\s+1\s+0\s+1/);
  const empty = await world.cli('report', '--from', '2020-01-01', '--to', '2020-01-31', '--json');
  expect(JSON.parse(empty.stdout)).toEqual({
    from: '2020-01-01',
    to: '2020-01-31',
    entities: { companies: none, vacancies: none },
    days: [],
    knownFrom: expect.stringMatching(/Z$/) as string,
    unknown: [{ from: null, to: expect.stringMatching(/Z$/) as string }],
  });
});

/** The lines of a CSV file by the names of its columns; no cell of these has a comma. */
function csvRows(text: string): ReadonlyMap<string, string>[] {
  const [head = '', ...lines] = text.trimEnd().split('\n');
  const names = head.split(',');
  return lines.map((line) => new Map(line.split(',').map((cell, at) => [names[at] ?? '', cell])));
}

test('report --records has one line for each record: what was reported, when, and when it was closed', async () => {
  const world = await reportedWorld();
  const journal = await world.sql<{ key: string; kind: string; outcome: string; id: string; at: string }>(
    `select key, kind, outcome, request_id::text as id,
       to_char(answered_at at time zone 'Asia/Jakarta', 'YYYY-MM-DD HH24:MI:SS') as at
     from placement_sync.delivery where entity = 'vacancies' order by answered_at, claimed_at`,
  );
  const of = (key: string, kind?: string) =>
    journal.filter((row) => row.key === key && row.outcome === 'accepted' && (kind ?? row.kind) === row.kind);
  const csv = await world.cli('report', '--records', '--csv', '--entity', 'vacancies');
  const rows = csvRows(csv.stdout);
  expect(rows.map((row) => row.get('key')).sort()).toEqual(['v001', 'v002', 'v003']);
  for (const row of rows) {
    const key = row.get('key') ?? '';
    expect(Object.fromEntries(row)).toMatchObject({
      entity: 'vacancies',
      // The platform has refused the other title.
      title: `Vacancy ${Number(key.slice(1))}`,
      parent_key: 'c001',
      parent_name: 'Company 1',
      reported_at: of(key, 'new')[0]?.at,
      reported_at_latest: '',
      updates: '0',
      closed_at: key === 'v001' ? of(key, 'close')[0]?.at : '',
      last_request_id: journal.filter((each) => each.key === key).at(-1)?.id,
      outcome: key === 'v002' ? 'rejected' : 'accepted',
      client_id: 'sandbox-client',
    });
  }
  expect(of('v001', 'close')).toHaveLength(1);

  const json = await world.cli('report', '--records', '--json', '--company', 'COMPANY 1');
  const report = JSON.parse(json.stdout) as { records: Readonly<Record<string, unknown>>[] };
  expect(report).toMatchObject({ company: 'COMPANY 1', knownFrom: expect.stringMatching(/Z$/) as string });
  expect(report.records.map(({ entity, key }) => `${String(entity)} ${String(key)}`).sort()).toEqual([
    'companies c001',
    'vacancies v001',
    'vacancies v002',
    'vacancies v003',
  ]);
  expect(report.records.find(({ key }) => key === 'v001')).toEqual({
    entity: 'vacancies',
    key: 'v001',
    platformId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    title: 'Vacancy 1',
    parent: { entity: 'companies', key: 'c001', name: 'Company 1' },
    reportedAt: expect.stringMatching(/Z$/) as string,
    reportedAtLatest: null,
    updatedAt: null,
    updates: 0,
    closedAt: expect.stringMatching(/Z$/) as string,
    deletedAt: null,
    lastRequestAt: expect.stringMatching(/Z$/) as string,
    lastRequestId: of('v001', 'close')[0]?.id,
    outcome: 'accepted',
    clientId: 'sandbox-client',
  });
  expect((await world.cli('report', '--company', 'x')).stderr).toContain('needs --records');
});

test('at 80 columns the records are a table in which long titles are cut', async () => {
  const world = await reportedWorld();
  await world.sql(
    `update company set name = 'PT Contoh Sejahtera Bersama Selamanya Abadi' where id = 'c001'`,
  );
  await world.sql(
    `update vacancy set title = 'Perawat \u001b[2J untuk Ruang Gawat Darurat Anak' where id = 'v003'`,
  );
  await world.run();
  const { stdout } = await runCli(['report', '--records'], {
    env: { ...world.env, NO_COLOR: '1' },
    terminal: { columns: 80 },
  });
  const lines = stdout.split('\n');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(stdout).not.toContain('\u001b');
  // Colours of the program's own are no foreign text.
  for (const form of [['report'], ['report', '--records']]) {
    const wide = await runCli(form, { env: { ...world.env, FORCE_COLOR: '1' }, terminal: { columns: 250 } });
    expect(wide.stdout).toContain('\u001b[1m');
    expect(wide.stdout.replaceAll('\\u001b[2J', '')).not.toContain('\\u001b');
  }
  expect(stdout).toContain('client id sandbox-client');
  const day = '\\d{4}-\\d{2}-\\d{2}';
  expect(lines).toContainEqual(
    expect.stringMatching(/^key +title +company +reported +(updated +)?closed +last$/),
  );
  expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^v001  Vacancy 1 .*${day} .*${day}$`)));
  expect(lines).toContainEqual(
    expect.stringMatching(new RegExp(`^v002  Vacancy 2 +PT Con.*… +${day} .*rejected$`)),
  );
  expect(lines).toContainEqual(expect.stringMatching(/^v003 {2}Perawat .*… +PT Con.*…/));
});

test('of days that the journal does not cover it says so, and never that nothing was sent', async () => {
  const world = await createCliWorld();
  await world.sql(`update placement_sync.journal_gap set ends = '2026-03-05T05:40:00+07:00'`);
  const ask = (...words: string[]) => world.cli('report', ...words);
  const nothing = 'Nothing was sent on these days.';
  const begins = 'The journal begins 2026-03-05 05:40:00. Nothing is known of the time before.';

  const before = (await ask('--from', '2026-02-01', '--to', '2026-03-04')).stdout;
  expect(before).toContain(begins);
  expect(before).toContain('so it cannot say whether something was sent.');
  expect(before).not.toContain(nothing);
  const partly = (await ask('--from', '2026-03-01', '--to', '2026-03-05')).stdout;
  expect(partly).toContain(begins);
  expect(partly).toContain('Of the part of these days that the journal knows: nothing was sent.');
  expect(partly).not.toContain(nothing);
  const covered = (await ask('--from', '2026-03-06', '--to', '2026-03-07')).stdout;
  expect(covered).toContain(nothing);
  expect(covered).not.toContain('The journal begins');

  const knownFrom = '2026-03-04T22:40:00.000Z';
  const json = async (from: string) =>
    JSON.parse((await ask('--from', from, '--to', from, '--json')).stdout) as unknown;
  expect(await json('2026-03-01')).toMatchObject({ knownFrom, unknown: [{ from: null, to: knownFrom }] });
  expect(await json('2026-03-06')).toMatchObject({ knownFrom, unknown: [] });
  const csv = (await ask('--from', '2026-03-01', '--to', '2026-03-01', '--csv')).stdout.split('\n');
  expect(csv[0]).toMatch(/,known_from$/);
  expect(csv[1]).toContain(begins);
  expect(csv[1]).toContain('not-known');
  expect(csv[1]?.endsWith(`,${knownFrom}`)).toBe(true);

  const ofRecords = (await ask('--from', '2026-03-01', '--to', '2026-03-01', '--records')).stdout;
  expect(ofRecords).toContain(begins);
  expect(ofRecords).not.toContain(nothing);
  const [note] = csvRows(
    (await ask('--from', '2026-03-01', '--to', '2026-03-01', '--records', '--csv')).stdout,
  );
  expect(note?.get('outcome')).toBe('not-known');
  expect(note?.get('note')).toBe(begins);
  expect(note?.get('known_from')).toBe(knownFrom);
  // The journal's first request about it says that the platform had it by then.
  await world.sql(
    `insert into placement_sync.delivery (entity, key, platform_id, kind, operation, request_id, claimed_at, answered_at, outcome)
     select 'vacancies', 'old', '00000000-0000-4000-8000-000000000001', kind, 'putVacancy', gen_random_uuid(), at, at, 'accepted'
     from (values ('update', timestamptz '2026-03-06T01:00:00+07:00'), ('close', '2026-03-07T01:00:00+07:00')) r(kind, at)`,
  );
  const old = await ask('--from', '2026-03-07', '--to', '2026-03-07', '--records');
  expect(old.stdout).toMatch(/^old +by 2026-03-06 +2026-03-06 +2026-03-07$/m);
  expect(old.stdout).toContain('the journal does not know since when');
  const [oldRow] = csvRows((await ask('--from', '2026-03-07', '--records', '--csv')).stdout);
  expect(oldRow?.get('reported_at')).toBe('');
  expect(oldRow?.get('reported_at_latest')).toBe('2026-03-06 01:00:00');
  expect(oldRow?.get('closed_at')).toBe('2026-03-07 01:00:00');
  await world.sql('delete from placement_sync.delivery');

  // A restored backup leaves a stretch in the middle.
  await world.sql(
    `insert into placement_sync.journal_gap values ('2026-04-01T01:00:00+07:00', '2026-04-03T09:00:00+07:00')`,
  );
  const inside = (await ask('--from', '2026-04-02', '--to', '2026-04-02')).stdout;
  expect(inside).toContain('From 2026-04-01 01:00:00 to 2026-04-03 09:00:00 the journal is incomplete');
  expect(inside).not.toContain(nothing);
  const later = ['--from', '2026-04-05', '--to', '2026-04-06'];
  expect((await ask(...later)).stdout).not.toContain('incomplete');
  // A record may have been closed meanwhile.
  expect((await ask(...later, '--records')).stdout).toContain('the journal is incomplete');
  await world.sql('delete from placement_sync.journal_gap');
  const lost = (await ask('--from', '2026-03-06', '--to', '2026-03-07')).stdout;
  expect(lost).toContain('The journal does not know when it began');
  expect(lost).not.toContain(nothing);
});

test('a report of many companies stays bounded: its counts are complete, and it says how to see the rest', async () => {
  const world = await createCliWorld();
  await world.sql(
    `insert into placement_sync.delivery (entity, key, platform_id, kind, operation, request_id, claimed_at, answered_at, outcome)
     select 'companies', 'c' || n, gen_random_uuid(), 'new', 'putCompany', gen_random_uuid(), now(), now(), 'accepted'
     from generate_series(1, 10003) n`,
  );
  const { stdout } = await world.cli('report', '--json');
  const report = JSON.parse(stdout) as ReportJson & { leftOut?: { parents: number; hint: string } };
  expect(report.entities.companies).toEqual({ ...none, accepted: 10_003 });
  expect(report.days[0]?.entities.companies).toEqual({ ...none, accepted: 10_003 });
  expect(report.days.flatMap((day) => day.parents)).toHaveLength(10_000);
  expect(report.leftOut).toEqual({ parents: 3, hint: expect.stringContaining('--csv') as string });
  const people = (await world.cli('report')).stdout;
  expect(people).toContain('… 9,803 more lines. Choose fewer days with --from and --to, or use --csv.');
  expect((await world.cli('report', '--csv')).stdout.split('\n')).toHaveLength(10_003 + 2);
  const records = (await world.cli('report', '--records')).stdout;
  expect(records.match(/^c\d+ /gm)).toHaveLength(200);
  expect(records).toContain('There are more. Choose with --from, --to, --entity or --company, or use --csv.');
  expect((await world.cli('report', '--records', '--csv')).stdout.split('\n')).toHaveLength(10_003 + 2);
  const json = (await world.cli('report', '--records', '--json')).stdout;
  expect(
    new Set((JSON.parse(json) as { records: { key: string }[] }).records.map(({ key }) => key)).size,
  ).toBe(10_003);
});

test('explain shows every request about a record in the order of time, and what changed since', async () => {
  const world = await reportedWorld();
  const { stdout } = await world.cli('explain', 'vacancies', 'v002', '--json');
  const { timeline } = JSON.parse(stdout) as Explanation;
  expect(timeline.at(-1)).toEqual({
    event: 'updated',
    requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    operation: 'putVacancy',
    claimedAt: expect.stringMatching(/Z$/) as string,
    answeredAt: expect.stringMatching(/Z$/) as string,
    statusCode: 422,
    outcome: 'rejected',
    reason: 'no "…"',
  });
  expect(timeline.map(({ outcome }) => outcome).slice(-2)).toEqual(['accepted', 'rejected']);
  const people = await world.cli('explain', 'vacancies', 'v002');
  expect(people.stdout).toMatch(/putVacancy rejected, HTTP 422: no "…" \(request [0-9a-f-]{36}\)/);
  expect(people.stdout).toContain('title: "Vacancy 2" → "Other"');
});

test('days that do not exist, or end before they begin, are refused', async () => {
  const world = await createCliWorld();
  for (const args of [
    ['--from', '2026-02-30'],
    ['--to', 'yesterday'],
    ['--from', '2026-02-01', '--to', '2026-01-31'],
    ['--csv', '--json'],
    ['--entity', 'nothing'],
  ])
    expect((await world.cli('report', ...args)).exitCode, args.join(' ')).toBe(2);
});

test('the built program prints the report and the requests about a record', async () => {
  const world = await createCliWorld();
  await addCompanies(world, 1);
  await world.run();
  const built = await startCli(['report', '--csv'], { env: world.env }).done;
  expect(built).toMatchObject({ exitCode: 0 });
  expect(built.stdout.split('\n')[1]).toMatch(
    /,companies,c001,companies,c001,Company 1,new,putCompany,accepted,200,/,
  );
  const explained = await startCli(['explain', 'companies', 'c001', '--json'], { env: world.env }).done;
  expect((JSON.parse(explained.stdout) as Explanation).timeline).toHaveLength(1);
});

test('a reader of the CSV that leaves early is no error', async () => {
  const world = await createCliWorld();
  // More than a pipe holds.
  await addCompanies(world, 400);
  expect((await world.run()).code).toBe(0);
  const main = new URL('../../dist/src/cli/main.js', import.meta.url).pathname;
  const command = '"$0" "$1" report --csv | head -c 3; echo " ${PIPESTATUS[0]}"';
  const piped = spawnSync('bash', ['-c', command, process.execPath, main], {
    env: { PATH: process.env.PATH, ...world.env },
    encoding: 'utf8',
  });
  expect(piped.stdout).toBe('day 0\n');
  expect(piped.stderr).not.toMatch(/EPIPE|defect| {4}at /);
});
