import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { fixture, openTestInbox, received } from './open-test-inbox.js';

describe('inbox', () => {
  const JOB = '0d7d1c9e-2f53-4a58-9a5e-6a1f0c6b7d21';
  const ID = '1edd9893-f1a3-45dd-89d4-bc4dc9a071d0';

  /** A new application in the layout with `applied_at`. */
  const application = (fields: Record<string, unknown> = {}, seeker: Record<string, unknown> = {}) => {
    const body = fixture('applied-at');
    return { ...body, ...fields, job_seeker: { ...(body.job_seeker as object), ...seeker } };
  };

  describe('storing', () => {
    test('an application is kept however long its texts are', async () => {
      const { inbox, rows, vacancy } = await openTestInbox();
      await vacancy('v1', { remoteId: JOB });
      const long = () => Array.from({ length: 150 }, () => randomUUID()).join('');
      const texts = Object.fromEntries(
        ['name', 'email', 'phone', 'gender', 'pob', 'province', 'city'].map((field) => [field, long()]),
      );
      const body = JSON.stringify(application({ job: { id: JOB, title: long() } }, texts));
      expect(await inbox.store(received(body))).toBe('stored');
      expect(await rows()).toMatchObject([
        { application_id: ID, vacancy_key: 'v1', name: texts.name, email: null, body },
      ]);
    });

    test('the layout with applied_at fills the columns it has', async () => {
      const { inbox, sql } = await openTestInbox();
      const body = JSON.stringify(fixture('applied-at'));
      expect(await inbox.store(received(body, { requestId: 'request-1' }))).toBe('stored');
      const [row] = await sql(
        `select *, cast(birth_date as text) as birth_date, applied_at = '2026-02-14T02:12:45Z' as right_time,
         received_at > now() - interval '1 minute' as fresh, jsonb_array_length(experiences) as experiences
       from placement_sync.job_application`,
      );
      expect(row).toMatchObject({
        layout: 'applied-at',
        application_id: ID,
        job_id: JOB,
        job_title: 'Staf Gudang',
        vacancy_key: null,
        name: 'Sari Dewi',
        email: 'sari.dewi@example.com',
        phone: '081234567890',
        gender: 'female',
        birth_date: null,
        birth_place: 'Bandung',
        age: 29,
        province: 'Jawa Barat',
        city: 'Kota Bandung',
        right_time: true,
        fresh: true,
        skills: ['forklift_operation', 'inventory_management'],
        experiences: 1,
        request_id: 'request-1',
        request_timestamp: new Date('2026-02-14T02:13:00Z'),
        body,
        body_bytes: null,
      });
    });

    test('the flat layout fills the columns it has', async () => {
      const { inbox, sql } = await openTestInbox();
      await inbox.store(received(fixture('flat')));
      const [row] = await sql(
        `select *, cast(birth_date as text) as birth_date from placement_sync.job_application`,
      );
      expect(row).toMatchObject({
        layout: 'flat',
        name: 'Budi Santoso',
        birth_date: '1998-04-23',
        birth_place: 'Semarang',
        age: null,
        applied_at: null,
        languages: [{ name: 'Bahasa Inggris', proficiency: 'intermediate' }],
      });
    });

    test('local time is read in the zone of the platform', async () => {
      const test = await openTestInbox();
      await test.with({ timeZone: 'Asia/Jayapura' }).store(received(fixture('applied-at')));
      expect(await test.rows()).toMatchObject([{ applied_at: new Date('2026-02-14T00:12:45Z') }]);
    });

    test('a body that jsonb cannot hold is kept as it was sent', async () => {
      const { inbox, rows } = await openTestInbox();
      const body = `{"strange":"\\u0000 \\ud800","many": 1e999, "a":1,"a":2}`;
      await inbox.store(received(body));
      const named = JSON.stringify(fixture('flat')).replace('Budi', 'Bu\\u0000di');
      await inbox.store(received(named));
      expect(await rows()).toMatchObject([
        { layout: 'unrecognised', application_id: null, body },
        { layout: 'flat', name: 'Budi Santoso', body: named },
      ]);
    });

    test('bytes that are not UTF-8, or begin with a byte order mark, are kept beside the text', async () => {
      const { inbox, rows } = await openTestInbox();
      const latin1 = Buffer.from(JSON.stringify(application({}, { name: 'André' })), 'latin1');
      const marked = Buffer.from(`\uFEFF${JSON.stringify(fixture('flat'))}`);
      await inbox.store(received(latin1));
      await inbox.store(received(marked));
      expect(await rows()).toMatchObject([
        { name: 'Andr\uFFFD', body_bytes: latin1 },
        { name: 'Budi Santoso', body: JSON.stringify(fixture('flat')), body_bytes: marked },
      ]);
    });
  });

  describe('a repeat', () => {
    test('is the same application with the same data, however it is written', async () => {
      const { inbox, rows } = await openTestInbox();
      const payload = fixture('applied-at');
      expect(await inbox.store(received(payload))).toBe('stored');
      for (const again of [
        { ...payload, id: ID.toUpperCase() },
        Object.fromEntries(Object.entries(payload).reverse()),
        JSON.stringify(payload, null, 2),
        { event: 'new-job-application', sent_at: '2026-02-14', data: payload },
      ])
        expect(await inbox.store(received(again))).toBe('repeat');
      expect(await rows()).toMatchObject([{ name: 'Sari Dewi', version: 1 }]);
    });

    test('with other data is a further version, and so is each of its own', async () => {
      const { inbox, rows, sql, takeOver, listen } = await openTestInbox();
      await sql('create table seen (id text, version int, name text)');
      await takeOver('insert into public.seen values (new.application_id, new.version, new.name)');
      const heard = await listen();
      const versions = [
        fixture('applied-at'),
        application({}, { name: 'Sari Dewi Lestari' }),
        { ...fixture('flat'), id: ID },
      ];
      const became = [];
      for (const payload of [...versions, ...versions]) became.push(await inbox.store(received(payload)));
      expect(became).toEqual(['stored', 'changed', 'changed', 'repeat', 'repeat', 'repeat']);
      expect(await rows()).toMatchObject([
        { application_id: ID, version: 1, name: 'Sari Dewi' },
        { application_id: ID, version: 2, name: 'Sari Dewi Lestari' },
        { application_id: ID, version: 3, name: 'Budi Santoso', layout: 'flat' },
      ]);
      expect(await sql('select id, version, name from seen order by version')).toEqual([
        { id: ID, version: 1, name: 'Sari Dewi' },
        { id: ID, version: 2, name: 'Sari Dewi Lestari' },
        { id: ID, version: 3, name: 'Budi Santoso' },
      ]);
      expect(await heard()).toEqual([ID, ID, ID]);
      expect(await inbox.knownApplications([ID])).toEqual(new Set([ID]));
    });

    test('that arrives at once with others of other data has a number of its own', async () => {
      const { inbox, rows, with: make } = await openTestInbox();
      const other = make({});
      const named = (name: string) => received(application({}, { name }));
      const results = await Promise.all(
        ['A', 'B', 'C', 'A'].map((name, at) => (at % 2 ? inbox : other).store(named(name))),
      );
      expect(results.toSorted()).toEqual(['changed', 'changed', 'repeat', 'stored']);
      expect((await rows()).map(({ version }) => Number(version)).toSorted()).toEqual([1, 2, 3]);
    });

    test('is told from another where only the last digit of a number differs', async () => {
      const { inbox, rows, vacancy } = await openTestInbox();
      await vacancy('17', { remoteId: '90071992547409931' });
      const numbered = (id: string) =>
        JSON.stringify({ ...fixture('flat'), id: 'ID', job: { id: 'JOB', title: 'Staf' } })
          .replace('"ID"', id)
          .replace('"JOB"', '90071992547409931');
      for (const id of [
        '7',
        '9007199254740993',
        '9007199254740992',
        '340282366920938463463374607431768211455',
      ])
        expect(await inbox.store(received(numbered(id)))).toBe('stored');
      expect(await inbox.store(received(numbered('"9007199254740993"')))).toBe('repeat');
      expect(await rows()).toMatchObject(
        ['7', '9007199254740993', '9007199254740992', '340282366920938463463374607431768211455'].map(
          (application_ref) => ({
            ...{ application_ref, application_id: null, job_ref: '90071992547409931', job_id: null },
            vacancy_key: '17',
          }),
        ),
      );
    });

    test('of anything else is an equal Request-Id with an equal body', async () => {
      const { inbox, rows } = await openTestInbox();
      await inbox.store(received(fixture('applied-at')));
      const cancelled = fixture('cancelled');
      expect(await inbox.store(received(cancelled, { requestId: 'r1' }))).toBe('stored');
      expect(await inbox.store(received(cancelled, { requestId: 'r1' }))).toBe('repeat');
      expect(await inbox.store(received(cancelled, { requestId: 'r2' }))).toBe('stored');
      expect(await inbox.store(received({ ...cancelled, more: 1 }, { requestId: 'r1' }))).toBe('stored');
      expect((await rows()).map(({ layout }) => layout)).toEqual([
        'applied-at',
        ...Array<string>(3).fill('unrecognised'),
      ]);
    });

    test('has a Request-Id of any length', async () => {
      const { inbox } = await openTestInbox();
      const webhook = received('[]', { requestId: 'x'.repeat(15_000) });
      expect(await inbox.store(webhook)).toBe('stored');
      expect(await inbox.store(webhook)).toBe('repeat');
    });

    test('is found among many that arrive at once', async () => {
      const { inbox, rows, with: make } = await openTestInbox();
      const [first, second] = [received(fixture('flat')), received(fixture('flat'))];
      const other = make({});
      const results = await Promise.all(
        [first, second, first].flatMap((w) => [inbox.store(w), other.store(w)]),
      );
      expect(results.filter((result) => result === 'stored')).toHaveLength(1);
      expect(await rows()).toHaveLength(1);
    });
  });

  describe('the vacancy’s key', () => {
    const ROW = 'select vacancy_key from placement_sync.job_application';

    test('is found by the platform’s id first, then by the reference, in any case', async () => {
      const { inbox, vacancy, sql } = await openTestInbox();
      await vacancy('by-reference', { reference: JOB });
      await inbox.store(received(fixture('applied-at')));
      expect(await sql(ROW)).toEqual([{ vacancy_key: 'by-reference' }]);
      await vacancy('by-id', { remoteId: JOB.toUpperCase() });
      await inbox.store(received(fixture('flat')));
      expect((await sql(`${ROW} order by id`))[1]).toEqual({ vacancy_key: 'by-id' });
    });

    test('is found by the platform id of the path too, where the platform names neither of its own', async () => {
      const { inbox, sql } = await openTestInbox();
      await sql(
        `insert into placement_sync.sync_state (entity, key, platform_id, parent_platform_id)
       values ('vacancies', 'by-path', $1, gen_random_uuid())`,
        [JOB],
      );
      await inbox.store(received(fixture('applied-at')));
      expect(await sql(ROW)).toEqual([{ vacancy_key: 'by-path' }]);
    });

    test('is that of a vanished vacancy when there is no other', async () => {
      const { inbox, vacancy, sql } = await openTestInbox();
      await vacancy('1-gone', { remoteId: JOB, vanished: true });
      await inbox.store(received(fixture('applied-at')));
      await vacancy('2-there', { remoteId: JOB });
      await inbox.store(received(fixture('flat')));
      expect(await sql(`${ROW} order by id`)).toEqual([
        { vacancy_key: '1-gone' },
        { vacancy_key: '2-there' },
      ]);
    });

    test('is found later, and notified then', async () => {
      const { inbox, vacancy, sql, listen } = await openTestInbox();
      await inbox.store(received(fixture('applied-at')));
      await inbox.store(received(fixture('cancelled')));
      expect(await inbox.resolveVacancyKeys()).toBe(0);
      const heard = await listen();
      await vacancy('42', { reference: JOB });
      expect(await inbox.resolveVacancyKeys()).toBe(1);
      expect(await inbox.resolveVacancyKeys()).toBe(0);
      expect(await sql(`${ROW} order by id`)).toEqual([{ vacancy_key: '42' }, { vacancy_key: null }]);
      expect(await heard()).toEqual([ID]);
    });

    test('comes from indexes', async () => {
      const { sql } = await openTestInbox();
      for (const column of ['remote_id', 'reference']) {
        const plan = await sql<{ 'QUERY PLAN': string }>(
          `explain (costs off) select key from placement_sync.sync_state where entity = 'vacancies' and lower(${column}) = 'x'`,
        );
        expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toContain(`sync_state_vacancy_${column}`);
      }
    });
  });

  test('a client that listens hears of each stored application, and not of repeats', async () => {
    const { inbox, listen } = await openTestInbox();
    const heard = await listen();
    await inbox.store(received(fixture('applied-at')));
    await inbox.store(received(fixture('applied-at')));
    await inbox.store(received(fixture('cancelled')));
    expect(await heard()).toEqual([ID, '']);
  });

  test('the inbox knows which ids are stored', async () => {
    const { inbox } = await openTestInbox();
    await inbox.store(received(fixture('applied-at')));
    expect(await inbox.knownApplications([ID.toUpperCase(), randomUUID()])).toEqual(new Set([ID]));
    expect(await inbox.knownApplications([])).toEqual(new Set());
  });

  test('what was received longer ago than the retention is deleted', async () => {
    const { inbox, sql, rows } = await openTestInbox();
    await inbox.store(received(fixture('applied-at')));
    await inbox.store(received(fixture('flat')));
    await sql(
      `update placement_sync.job_application set received_at = now() - interval '181 days' where layout = 'flat'`,
    );
    expect(await inbox.prune(180 * 86_400_000)).toBe(1);
    expect(await rows()).toMatchObject([{ layout: 'applied-at' }]);
  });

  describe('what is kept', () => {
    const PERSONAL = ['name', 'email', 'phone', 'gender', 'birth_place', 'age', 'province', 'city', 'body'];
    const shown = (row: Record<string, unknown> | undefined) =>
      PERSONAL.filter((column) => row?.[column] !== null && row?.[column] !== undefined);

    test('minimal keeps no personal data, and a trigger has seen all before', async () => {
      const test = await openTestInbox();
      await test.vacancy('v1', { remoteId: JOB });
      await test.sql('create table copy (name text, body text)');
      await test.takeOver('insert into public.copy values (new.name, new.body)');
      const inbox = test.with({ keep: 'minimal' });
      await inbox.store(received(fixture('applied-at')));
      expect(await test.sql('select name, body::jsonb ->> $1 as id from copy', ['id'])).toEqual([
        { name: 'Sari Dewi', id: ID },
      ]);
      const [row] = await test.rows();
      expect(shown(row)).toEqual([]);
      expect(row).toMatchObject({
        kept: 'minimal',
        application_id: ID,
        vacancy_key: 'v1',
        applied_at: expect.any(Date) as Date,
        experiences: [],
        skills: [],
        body_bytes: null,
      });
      expect(JSON.stringify(row)).not.toContain('Sari');
      expect(await inbox.store(received(fixture('applied-at')))).toBe('repeat');
    });

    test('columns keeps all but the body', async () => {
      const test = await openTestInbox();
      await test.with({ keep: 'columns' }).store(received(fixture('applied-at')));
      const [row] = await test.rows();
      expect(shown(row)).toEqual(PERSONAL.filter((column) => column !== 'body'));
      expect(row).toMatchObject({ kept: 'columns', body_bytes: null });
    });

    test('what was stored before follows with the next deletion', async () => {
      const test = await openTestInbox();
      await test.inbox.store(received(fixture('flat')));
      await test.inbox.store(received({ event: 'cancelled' }));
      await test.with({ keep: 'minimal' }).prune(86_400_000_000);
      expect((await test.rows()).map(({ layout, kept, body }) => [layout, kept, body !== null])).toEqual([
        ['flat', 'minimal', false],
        ['unrecognised', 'body', true],
      ]);
    });

    test.each(['columns', 'minimal'] as const)(
      '%s: a repeat is known without its body, and a further version is cut down too',
      async (keep) => {
        const test = await openTestInbox();
        const inbox = test.with({ keep });
        const payload = fixture('flat');
        expect(await inbox.store(received(payload))).toBe('stored');
        expect(await inbox.store(received(payload))).toBe('repeat');
        const changed = { ...payload, name: 'Budi Santoso Putra' };
        expect(await inbox.store(received(changed))).toBe('changed');
        for (const known of [payload, changed]) expect(await inbox.store(received(known))).toBe('repeat');
        expect(await test.rows()).toMatchObject([
          { version: 1, kept: keep, body: null },
          { version: 2, kept: keep, body: null },
        ]);
      },
    );

    test('an event that is recognised later is cut down like any other', async () => {
      const test = await openTestInbox();
      await test.inbox.store(received(fixture('applied-at')));
      await test.sql(
        `update placement_sync.job_application set layout = 'unrecognised', application_ref = null, application_id = null,
           email = null`,
      );
      expect(await test.with({ keep: 'minimal' }).reread()).toMatchObject({ recognised: 1 });
      expect(await test.rows()).toMatchObject([
        { application_id: ID, kept: 'minimal', body: null, email: null },
      ]);
    });
  });
});
