-- A university's career site in Django: app prefixes, slugs, choice codes of two letters, employers with profiles, deadlines with time zones.
-- expect companies name: legal_name
-- expect companies about: profile
-- expect companies website: site_url
-- expect companies email: contact_email
-- expect companies region_id: city_id
-- expect companies industry: field_id
-- expect companies logo_uri: logo
-- expect vacancies company_key: employer_id
-- expect vacancies title: headline
-- expect vacancies description: details
-- expect vacancies quota: positions
-- expect vacancies job_type: kind
-- expect vacancies min_education: degree
-- expect vacancies min_salary_amount: salary_from
-- expect vacancies max_salary_amount: salary_to
-- expect vacancies expire_at: apply_before
-- expect vacancies skills: tag
-- expect vacancies region_id: city_id
-- expect vacancies industry: field_id
create table places_city (id bigserial primary key, name varchar(100) not null, slug varchar(50));
create table employers_field (id bigserial primary key, name varchar(100) not null);
create table employers_employer (id bigserial primary key, legal_name varchar(200) not null, slug varchar(50), profile text, site_url varchar(200), contact_email varchar(254), logo varchar(100), city_id bigint references places_city, field_id bigint references employers_field, owner_id integer, is_partner boolean, created timestamptz, modified timestamptz);
create table jobs_posting (id bigserial primary key, headline varchar(200) not null, slug varchar(50), details text, positions smallint, kind varchar(2), degree varchar(3), salary_from integer, salary_to integer, salary_hidden boolean, employer_id bigint not null references employers_employer, city_id bigint references places_city, apply_before timestamptz, state varchar(2) not null, views integer, created timestamptz, modified timestamptz, created_by_id integer);
create table jobs_tag (id bigserial primary key, name varchar(50) not null);
create table jobs_posting_tags (id bigserial primary key, posting_id bigint not null references jobs_posting, tag_id bigint not null references jobs_tag);
create table jobs_application (id bigserial primary key, posting_id bigint references jobs_posting, applicant_name varchar(200), phone varchar(30), cv varchar(100));
comment on column jobs_posting.state is 'DR draft, PU published, CL closed'; comment on column jobs_posting.kind is 'FT full time, PT part time, IN internship';
insert into places_city select i, (array['Kota Yogyakarta','Kab. Sleman','Kab. Bantul'])[i], 'c' || i from generate_series(1, 3) i;
insert into employers_field select i, (array['Pendidikan','Teknologi','Perdagangan'])[i] from generate_series(1, 3) i;
insert into employers_employer select i, 'CV Karya ' || i, 'cv-' || i, 'Kami bekerja untuk anda.', 'https://karya' || i || '.example', 'hr@karya' || i || '.example', 'logos/' || i || '.png', 1 + i % 3, 1 + i % 3, 9, i % 2 = 0, timestamptz '2026-01-01', timestamptz '2026-02-01' from generate_series(1, 45) i;
insert into jobs_posting select i, (array['Guru','Programmer','Kasir'])[1 + i % 3], 'p-' || i, 'Tugas utama melayani.', 1 + i % 5, (array['FT','PT','IN'])[1 + i % 3], (array['SMA','D3','S1'])[1 + i % 3], 3000000 + i * 1000, 4500000 + i * 1000, i % 2 = 0, 1 + i % 45, 1 + i % 3, timestamptz '2026-12-01 10:00+07' + i * interval '1 day', (array['PU','PU','DR','CL'])[1 + i % 4], i * 17, timestamptz '2026-01-01', timestamptz '2026-02-01', 4 from generate_series(1, 120) i;
insert into jobs_tag select i, (array['excel','python','komunikasi','mengajar'])[i] from generate_series(1, 4) i;
insert into jobs_posting_tags (posting_id, tag_id) select i, 1 + (i + j) % 4 from generate_series(1, 120) i, generate_series(0, 1) j;
insert into jobs_application select i, 1 + i % 120, 'Rahasia', '0812', 'cv.pdf' from generate_series(1, 40) i;
