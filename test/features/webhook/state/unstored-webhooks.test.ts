import { expect, test } from 'vitest';
import { readApplication } from '../../../../src/features/webhook/contract/read-application.js';
import type { ReceivedWebhook } from '../../../../src/features/webhook/state/store-application.js';
import { fixture, openTestInbox, received } from './open-test-inbox.js';

const REFUSED = 'insert into public.applicant (id) values (new.application_id)';
const PERMIT = 'drop trigger take_over on placement_sync.job_application';

test('what the database refused is noted once however often it comes, and no longer when it is stored', async () => {
  const { inbox, sql, takeOver } = await openTestInbox();
  await takeOver(REFUSED);
  for (let attempt = 0; attempt < 3; attempt += 1) {
    // Another Request-Id: it is the same application.
    await expect(inbox.store(received(fixture('flat')))).rejects.toMatchObject({ code: 'state-failed' });
  }
  await expect(inbox.store(received(fixture('applied-at')))).rejects.toMatchObject({
    code: 'state-failed',
  });
  const noted = await inbox.unstored(10);
  expect(noted.map(({ layout, attempts }) => [layout, attempts])).toEqual([
    ['applied-at', 1],
    ['flat', 3],
  ]);
  expect(await inbox.unstored(1)).toHaveLength(1);
  expect(JSON.stringify(await sql('select * from placement_sync.unstored_webhook'))).not.toMatch(
    /Budi|Sari|example\.com|0812/,
  );
  await sql(PERMIT);
  expect(await inbox.store(received(fixture('flat')))).toBe('stored');
  expect((await inbox.unstored(10)).map(({ layout }) => layout)).toEqual(['applied-at']);
});

test('the constraint of a partner’s table that refused it is named, and no value', async () => {
  const { inbox, sql, takeOver, rows } = await openTestInbox();
  await sql('create table candidate (email text constraint no_budi check (false))');
  await takeOver('insert into public.candidate values (new.email)');
  await expect(inbox.store(received(fixture('flat')))).rejects.toThrow(
    'The state database refused to store an application (SQLSTATE 23514, schema public, table candidate, constraint no_budi).',
  );
  expect(await rows()).toEqual([]);
});

test('log and note have the SQLSTATE in our own words, never a value that the database quotes', async () => {
  const { inbox, sql } = await openTestInbox();
  const webhook = received(fixture('flat'));
  const application = { ...webhook.application, birthDate: 'Siti 0812-555-0199' };
  await expect(inbox.store({ ...webhook, application })).rejects.toThrow(
    /^The state database refused to store an application \(SQLSTATE 22007\)\.$/,
  );
  const [noted] = await inbox.unstored(1);
  expect(noted?.reason).toBe('The state database refused to store an application (SQLSTATE 22007).');
  expect(JSON.stringify(await sql('select * from placement_sync.unstored_webhook'))).not.toMatch(/Siti|0812/);
});

test('the reply names what was refused first, also when it cannot be noted', async () => {
  const { inbox, sql, takeOver } = await openTestInbox();
  await sql('drop table placement_sync.unstored_webhook');
  await takeOver(REFUSED);
  await expect(inbox.store(received(fixture('flat')))).rejects.toThrow(/application \(SQLSTATE 42P01\)/);
});

test('a note is pruned with the inbox', async () => {
  const { inbox, sql, takeOver } = await openTestInbox();
  await takeOver(REFUSED);
  await expect(inbox.store(received(fixture('flat')))).rejects.toThrow();
  await inbox.prune(86_400_000);
  expect(await inbox.unstored(10)).toHaveLength(1);
  await sql(`update placement_sync.unstored_webhook set last_at = now() - interval '2 days'`);
  await inbox.prune(86_400_000);
  expect(await inbox.unstored(10)).toEqual([]);
});

/** Webhooks as an older version stored them: in no layout. */
async function unrecognised(store: (webhook: ReceivedWebhook) => Promise<unknown>, ...bodies: object[]) {
  const application = readApplication(null);
  for (const body of bodies) await store({ ...received(JSON.stringify(body)), application });
}

test('what was not recognised is read again, with the trigger, the times and the number of a new row', async () => {
  const { inbox, sql, rows, takeOver } = await openTestInbox();
  await sql('create table seen (id uuid primary key)');
  await takeOver('insert into public.seen (id) values (new.application_id)');
  const list = [fixture('applied-at'), fixture('cancelled')];
  await unrecognised(inbox.store, { data: fixture('flat') }, fixture('cancelled'), list);
  await sql(`update placement_sync.job_application set received_at = now() - interval '3 days'`);
  const before = await rows();

  expect(await inbox.reread()).toEqual({
    read: 3,
    recognised: 2,
    versions: 0,
    repeats: 0,
    failed: 0,
    reason: null,
  });
  const after = await rows();
  expect(after.map(({ layout }) => layout)).toEqual(['unrecognised', 'flat', 'applied-at', 'unrecognised']);
  expect(after[1]).toMatchObject({
    received_at: before[0]?.received_at,
    request_id: before[0]?.request_id,
    request_timestamp: before[0]?.request_timestamp,
    body: before[0]?.body,
  });
  expect(await sql('select * from seen')).toHaveLength(2);

  expect(await inbox.reread()).toMatchObject({ read: 2, recognised: 0, failed: 0 });
  expect(await rows()).toEqual(after);
});

test('a body whose application is stored already, or is refused, stays', async () => {
  const { inbox, rows, takeOver } = await openTestInbox();
  await inbox.store(received(fixture('flat')));
  await unrecognised(inbox.store, { data: fixture('flat') }, { data: fixture('applied-at') });
  const before = await rows();
  await takeOver(REFUSED);
  const counts = await inbox.reread();
  expect(counts).toMatchObject({ read: 2, recognised: 0, repeats: 1, failed: 1 });
  expect(counts.reason).toMatch(/application \(SQLSTATE 42P01\)/);
  expect(await rows()).toEqual(before);
});

test('a body that is read again, whose application is stored with other data, is a further version', async () => {
  const { inbox, rows } = await openTestInbox();
  await inbox.store(received(fixture('flat')));
  await unrecognised(inbox.store, { data: { ...fixture('flat'), name: 'Budi S.' } });
  expect(await inbox.reread()).toMatchObject({ read: 1, recognised: 1, versions: 1, repeats: 0 });
  expect(await rows()).toMatchObject([
    { name: 'Budi Santoso', version: 1 },
    { name: 'Budi S.', version: 2 },
  ]);
});
