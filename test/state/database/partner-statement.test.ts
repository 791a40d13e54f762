import { describe, expect, test } from 'vitest';
import { APPLICATION_PARAMETER_NAMES } from '../../../src/domain/inbox/application-parameters.js';
import { fixture, openTestInbox, received } from '../open-test-inbox.js';

const JOB = '0d7d1c9e-2f53-4a58-9a5e-6a1f0c6b7d21';
const ID = '1edd9893-f1a3-45dd-89d4-bc4dc9a071d0';

describe('the partner’s statement', () => {
  test('gets every parameter, each in the type of its place', async () => {
    const test = await openTestInbox();
    await test.vacancy('42', { remoteId: JOB });
    await test.sql(
      `create table candidate (id uuid, vacancy integer, email varchar(80), lower_email text, age int, applied timestamptz,
         received timestamptz, skills text[], experiences jsonb, link text, tag text, has boolean, born date)`,
    );
    const inbox = test.with({
      statement: `
        -- :email of whom?
        insert into candidate values (
          :application_id, :vacancy_key::integer, :email, lower(:email), :age, :applied_at, :received_at,
          array(select jsonb_array_elements_text(:skills::jsonb)), :experiences,
          'https://x/v/1?a=:email', $$ '\\?' :email $$, '{"a": 1}'::jsonb ? 'a', :birth_date
        );
        /* done? */`,
    });
    await inbox.checkStatement();
    await inbox.store(received(fixture('applied-at')));
    const rows = await test.sql(
      'select *, applied at time zone $1 = $2 as right_time, received <= now() as past from candidate',
      ['Asia/Jakarta', '2026-02-14 09:12:45'],
    );
    expect(rows).toMatchObject([
      {
        id: ID,
        vacancy: 42,
        email: 'sari.dewi@example.com',
        lower_email: 'sari.dewi@example.com',
        age: 29,
        skills: ['forklift_operation', 'inventory_management'],
        experiences: [{ company: 'CV Maju Jaya' }],
        link: 'https://x/v/1?a=:email',
        tag: " '\\?' :email ",
        has: true,
        born: null,
        right_time: true,
        past: true,
      },
    ]);
  });

  test('may use all that is documented', async () => {
    const test = await openTestInbox();
    const columns = APPLICATION_PARAMETER_NAMES;
    await test.sql(`create table copy (${columns.map((name) => `${name} text`).join(', ')})`);
    const inbox = test.with({
      statement: `insert into copy values (${columns.map((name) => `:${name}`).join(', ')})`,
    });
    await inbox.store(received(fixture('applied-at')));
    const [copy = {}] = await test.sql('select * from copy');
    // What layout A has not.
    expect(columns.filter((name) => copy[name] === null)).toEqual(['vacancy_key', 'birth_date']);
    expect(JSON.parse(String(copy.educations))).toMatchObject([{ grade: '3.41' }]);
  });

  test('is carried out once per application, and not for what is no application', async () => {
    const test = await openTestInbox();
    await test.sql('create table seen (id uuid)');
    const inbox = test.with({ statement: 'insert into seen values (:application_id)' });
    await inbox.store(received(fixture('applied-at')));
    await inbox.store(received(fixture('applied-at')));
    await inbox.store(received(fixture('cancelled')));
    expect(await test.sql('select id from seen')).toEqual([{ id: ID }]);
    expect(await test.rows()).toHaveLength(2);
  });

  test('that fails leaves nothing behind, shows no personal data, and may succeed later', async () => {
    const test = await openTestInbox();
    await test.sql('create table candidate (email text not null, number integer)');
    const heard = await test.listen();
    const inbox = test.with({
      statement: `with a as (insert into candidate values (:email)) select :name::integer`,
    });
    const failed = await inbox.store(received(fixture('applied-at'))).catch((error: unknown) => error);
    expect(failed).toMatchObject({
      code: 'state-failed',
      message: 'The statement of webhook.sql failed (SQLSTATE 22P02), so nothing was stored.',
    });
    expect(await test.rows()).toEqual([]);
    expect(await test.sql('select * from candidate')).toEqual([]);
    const fixed = test.with({ statement: 'insert into candidate values (:email)' });
    expect(await fixed.store(received(fixture('applied-at')))).toBe('stored');
    expect(await test.sql('select * from candidate')).toHaveLength(1);
    expect(await heard()).toEqual([ID]);
  });

  test('names the constraint that it violates', async () => {
    const test = await openTestInbox();
    await test.sql('create table candidate (email text constraint no_sari check (false))');
    const inbox = test.with({ statement: 'insert into candidate values (:email)' });
    await expect(inbox.store(received(fixture('applied-at')))).rejects.toThrow(
      'SQLSTATE 23514, table candidate, constraint no_sari',
    );
  });

  test('that takes too long is ended, and nothing is stored', async () => {
    const test = await openTestInbox();
    const inbox = test.with({ statement: 'select pg_sleep(60), :email' });
    await expect(inbox.store(received(fixture('applied-at')))).rejects.toThrow(
      'SQLSTATE 57014: it took too long',
    );
    expect(await test.rows()).toEqual([]);
  });
});

describe('a statement that cannot work', () => {
  test.each([
    ['select :emial', 'has the unknown parameter :emial; did you mean :email? '],
    ['insert into nowhere values (:email)', 'relation "nowhere" does not exist'],
    ['select jsonb_build_object(1, :email)', 'could not determine data type of parameter :email'],
    ['insert into a values (:email', 'syntax error'],
  ])('%s is refused before anything arrives', async (statement, problem) => {
    const test = await openTestInbox();
    const check = async () => {
      await test.with({ statement }).checkStatement();
    };
    await expect(check()).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringContaining(problem) as string,
    });
  });

  test('is not carried out by the check', async () => {
    const test = await openTestInbox();
    await test.sql('create table seen (email text)');
    await test.with({ statement: 'insert into seen values (:email)' }).checkStatement();
    expect(await test.sql('select * from seen')).toEqual([]);
  });
});
