import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { CHECKS } from '../../../src/features/doctor/checks.js';
import type { Finding, Level } from '../../../src/features/doctor/finding.js';
import { createDoctorWorld, type DoctorWorld } from './doctor-world.js';
import { JUDGED } from './judged.js';
import { WORLDS } from './judges/worlds.js';

vi.setConfig({ testTimeout: 60_000 });

interface Problem {
  readonly title: string;
  readonly make: (world: DoctorWorld) => void | Promise<unknown>;
  readonly finds: readonly [level: Level, id: string, entity: string | null];
  readonly message: RegExp;
  readonly hint: RegExp;
  readonly count?: number;
  readonly sample?: readonly string[];
}

const PROBLEMS: readonly Problem[] = [
  {
    title: 'a column that the entity does not have',
    make: (world) => world.change('employers.sql', 'as about', 'as abuot'),
    finds: ['fail', 'query', 'companies'],
    message: /column "abuot" is unknown \(did you mean "about"\?\)/,
    hint: /select list/,
  },
  {
    title: 'two columns of one name',
    make: (world) => world.change('employers.sql', 'e.intro as about', 'e.intro as about, e.label as about'),
    finds: ['fail', 'query', 'companies'],
    message: /column "about" appears twice/,
    hint: /select list/,
  },
  {
    title: 'a query that Postgres does not understand, with its line',
    make: (world) => world.change('openings.sql', 'o.name as title', 'o.nam as title'),
    finds: ['fail', 'query', 'vacancies'],
    message: /openings\.sql:1:\d+: .*o\.nam does not exist/,
    hint: /no such column/,
  },
  {
    title: 'a table that the role may not read',
    make: (world) => world.sql(`revoke select on hr.opening_tag from ${world.role}`),
    finds: ['fail', 'query', 'vacancies'],
    message: /permission denied for table opening_tag/,
    hint: /GRANT SELECT/,
  },
  {
    title: 'rows that the role may not see',
    make: (world) =>
      world.sql(
        `alter table hr.opening enable row level security;
         create policy own on hr.opening using (employer_id = 1)`,
      ),
    finds: ['fail', 'query', 'vacancies'],
    message: /row-level security .*opening/i,
    hint: /BYPASSRLS, or set source\.rowSecurity: allow/,
  },
  {
    title: 'rows without a key',
    make: (world) => world.change('openings.sql', 'o.id as key', 'nullif(o.id, 7) as key'),
    finds: ['fail', 'query', 'vacancies'],
    message: /the key of vacancies is null or empty in a row/,
    hint: /WHERE/,
  },
  {
    title: 'a join that multiplies rows',
    make: (world) =>
      world.change(
        'openings.sql',
        'where o.is_published',
        'join hr.opening_tag g on g.opening_id = o.id where o.is_published',
      ),
    finds: ['fail', 'keys', 'vacancies'],
    message: /60 keys come more than once/,
    hint: /multiplies rows/,
    count: 60,
  },
  {
    title: 'vacancies of companies that their query leaves out',
    make: (world) => world.sql('update hr.employer set is_active = false where id = 5'),
    finds: ['warn', 'parents', 'vacancies'],
    message: /3 job vacancies without companies: no such company_key/,
    hint: /Compare the conditions/,
    count: 3,
    sample: ['24', '4', '44'],
  },
  {
    title: 'a code without an id, with the vacancies that wait',
    make: (world) => world.sql(`update hr.employer set town = 'SBY' where id in (2, 3)`),
    finds: ['fail', 'codes', 'companies'],
    message: /code "SBY" has no id: 2 companies are invalid, 6 vacancies wait for them/,
    hint: /towns\.csv/,
    count: 2,
    sample: ['2', '3'],
  },
  {
    title: 'a code without an id in a file that companies share, which refuses -',
    make: (world) => {
      world.change('openings.sql', 'o.sex as gender', "o.sex as gender, 'SBY' as region_id");
      world.change(
        'placement-sync.yaml',
        '{ query: openings.sql, onVanished: close }',
        '{ query: openings.sql, lookups: { region_id: towns.csv } }',
      );
    },
    finds: ['fail', 'codes', 'vacancies'],
    message: /code "SBY" has no id: 60 vacancies are invalid/,
    hint: /^Fill in its id in towns\.csv\. To leave the field out with -, use a file of its own: towns\.csv refuses - because companies require region_id\. If the platform accepts companies without region_id, .*required: \[\]/,
  },
  {
    title: 'cities that nobody keeps',
    make: (world) => world.sql('update hr.employer set town = null'),
    finds: ['fail', 'invalid', 'companies'],
    message: /region_id is required: 20 companies are invalid, 60 vacancies wait for them/,
    hint: /^Fill region_id in the query\. .*entities\.companies: required: \[\]/,
    count: 20,
  },
  {
    title: 'rows that cannot be sent',
    make: (world) =>
      world.sql(
        `alter table hr.opening alter closes type text; update hr.opening set closes = 'soon' where id = 9`,
      ),
    finds: ['warn', 'invalid', 'vacancies'],
    message: /expire_at must be a day/,
    hint: /date/,
    count: 1,
    sample: ['9'],
  },
  {
    title: 'most rows cannot be sent',
    make: (world) =>
      world.sql(`alter table hr.opening alter closes type text; update hr.opening set closes = 'soon'`),
    finds: ['fail', 'invalid', 'vacancies'],
    message: /60 vacancies are invalid/,
    hint: /date/,
  },
  {
    title: 'a time without zone',
    make: (world) => world.change('openings.sql', 'o.closes as', 'o.closes_at as'),
    finds: ['fail', 'zone', 'vacancies'],
    message: /expire_at has no time zone, and source\.timeZone is not set: Asia\/Jakarta is assumed/,
    hint: /source\.timeZone/,
    count: 60,
  },
  {
    title: 'an inner join that loses rows',
    make: async (world) => {
      await world.sql('update hr.employer set town = null where id in (4, 6)');
      world.change(
        'employers.sql',
        'where e.is_active',
        'join hr.town w on w.code = e.town where e.is_active',
      );
    },
    finds: ['warn', 'joins', 'companies'],
    message: /the join of hr\.town loses 2 rows of hr\.employer/,
    hint: /left join hr\.town/,
    count: 2,
    sample: ['4', '6'],
  },
  {
    title: 'drafts and closed openings among those that the query keeps',
    make: async (world) => {
      await world.sql(
        `alter table hr.opening add state text;
         update hr.opening set state = case when id < 11 then 'draft' when id < 16 then 'archived' else 'published' end`,
      );
      world.change('openings.sql', 'o.is_published', "o.is_published and o.state <> 'archived'");
    },
    finds: ['warn', 'kept', 'vacancies'],
    message:
      /^hr\.opening\.state: kept are published 45, draft 10; left out archived 5 \(\/.*\/openings\.sql:7\)$/,
    hint: /^If these are not to be sent, write: and o\.state not in \('draft'\)\..*-- state: draft too$/,
    count: 10,
    sample: ['1', '10', '2'],
  },
  {
    title: 'a question that init left in the query',
    make: (world) =>
      world.change(
        'openings.sql',
        'where o.is_published',
        'where true\n  -- decide: which rows are published? is_published: true 50 · false 10\n  -- and o.is_published',
      ),
    finds: ['warn', 'decisions', 'vacancies'],
    message:
      /still to be decided: which rows are published\? is_published: true 50 · false 10 \(\/.*\/openings\.sql:8\)$/,
    hint: /Uncomment the line .* replace both by a comment .* -- is_published: not needed$/,
  },
  {
    title: 'an inverted flag',
    make: async (world) => {
      await world.sql('update hr.employer set is_active = false where id < 3');
      world.change('employers.sql', 'where e.is_active', 'where not e.is_active');
    },
    finds: ['warn', 'kept', 'companies'],
    message: /^hr\.employer\.is_active: kept are false 2; left out true 18 /,
    hint: /write: and e\.is_active\./,
  },
  {
    title: 'a question about a column',
    make: (world) =>
      world.change(
        'employers.sql',
        'e.label as name,',
        'e.label as name,\n-- decide: where else does a record say where it is?\n',
      ),
    finds: ['warn', 'decisions', 'companies'],
    message: /still to be decided: where else does a record say where it is\? \(\/.*\/employers\.sql:2\)$/,
    hint: /^Correct the query if need be; then delete the comment in line 2\.$/,
  },
  {
    title: 'an aggregate without order',
    make: (world) =>
      world.change('openings.sql', 'array_agg(tag order by tag)', "array_agg('welding'::text)"),
    finds: ['warn', 'stable-rows', 'vacancies'],
    message: /array_agg has no ORDER BY/,
    hint: /order by/,
  },
  {
    title: 'a column that is another one each time',
    make: (world) => world.change('openings.sql', 'o.body as description', 'random()::text as description'),
    finds: ['warn', 'stable-rows', 'vacancies'],
    message: /description has random, which says something else/,
    hint: /a column of the record/,
  },
  {
    title: 'HTML',
    make: (world) => world.sql(`update hr.opening set body = '<p>Work &amp; more</p>' where id in (1, 2)`),
    finds: ['warn', 'html', 'vacancies'],
    message: /description has HTML in 2 rows/,
    hint: /entities\.vacancies\.plainText: \[description\]/,
    count: 2,
    sample: ['1', '2'],
  },
  {
    title: 'a fraction that will be rounded',
    make: (world) => world.sql('update hr.opening set places = 2.5 where id = 1'),
    finds: ['warn', 'doubtful', 'vacancies'],
    message: /quota.*rounded/,
    hint: /./,
    count: 1,
    sample: ['1'],
  },
  {
    title: 'keys of the partner in place of codes, which look like ids of the platform',
    make: (world) => {
      const key = "'00000000-0000-4000-8000-00000000000' || (e.id % 2)";
      world.change('employers.sql', 'e.town as region_id', `${key} as region_id`);
    },
    finds: ['warn', 'doubtful', 'companies'],
    message: /is a UUID that is neither in towns\.csv nor in the platform's reference data.*: 20 companies/,
    hint: /add it to towns\.csv/,
    count: 20,
  },
  {
    title: 'a salary of 0',
    make: (world) => world.sql('update hr.opening set pay_from = 0 where id = 1'),
    finds: ['warn', 'doubtful', 'vacancies'],
    message: /min_salary.amount.* 0/,
    hint: /./,
  },
  {
    title: 'a minimum above the maximum',
    make: (world) => world.sql('update hr.opening set pay_from = 9000000 where id = 1'),
    finds: ['warn', 'doubtful', 'vacancies'],
    message: /min_salary_amount is above max_salary/,
    hint: /exchanged/,
    sample: ['1'],
  },
  {
    title: 'reversed ages',
    make: (world) => world.sql('update hr.opening set age_from = 50 where id in (1, 2)'),
    finds: ['warn', 'doubtful', 'vacancies'],
    message: /min_age is above max_age: 2 vacancies/,
    hint: /exchanged/,
    count: 2,
  },
  {
    title: 'an expiry in the past of an open vacancy',
    make: (world) => world.sql('update hr.opening set closes = current_date - 3 where id = 1'),
    finds: ['warn', 'doubtful', 'vacancies'],
    message: /expire_at is past while status is open: 1 vacancy/,
    hint: /WHERE/,
  },
  {
    title: 'a gender that was never mapped',
    make: (world) =>
      world.sql(`update hr.opening set sex = case when id < 4 then 'P' else 'L' end where id < 10`),
    finds: ['warn', 'doubtful', 'vacancies'],
    message: /gender is not a word that the interface knows .*: 9 vacancies are doubtful/,
    hint: /lookup/,
    count: 9,
  },
  {
    title: 'skills that were never mapped',
    make: (world) =>
      world.sql(`update hr.opening_tag set tag = 'First Aid' where tag = 'first_aid' and opening_id < 5`),
    finds: ['warn', 'doubtful', 'vacancies'],
    message: /skills must be lower-case snake_case, .*: 4 vacancies are doubtful/,
    hint: /lookup/,
  },
  {
    title: 'an e-mail address in many rows, not shown',
    make: (world) => world.sql(`update hr.employer set mail = 'private.person@mail.co.id' where id < 6`),
    finds: ['warn', 'placeholders', 'companies'],
    message: /^email is the same in 5 rows of 20$/,
    hint: /nullif\(email/,
    count: 5,
  },
  {
    title: 'a telephone number in many rows, not shown',
    make: (world) => world.sql(`update hr.employer set tel = '+62 811 000 111' where id < 6`),
    finds: ['warn', 'placeholders', 'companies'],
    message: /^phone is the same in 5 rows of 20$/,
    hint: /nullif\(phone/,
  },
  {
    title: 'a picture in many rows',
    make: (world) => world.sql(`update hr.employer set logo = 'https://cdn.co.id/none.png?x=1' where id < 6`),
    finds: ['warn', 'placeholders', 'companies'],
    message: /^logo_uri is the same in 5 rows of 20$/,
    hint: /nullif\(logo_uri/,
  },
  {
    title: 'addresses of reserved names',
    make: (world) =>
      world.sql(
        `update hr.employer set mail = 'a.person@example.com', logo = 'https://firm.example/' || id || '.png' where id in (6, 7);
         update hr.employer set mail = 'a.person' || id || '@firm.test' where id = 8`,
      ),
    finds: ['warn', 'placeholders', 'companies'],
    message: /^3 rows have an address that leads nowhere \(.*\): email 3, logo_uri 2$/,
    hint: /test data.*null/,
    count: 3,
    sample: ['6', '7', '8'],
  },
  {
    title: 'a column that is null everywhere',
    make: (world) => world.sql('update hr.employer set intro = null'),
    finds: ['warn', 'columns', 'companies'],
    message: /null in all rows: about/,
    hint: /another column/,
  },
  {
    title: 'a query without rows',
    make: (world) => world.change('openings.sql', 'where o.is_published', 'where false and o.is_published'),
    finds: ['warn', 'columns', 'vacancies'],
    message: /the query returns no rows/,
    hint: /conditions/,
  },
  {
    title: 'a source that cannot be reached',
    make: (world) => {
      world.env.SOURCE_DATABASE_URL = 'postgres://reader:word@127.0.0.1:1/hr';
    },
    finds: ['fail', 'connection', null],
    message: /127\.0\.0\.1:1\/hr cannot be reached/,
    hint: /host and port/,
  },
  {
    title: 'a role that may write',
    make: (world) => world.sql(`grant insert on hr.town to ${world.role}`),
    finds: ['warn', 'rights', null],
    message: /may change data in hr\.town$/,
    hint: /create role/,
  },
  {
    title: 'a superuser',
    make: (world) => {
      world.env.SOURCE_DATABASE_URL = world.env.OWNER_DATABASE_URL ?? '';
    },
    finds: ['warn', 'rights', null],
    message: /is a superuser/,
    hint: /create role/,
  },
  {
    title: 'credentials that the platform refuses',
    make: (world) => {
      world.env.CLIENT_SECRET = 'another-one-that-is-wrong';
    },
    finds: ['fail', 'credentials', null],
    message: /the platform refused the request \(HTTP 401\)/,
    hint: /./,
  },
  {
    title: 'a platform that cannot be reached',
    make: (world) => {
      world.env.BASE_URL = 'http://127.0.0.1:1/';
    },
    finds: ['warn', 'credentials', null],
    message: /127\.0\.0\.1:1: The platform cannot be reached \(ECONNREFUSED\)/,
    hint: /baseUrl/,
  },
  {
    title: 'an address at which no web server listens',
    make: async (world) => {
      const server = createServer((socket) => {
        socket.on('error', () => {});
        socket.end('SSH-2.0-OpenSSH_9.9\r\n');
      });
      await once(server.listen(0, '127.0.0.1'), 'listening');
      onTestFinished(() => void server.close());
      world.env.BASE_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    },
    finds: ['fail', 'credentials', null],
    message: /127\.0\.0\.1:\d+ cannot be used as configured \(HPE_\w+\)/,
    hint: /not valid HTTP/,
  },
];

test.each(PROBLEMS)(
  '$title: $finds says so',
  async ({ make, finds: [level, id, entity], message, hint, count, sample }) => {
    const world = await createDoctorWorld();
    await make(world);
    const found = await world.doctor();
    const findings = found.of(id, entity ?? undefined).filter((each) => each.level === level);
    const finding = findings.find((each) => message.test(each.message));
    expect(finding, JSON.stringify(found.of(id), null, 1)).toBeDefined();
    expect(finding?.hint).toMatch(hint);
    if (count !== undefined) expect(finding?.count).toBe(count);
    if (sample !== undefined) expect(finding?.sample).toEqual(sample);
    expect(found.exitCode).toBe(found.at('fail').length > 0 ? 2 : 0);
    if (level === 'fail') expect(found.exitCode).toBe(2);
    expect(found.checks.filter(isUndeclared), 'a level that the documentation does not have').toEqual([]);
    expect(found.stdout).not.toMatch(/private\.person|a\.person|811 000 111|0811000111/);
  },
);

/** A check that could not be done is a warning of every check. */
function isUndeclared({ id, level, message }: Finding): boolean {
  if (level === 'pass' || message.startsWith('not checked:')) return false;
  return CHECKS.find((each) => each.id === id)?.levels.includes(level) !== true;
}

test('every level that a check declares is shown by a case, and no case shows another one', () => {
  const declared = CHECKS.flatMap(({ id, levels }) => levels.map((level) => `${id} ${level}`));
  const judged = JUDGED.filter(({ level }) => level !== 'pass').map(({ id, level }) => `${id} ${level}`);
  const planted = Object.values(WORLDS).flatMap(({ mistakes }) =>
    mistakes.map((mistake) => `${mistake[3]} warn`),
  );
  const shown = [...PROBLEMS.map(({ finds: [level, id] }) => `${id} ${level}`), ...judged, ...planted];
  expect([...new Set(shown)].sort()).toEqual(declared.sort());
});
