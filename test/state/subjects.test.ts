import { readFileSync } from 'node:fs';
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import type { AddressPads } from '../../src/ports/source.js';
import { createPostgresSource } from '../../src/source/postgres-source.js';
import { fixture, openTestInbox, received, type TestInbox } from './open-test-inbox.js';

const EMAIL = 'marked.person@example.org';
const NAME = 'Marked Person';
const md5 = (text: string) => createHash('md5').update(text).digest('hex');

/** Every value of every column of the schema, as text. */
async function dump({ sql }: TestInbox): Promise<string> {
  const tables = await sql<{ name: string }>(
    `select quote_ident(table_name) as name from information_schema.tables
     where table_schema = 'placement_sync' and table_type = 'BASE TABLE'`,
  );
  expect(tables.length).toBeGreaterThan(15);
  const texts = [];
  for (const { name } of tables) {
    const rows = await sql<{ row: string }>(
      `select cast(to_jsonb(t) as text) as row from placement_sync.${name} t`,
    );
    texts.push(...rows.map(({ row }) => `${name}: ${row}`));
  }
  return texts.join('\n').toLowerCase();
}

/** The secret of the schema as a key of HMAC, from the block that it is stored in. */
async function hashOf({ sql }: TestInbox, email: string): Promise<string> {
  const [row] = await sql<{ pad: Buffer }>('select inner_pad as pad from placement_sync.address_secret');
  const secret = Buffer.from(row!.pad.map((byte) => byte ^ 0x36));
  return createHmac('sha256', secret).update(md5(email.toLowerCase())).digest('hex');
}

async function apply({ inbox }: TestInbox, fields: Record<string, unknown>): Promise<string> {
  const id = randomUUID();
  const body = JSON.stringify({ ...fixture('flat'), id, email: EMAIL, name: NAME, ...fields });
  // A number that JavaScript cannot hold.
  await inbox.store(received(body.replace('"SALARY"', '12345678901234567890')));
  return id;
}

const status = ({ sql }: TestInbox, key: string, applicationId: string) =>
  sql(
    `insert into placement_sync.sync_state (entity, key, platform_id, desired_hash, acknowledged_hash, acknowledged_at)
     values ('application-statuses', $1, cast($2 as uuid), 'v1:x', 'v1:x', now())`,
    [key, applicationId],
  );
const request = ({ sql }: TestInbox, applicationId: string) =>
  sql(
    `insert into placement_sync.delivery
       (entity, key, platform_id, kind, operation, request_id, claimed_at, answered_at, outcome)
     values ('application-statuses', $1, cast($2 as uuid), 'new', 'updateJobApplicationStatus', $3, now(), clock_timestamp(), 'accepted')`,
    [applicationId, applicationId, randomUUID()],
  );

/** Two persons; the first with two applications, a status named by id, one by address, and events in unknown layouts. */
async function filled() {
  const world = await openTestInbox();
  const first = await apply(world, {});
  const second = await apply(world, { email: EMAIL.toUpperCase() });
  const other = await apply(world, {
    email: `x${EMAIL}`,
    name: 'Somebody Else',
    experiences: [{ company: 'CV Maju', contact: `ask ${EMAIL} first`, salary: 'SALARY' }],
  });
  await status(world, first, first);
  await status(world, `v2:${await hashOf(world, EMAIL)}`, second);
  await status(world, `v2:${await hashOf(world, `x${EMAIL}`)}`, other);
  for (const id of [first, second, other]) await request(world, id);
  await world.inbox.store(received({ event: 'cancelled', by: { mail: EMAIL, who: NAME } }));
  await world.inbox.store(
    received(`{"event":"cancelled","mail":"marked.person\\u0040example.org","note":"${NAME}"}`),
  );
  await world.inbox.store(received({ event: 'cancelled', id: second, who: NAME }));
  await world.inbox.store(received({ event: 'cancelled', mail: `${EMAIL}.my` }));
  await world.sql(
    `insert into placement_sync.unstored_webhook (webhook, layout, reason) values ($1, 'flat', 'full')`,
    [first],
  );
  await world.sql(
    `insert into placement_sync.staged_finding (sweep_token, entity, key, kind, platform_id, desired_payload)
     values (1, 'application-statuses', $1, 'changed', cast($2 as uuid), '{"status": "hired"}')`,
    [first, first],
  );
  await world.sql(
    `insert into placement_sync.entity_state (entity, hold) values ('application-statuses', $1)`,
    [JSON.stringify({ reason: 'vanished', sampleKeys: [first, other] })],
  );
  return { ...world, first, second, other };
}

test('erase leaves nothing of the address in the state schema, and nothing of others is lost', async () => {
  const world = await filled();
  const traces = [NAME, EMAIL, md5(EMAIL), await hashOf(world, EMAIL), world.first, world.second].map(
    (each) => each.toLowerCase(),
  );
  const before = await dump(world);
  expect(traces.filter((trace) => !before.includes(trace))).toEqual([md5(EMAIL)]);

  const looked = await world.subjects.erase({ email: EMAIL }, { dryRun: true });
  expect(await dump(world), 'a dry run changes nothing').toBe(before);
  const done = await world.subjects.erase({ email: EMAIL }, { dryRun: false });
  expect(done).toEqual({
    removed: { job_application: 5, unstored_webhook: 1, sync_state: 2, delivery: 2 },
    blanked: { job_application: 1, staged_finding: 1, entity_state: 1, operator_action: 0 },
    left: {},
    sweepUnderWay: false,
  });
  expect(looked).toEqual(done);

  // The address of the other person ends with this one, and an event names one that begins with it.
  const after = (await dump(world)).replaceAll(`x${EMAIL}`, '').replaceAll(`${EMAIL}.my`, '');
  expect(traces.filter((trace) => after.includes(trace))).toEqual([]);
  const [kept] = await world.sql<{ body: string }>(
    `select body from placement_sync.job_application where application_id = $1`,
    [world.other],
  );
  expect(kept!.body, 'numbers stay as they came').toContain('12345678901234567890');
  expect(JSON.parse(kept!.body)).toMatchObject({
    email: `x${EMAIL}`,
    experiences: [{ contact: 'ask [erased] first' }],
  });
  expect(
    await world.sql(
      `select key, hold from placement_sync.sync_state s join placement_sync.entity_state e using (entity)`,
    ),
  ).toEqual([
    {
      key: expect.stringMatching(/^v2:/) as string,
      hold: { reason: 'vanished', sampleKeys: ['[erased]', world.other] },
    },
  ]);
  await world.sql(
    `insert into placement_sync.sync_run (run_id, trigger, holder, started_at) values (gen_random_uuid(), 'cron', 'h', now())`,
  );
  expect(await world.subjects.erase({ email: EMAIL }, { dryRun: false })).toMatchObject({
    removed: { job_application: 0, sync_state: 0 },
    sweepUnderWay: true,
  });
});

test('after the retention the address still leads to its statuses, and to their requests', async () => {
  const world = await filled();
  await world.sql(`update placement_sync.job_application set received_at = now() - interval '200 days'`);
  expect(await world.inbox.prune(180 * 86_400_000)).toBe(7);
  expect(await world.subjects.read({ email: EMAIL.toUpperCase() })).toMatchObject({
    job_application: [],
    sync_state: [
      { platform_id: expect.any(String) as string },
      { platform_id: expect.any(String) as string },
    ],
    delivery: [{ outcome: 'accepted' }, { outcome: 'accepted' }],
  });
  expect(await world.subjects.erase({ email: EMAIL }, { dryRun: false })).toMatchObject({
    removed: { job_application: 0, unstored_webhook: 1, sync_state: 2, delivery: 2 },
    left: {},
  });
  const rest = await world.sql(`select platform_id from placement_sync.sync_state`);
  expect(rest).toEqual([{ platform_id: world.other }]);
});

test('the id of an application is about that application alone', async () => {
  const world = await filled();
  const held = await world.subjects.read({ applicationId: world.second });
  expect(held.job_application).toMatchObject([
    { application_id: world.second, email: EMAIL.toUpperCase(), kept: 'body' },
    { layout: 'unrecognised' },
  ]);
  expect(held).toMatchObject({
    sync_state: [{ platform_id: world.second }],
    delivery: [{ key: world.second }],
    mentions: 0,
  });
  await world.subjects.erase({ applicationId: world.second }, { dryRun: false });
  expect(await dump(world)).not.toContain(world.second);
  expect(await dump(world)).toContain(world.first);
});

test('what other records say of the address is counted as left, and named by their keys', async () => {
  const world = await openTestInbox();
  await world.sql(
    `insert into placement_sync.sync_state (entity, key, platform_id, desired_payload)
     values ('companies', 'c1', gen_random_uuid(), $1), ('companies', 'c2', gen_random_uuid(), $2)`,
    [JSON.stringify({ email: EMAIL }), JSON.stringify({ email: `${EMAIL}x` })],
  );
  expect(await world.subjects.read({ email: EMAIL })).toMatchObject({
    other_records: [{ entity: 'companies', key: 'c1' }],
  });
  expect(await world.subjects.erase({ email: EMAIL }, { dryRun: false })).toMatchObject({
    removed: { sync_state: 0 },
    left: { sync_state: 1 },
  });
});

test('the reader of the source makes the same hash, with the secret of the ledger, of an address in any case', async () => {
  const world = await openTestInbox();
  await world.sql('create table hiring (vacancy_key text, email text, status text)');
  await world.sql(`insert into hiring values ('v1', $1, 'hired'), ('v2', 'é@example.org', 'hired')`, [
    EMAIL.toUpperCase(),
  ]);
  const source = createPostgresSource({
    url: world.url,
    poolMax: 1,
    timeZone: null,
    platformTimeZone: 'Asia/Jakarta',
    statementTimeoutMs: 10_000,
    sessionTimeZone: null,
    rowSecurity: 'refuse',
  });
  onTestFinished(() => source.close());
  const columns = ['key', 'row_version', 'vacancy_key', 'email', 'status'].map((name) => ({ name }));
  const query = { entity: 'application-statuses', file: 'hiring.sql', columns, sql: 'select * from hiring' };
  const keysOf = (addressPads?: AddressPads) =>
    source.read({ ...query, ...(addressPads && { addressPads }) }, async (reader) => {
      const keys = [];
      for await (const page of reader.versions(null)) keys.push(...page.map(({ key }) => key));
      const rows = [];
      for await (const page of reader.rows(keys)) rows.push(...page.map(({ key }) => key));
      expect(rows.toSorted()).toEqual(keys);
      return keys;
    });
  const pads = await world.inbox.addressPads();
  expect(await keysOf(pads)).toEqual([
    `v1:${await hashOf(world, EMAIL)}`,
    `v2:${await hashOf(world, 'é@example.org')}`,
  ]);
  expect(await keysOf(), 'without a ledger').not.toEqual(await keysOf(pads));
});

test('the statement of the page about data protection counts the persons of a period', async () => {
  const page = readFileSync('docs/data-protection.md', 'utf8');
  const [, statement = ''] = /```sql\n(.*?)```/s.exec(page) ?? [];
  const world = await openTestInbox();
  await apply(world, {});
  await apply({ ...world, inbox: world.with({ keep: 'minimal' }) }, { email: 'b@example.org' });
  await apply(world, { email: EMAIL.toUpperCase() });
  await apply(world, { email: 'c@example.org' });
  await world.sql(
    `update placement_sync.job_application set received_at = '2026-11-03' where email is distinct from 'c@example.org'`,
  );
  await world.sql(
    `update placement_sync.job_application set received_at = '2026-12-03' where email = 'c@example.org'`,
  );
  expect(await world.sql(statement)).toEqual([
    { persons: '2', applications: '3', with_personal_columns: '2' },
  ]);
});

test('all versions of an application go, also one in which the platform corrected the address, and one with a number as id', async () => {
  const world = await openTestInbox();
  const id = await apply(world, {});
  await apply(world, { id, email: 'corrected@example.org' });
  await apply(world, { id: 4711 });
  const other = await apply(world, { email: 'other@example.org', name: 'Somebody Else', phone: '4711' });
  expect(await world.rows()).toHaveLength(4);
  const done = await world.subjects.erase({ email: EMAIL }, { dryRun: false });
  expect(done).toMatchObject({ removed: { job_application: 3 }, left: {} });
  expect((await world.rows()).map(({ application_ref }) => application_ref)).toEqual([other]);
  const text = await dump(world);
  for (const trace of [EMAIL, 'corrected@example.org', NAME.toLowerCase()]) expect(text).not.toContain(trace);
  await apply(world, { id: 4712 });
  expect(await world.subjects.erase({ applicationId: '4712' }, { dryRun: false })).toMatchObject({
    removed: { job_application: 1 },
  });
});

test('what operators named or wrote of the person goes too, and their actions stay', async () => {
  const world = await openTestInbox();
  const id = await apply(world, {});
  await world.sql(
    `insert into placement_sync.operator_action (who, via, action, entity, keys, reason)
     values ('rina', 'page', 'resync', 'application-statuses', $1, $2), ('budi', 'page', 'run', null, '{}', null)`,
    [[id, 'other'], `asked by ${EMAIL}, "at once"`],
  );
  expect(await world.subjects.read({ email: EMAIL })).toMatchObject({ operator_action: [{ who: 'rina' }] });
  const done = await world.subjects.erase({ email: EMAIL }, { dryRun: false });
  expect(done).toMatchObject({ blanked: { operator_action: 1 }, left: {} });
  expect(await world.sql('select who, keys, reason from placement_sync.operator_action order by id')).toEqual(
    [
      { who: 'rina', keys: ['[erased]', 'other'], reason: 'asked by [erased], "at once"' },
      { who: 'budi', keys: [], reason: null },
    ],
  );
});
