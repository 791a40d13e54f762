import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Notice } from '../../src/features/notices/next-memory.js';
import {
  HIDDEN_PATH,
  MAIL_PASSWORD,
  MAIL_USER,
  type NoticeReceiver,
  startMailServer,
  startNoticeReceiver,
} from '../features/notices/receivers.js';
import { planted } from '../security/planted.js';
import { addCompanies, createCliWorld, SECRET, type CliWorld } from './cli-world.js';

const NOTIFY_SECRET = planted('notify');

interface NoticeWorld {
  readonly world: CliWorld;
  readonly receiver: NoticeReceiver;
  /** What was notified so far: `held companies`. */
  notified(): string[];
}

/** A world with ten companies in step, whose troubles are notified. */
async function noticeWorld(more = ''): Promise<NoticeWorld> {
  const world = await createCliWorld();
  const receiver = await startNoticeReceiver();
  world.env.NOTIFY_URL = receiver.url;
  world.env.NOTIFY_SECRET = NOTIFY_SECRET;
  world.configure(
    'entities:',
    `notify: { url: '\${NOTIFY_URL}', secret: '\${NOTIFY_SECRET}'${more} }\nretry: { baseDelay: 200ms, maxDelay: 400ms }\nentities:`,
  );
  await addCompanies(world, 10);
  const notified = () => notices(receiver).map(({ notice, was, subject }) => title(notice, was, subject));
  return { world, receiver, notified };
}

function notices(receiver: NoticeReceiver): Notice[] {
  return receiver.received.map(({ body }) => JSON.parse(body) as Notice);
}

function title(notice: string, was: string | null, subject: Notice['subject']): string {
  return [notice, ...(was === null ? [] : [was]), ...Object.values(subject ?? {})].join(' ');
}

/** Half of the companies are gone. */
async function loseHalf(world: CliWorld): Promise<void> {
  await world.sql(`delete from company where id > 'c005'`);
}

test('an entity held at every run is notified once, and its end once', async () => {
  const { world, receiver, notified } = await noticeWorld();
  expect(await world.run()).toMatchObject({ code: 0 });
  expect(notified()).toEqual([]);

  await loseHalf(world);
  const held = await world.run();
  expect(held).toMatchObject({ code: 4, outcome: 'held' });
  expect(held.stderr).toContain(`placement-sync: companies is held`);
  expect(await world.run()).toMatchObject({ code: 4 });
  expect(notified()).toEqual(['held companies']);
  const [notice] = notices(receiver);
  expect(notice).toMatchObject({
    notice: 'held',
    was: null,
    subject: { entity: 'companies' },
    since: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    at: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    reason: expect.stringContaining('5 of 10 records vanished') as string,
    help: expect.stringContaining('placement-sync approve companies') as string,
    worker: expect.stringMatching(/ pid \d+$/) as string,
  });
  expect(JSON.stringify(notice), 'no keys').not.toMatch(/c00\d/);

  await world.cli('approve', 'companies', '--yes');
  expect(await world.run()).toMatchObject({ code: 0 });
  expect(await world.run()).toMatchObject({ code: 0 });
  expect(notified()).toEqual(['held companies', 'recovered held companies']);
  const [, recovered] = notices(receiver);
  expect(recovered).toMatchObject({ since: notice?.since, help: null });

  for (const { headers, body } of receiver.received) {
    const signed = `${String(headers['x-placement-sync-timestamp'])}.${body}`;
    const hmac = createHmac('sha256', NOTIFY_SECRET).update(signed).digest('hex');
    expect(headers['x-placement-sync-signature']).toBe(`sha256=${hmac}`);
  }
});

test('a run that another one keeps from working notifies of nothing: the other does', async () => {
  const { world, notified } = await noticeWorld();
  expect(await world.run()).toMatchObject({ code: 0 });
  await loseHalf(world);
  // Held by a process that has not notified yet.
  await world.sql(
    `update placement_sync.entity_state set hold = jsonb_build_object('guard', 'max-vanished-percent', 'message', 'many',
       'counts', jsonb_build_object('vanished', 5, 'invalid', 0), 'sampleKeys', '[]'::jsonb, 'since', now())
     where entity = 'companies'`,
  );
  await world.sql(
    `update placement_sync.lease set token = token + 1, holder = 'another', expires_at = now() + interval '1 hour'`,
  );
  expect(await world.run()).toMatchObject({ code: 6, outcome: 'busy' });
  expect(notified()).toEqual([]);
  await world.sql(`update placement_sync.lease set expires_at = now()`);
  expect(await world.run()).toMatchObject({ code: 4 });
  expect(notified()).toEqual(['held companies']);
});

test('a refused authentication is notified once for the area, and its end when something is accepted', async () => {
  const { world, receiver, notified } = await noticeWorld();
  world.env.CLIENT_SECRET = 'wrong';
  expect(await world.run()).toMatchObject({ code: 5 });
  expect(await world.run()).toMatchObject({ code: 5 });
  expect(notified()).toEqual(['auth-refused jobs']);
  expect(notices(receiver)[0]?.help).toContain('Check client id and secret');

  world.intercept = () => ({ status: 500 });
  world.env.CLIENT_SECRET = SECRET;
  await world.run();
  expect(notified(), 'a platform that is down says nothing of it').toEqual(['auth-refused jobs']);
  world.intercept = null;
  await world.sql('update placement_sync.sync_state set next_attempt_at = null');
  await world.run();
  expect(notified()).toEqual(['auth-refused jobs', 'recovered auth-refused jobs']);
});

test('an entity whose source fails is notified once, as stale once, and each of the ends once', async () => {
  const { world, receiver, notified } = await noticeWorld();
  await world.run();
  const query = 'select id as key, name, city as region_id from company';
  world.write('companies.sql', 'select id as key, name from compani');
  expect(await world.run()).toMatchObject({ code: 1 });
  expect(notified(), 'not yet an hour').toEqual(['failed companies']);
  expect(notices(receiver)[0]).toMatchObject({
    reason: 'The query failed. Nothing of it was applied.',
    help: expect.stringContaining('placement-sync doctor --entity companies') as string,
  });

  await world.sql(
    `update placement_sync.entity_state set last_sweep_at = now() - interval '2 hours', last_success_at = now() - interval '2 hours' where entity = 'companies'`,
  );
  expect(await world.run()).toMatchObject({ code: 1 });
  expect(await world.run()).toMatchObject({ code: 1 });
  expect(notified()).toEqual(['failed companies', 'stale companies']);
  expect(notices(receiver)[1]?.reason).toMatch(/last success was at .* WIB; .* Last error: query-failed\.$/);
  expect(JSON.stringify(notices(receiver)), 'no words of the database').not.toContain('compani"');

  world.write('companies.sql', query);
  expect(await world.run()).toMatchObject({ code: 0 });
  expect(notified().toSorted()).toEqual([
    'failed companies',
    'recovered failed companies',
    'recovered stale companies',
    'stale companies',
  ]);
});

test('an entity that never was in step is stale by the first look at it, also when runs cannot begin', async () => {
  const { world, notified } = await noticeWorld();
  const state = world.env.SOURCE_DATABASE_URL ?? '';
  world.configure('state: { leaseTtl: 8s }', `state: { leaseTtl: 8s, url: '${state}' }`);
  world.env.SOURCE_DATABASE_URL = 'postgres://nobody:hidden-word@127.0.0.1:9/hr';
  expect(await world.run()).toMatchObject({ code: 1 });
  const failed = ['failed companies', 'failed vacancies'];
  expect(notified().toSorted()).toEqual(failed);
  await world.sql(`update placement_sync.notice set since = since - interval '61 minutes'`);
  world.env.BASE_URL = `${world.sandbox.url}/elsewhere`;
  await world.sql(`insert into placement_sync.environment values ('jobs', 'https://other', 'x', gen_random_uuid())
                   on conflict (area) do update set base_url = excluded.base_url`);
  expect((await world.cli('run')).exitCode).toBe(2);
  expect(notified().toSorted()).toEqual([...failed, 'stale companies', 'stale vacancies']);
});

test('a receiver that fails changes nothing but the log, and a later run notifies it', async () => {
  const { world, receiver, notified } = await noticeWorld();
  await world.run();
  receiver.answer((response) => void response.writeHead(503).end());
  await loseHalf(world);
  const failed = await world.run();
  expect(failed).toMatchObject({ code: 4, outcome: 'held' });
  expect(failed.stderr).toContain('it answered 503. It is tried again later.');
  expect(failed.stderr).toContain('placement-sync notify test');
  expect(failed.stderr).not.toContain(HIDDEN_PATH);
  const tries = receiver.received.length;
  expect(tries).toBeGreaterThanOrEqual(2);
  expect(new Set(notices(receiver).map(({ id }) => id)).size, 'one message').toBe(1);

  receiver.answer((response) => void response.end());
  await world.run();
  expect(notified(), 'its pause is not over').toHaveLength(tries);
  await world.sql('update placement_sync.notice set next_attempt_at = null');
  await world.run();
  await world.run();
  expect(notified()).toHaveLength(tries + 1);
});

test('a worker that takes over does not notify again', async () => {
  const { world, notified } = await noticeWorld();
  world.configure('state: { leaseTtl: 8s }', 'state: { leaseTtl: 2s }');
  world.configure('entities:', `schedule: { sync: '* * * * * *' }\nhttp: { admin: { port: 0 } }\nentities:`);
  const first = world.start('start');
  await world.requested(10);
  await loseHalf(world);
  await expect.poll(notified, { timeout: 60_000 }).toEqual(['held companies']);
  const second = world.start('start');
  await expect.poll(() => second.stderr(), { timeout: 60_000 }).toContain('Standing by');
  first.child.kill('SIGKILL');
  await first.done;
  await expect
    .poll(() => second.stderr(), { timeout: 60_000 })
    .toContain('This process sweeps and sends now');
  await expect.poll(() => second.stderr(), { timeout: 60_000 }).toContain('companies is held');
  await world.cli('approve', 'companies', '--yes');
  await expect.poll(notified, { timeout: 60_000 }).toEqual(['held companies', 'recovered held companies']);
  second.child.kill('SIGTERM');
  expect((await second.done).exitCode).toBe(0);
  expect(notified()).toHaveLength(2);
});

test('a worker whose schedule is rarer than staleAfter warns of it', async () => {
  const { world } = await noticeWorld();
  world.configure('entities:', `schedule: { sync: '0 1 * * *' }\nhttp: { admin: { port: 0 } }\nentities:`);
  const worker = world.start('start');
  await expect
    .poll(() => worker.stderr(), { timeout: 60_000 })
    .toContain('This process sweeps and sends now');
  expect(worker.stderr()).toContain('two sweeps of schedule.sync (1440 min)');
  expect(worker.stderr()).toContain('such as 2880m');
  worker.child.kill('SIGTERM');
  await worker.done;
});

test('notify test tries every way, and needs no database', async () => {
  const { world, receiver } = await noticeWorld();
  world.env.SOURCE_DATABASE_URL = 'postgres://nobody@127.0.0.1:9/nothing';
  const mail = await startMailServer();
  world.env.SMTP_URL = `smtp://${encodeURIComponent(MAIL_USER)}:${encodeURIComponent(MAIL_PASSWORD)}@127.0.0.1:${mail.port}`;
  const block = `, smtp: { url: '\${SMTP_URL}', from: sync@example.com, to: [ops@example.com] }`;
  world.configure(`secret: '\${NOTIFY_SECRET}'`, `secret: '\${NOTIFY_SECRET}'${block}`);
  const tried = await world.cli('notify', 'test');
  expect(tried, tried.stderr).toMatchObject({ exitCode: 0, stderr: '' });
  expect(tried.stdout.split('\n')).toEqual([
    expect.stringMatching(/^url {3}127\.0\.0\.1:\d+ {2}ok {6}it answered 200$/),
    expect.stringMatching(/^smtp {2}127\.0\.0\.1:\d+ {2}ok {6}it took the mail$/),
    '',
  ]);
  expect(notices(receiver)).toMatchObject([{ notice: 'test', subject: null, since: null }]);
  expect(mail.mails).toMatchObject([{ to: ['ops@example.com'] }]);

  receiver.answer((response) => void response.writeHead(404).end());
  world.env.SMTP_URL = world.env.SMTP_URL.replace(encodeURIComponent(MAIL_PASSWORD), 'wrong-hidden-word');
  const failed = await world.cli('notify', 'test');
  expect(failed.exitCode).toBe(1);
  expect(failed.stdout).toContain('failed  it answered 404.\n  → Check notify.url');
  expect(failed.stdout).toContain('failed  the mail server refused user and password (535).\n  → Check user');
  expect(failed.stdout + failed.stderr).not.toMatch(new RegExp(`hidden|${HIDDEN_PATH}|${NOTIFY_SECRET}`));
});

test('notify test says so when no receiver is configured, and its help has an example', async () => {
  const world = await createCliWorld();
  expect(await world.cli('notify', 'test')).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: expect.stringContaining('Neither notify.url nor notify.smtp is configured') as string,
  });
  expect((await world.cli('notify', 'test', '--help')).stdout).toContain(
    'Example: placement-sync notify test',
  );
});
