import { expect, test } from 'vitest';
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
