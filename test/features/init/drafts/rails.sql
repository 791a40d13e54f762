-- A Rails job board: integer enums without words, discarded_at, money in cents, addresses in one polymorphic table, counters.
-- expect companies name: name
-- expect companies about: bio
-- expect companies website: homepage_url
-- expect vacancies company_key: organization_id
-- expect vacancies title: title
-- expect vacancies description: body
-- expect vacancies expire_at: expires_on
-- expect vacancies quota: seats
-- expect vacancies min_experience: years_of_experience
-- expect vacancies client_url: apply_url
-- expect companies region_id: address
-- expect companies region_country_code: address
-- expect companies postal_code: address
-- expect vacancies job_type: employment
-- expect vacancies region_id: address
-- expect vacancies min_salary_currency: pay_currency
-- expect vacancies min_salary_amount: pay_cents
-- condition vacancies discarded_at: null
create table organizations (id bigserial primary key, name varchar not null, bio text, homepage_url varchar, jobs_count integer default 0, followers_count integer, verified_at timestamp, discarded_at timestamp, created_at timestamp not null, updated_at timestamp not null);
create table addresses (id bigserial primary key, addressable_type varchar not null, addressable_id bigint not null, line1 varchar, town varchar, postcode varchar, country_code varchar(2), created_at timestamp not null);
create table job_posts (id bigserial primary key, organization_id bigint not null references organizations, title varchar not null, body text, apply_url varchar, employment integer not null default 0, workflow_state varchar, seats integer, years_of_experience integer, pay_cents bigint, pay_currency varchar(3), expires_on date, published_at timestamp, discarded_at timestamp, impressions_count integer, created_at timestamp not null, updated_at timestamp not null);
create table users (id bigserial primary key, email varchar not null, encrypted_password varchar, name varchar, phone varchar);
create table submissions (id bigserial primary key, job_post_id bigint references job_posts, user_id bigint references users, cover_letter text, created_at timestamp);
insert into organizations select i, 'Studio ' || i, 'We make things well.', 'https://studio' || i || '.example', i % 9, i * 3, timestamp '2026-01-02', case when i % 10 = 0 then timestamp '2026-03-01' end, timestamp '2026-01-01', timestamp '2026-02-01' from generate_series(1, 50) i;
insert into addresses select i, 'Organization', i, i || ' Main Road', (array['Denpasar','Mataram'])[1 + i % 2], (80000 + i)::text, 'ID', timestamp '2026-01-01' from generate_series(1, 50) i;
insert into job_posts select i, 1 + i % 50, (array['Designer','Engineer','Writer'])[1 + i % 3], 'You will build and test.', 'https://apply.example/' || i, i % 3, (array['live','live','closed','draft'])[1 + i % 4], 1 + i % 3, i % 6, 500000000 + i * 100000, 'IDR', date '2026-12-01' + i % 50, timestamp '2026-02-01', case when i % 8 = 0 then timestamp '2026-03-01' end, i * 31, timestamp '2026-01-01', timestamp '2026-02-01' from generate_series(1, 130) i;
insert into users select i, 'rahasia' || i || '@example.test', 'x', 'Rahasia', '0812' from generate_series(1, 30) i;
insert into submissions select i, 1 + i % 130, 1 + i % 30, 'Rahasia', timestamp '2026-03-01' from generate_series(1, 50) i;
