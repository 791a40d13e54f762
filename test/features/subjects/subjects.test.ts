import { readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { fixture, openTestInbox, received, type TestInbox } from '../webhook/state/open-test-inbox.js';

const EMAIL = 'marked.person@example.org';
const NAME = 'Marked Person';

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

async function apply({ inbox }: Pick<TestInbox, 'inbox'>, fields: Record<string, unknown>): Promise<string> {
  const id = randomUUID();
  await inbox.store(received({ ...fixture('flat'), id, email: EMAIL, name: NAME, ...fields }));
  return id;
}

const status = ({ sql }: TestInbox, applicationId: string) =>
  sql(
    `insert into placement_sync.sync_state (entity, key, platform_id, desired_hash, acknowledged_hash, acknowledged_at)
     values ('application-statuses', $1, cast($2 as uuid), 'v1:x', 'v1:x', now())`,
    [applicationId, applicationId],
  );
const request = ({ sql }: TestInbox, applicationId: string) =>
  sql(
    `insert into placement_sync.delivery
       (entity, key, platform_id, kind, operation, request_id, claimed_at, answered_at, outcome)
     values ('application-statuses', $1, cast($2 as uuid), 'new', 'updateJobApplicationStatus', $3, now(), clock_timestamp(), 'accepted')`,
    [applicationId, applicationId, randomUUID()],
  );

/** Two persons; the first with two applications, their statuses, and events in unknown layouts. */
async function filled() {
  const world = await openTestInbox();
  const first = await apply(world, {});
  const second = await apply(world, { email: EMAIL.toUpperCase() });
  const other = await apply(world, { email: `x${EMAIL}`, name: 'Somebody Else' });
  for (const id of [first, second, other]) {
    await status(world, id);
    await request(world, id);
  }
  await world.inbox.store(received({ event: 'cancelled', by: { mail: EMAIL, who: NAME } }));
  await world.inbox.store(received({ event: 'cancelled', id: second, who: NAME }));
  await world.inbox.store(received({ event: 'cancelled', mail: `${EMAIL}.my` }));
  await world.sql(
    `insert into placement_sync.unstored_webhook (webhook, layout, reason) values ($1, 'flat', 'full')`,
    [first],
  );
  return { ...world, first, second, other };
}

test('erase leaves nothing of the address in the state schema, and nothing of others is lost', async () => {
  const world = await filled();
  const traces = [NAME, EMAIL, world.first, world.second].map((each) => each.toLowerCase());
  const before = await dump(world);
  expect(traces.filter((trace) => !before.includes(trace))).toEqual([]);

  const looked = await world.subjects.erase({ email: EMAIL }, { dryRun: true });
  expect(await dump(world), 'a dry run changes nothing').toBe(before);
  const done = await world.subjects.erase({ email: EMAIL }, { dryRun: false });
  expect(done).toEqual({
    removed: { job_application: 4, unstored_webhook: 1, sync_state: 2, delivery: 2 },
    blanked: { operator_action: 0 },
  });
  expect(looked).toEqual(done);

  // The address of the other person ends with this one, and an event names one that begins with it.
  const after = (await dump(world)).replaceAll(`x${EMAIL}`, '').replaceAll(`${EMAIL}.my`, '');
  expect(traces.filter((trace) => after.includes(trace))).toEqual([]);
  expect(await world.rows()).toMatchObject([{ application_id: world.other }, { layout: 'unrecognised' }]);
  expect(await world.sql('select key from placement_sync.sync_state')).toEqual([{ key: world.other }]);
});

test('what is stored in the ledger names an application, and nobody', async () => {
  const world = await filled();
  await world.inbox.prune(0);
  expect(await world.rows()).toEqual([]);
  const text = await dump(world);
  for (const trace of [EMAIL, NAME.toLowerCase()]) expect(text).not.toContain(trace);
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
  });
  await world.subjects.erase({ applicationId: world.second }, { dryRun: false });
  expect(await dump(world)).not.toContain(world.second);
  expect(await dump(world)).toContain(world.first);
});

test('the statement of the page about data protection counts the persons of a period', async () => {
  const page = readFileSync('docs/trust.md', 'utf8');
  const [, statement = ''] = /```sql\n(.*?)```/s.exec(page) ?? [];
  const world = await openTestInbox();
  await apply(world, {});
  await apply({ inbox: world.with({ keep: 'minimal' }) }, { email: 'b@example.org' });
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
  expect(done).toMatchObject({ removed: { job_application: 3 } });
  expect((await world.rows()).map(({ application_ref }) => application_ref)).toEqual([other]);
  const text = await dump(world);
  for (const trace of [EMAIL, 'corrected@example.org', NAME.toLowerCase()]) expect(text).not.toContain(trace);
  await apply(world, { id: 4712 });
  expect(await world.subjects.erase({ applicationId: '4712' }, { dryRun: false })).toMatchObject({
    removed: { job_application: 1 },
    blanked: { operator_action: 0 },
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
  expect(done).toMatchObject({ blanked: { operator_action: 1 } });
  expect(await world.sql('select who, keys, reason from placement_sync.operator_action order by id')).toEqual(
    [
      { who: 'rina', keys: ['[erased]', 'other'], reason: 'asked by [erased], "at once"' },
      { who: 'budi', keys: [], reason: null },
    ],
  );
});
