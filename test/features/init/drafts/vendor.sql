-- An English vendor's system: several employers of one advert by a table of pairs, lists of codes, a detail one to one.
-- expect companies name: trading_name
-- expect companies region_id: municipality_id
-- expect companies postal_code: postcode
-- expect companies phone: switchboard_tel
-- expect companies website: homepage
-- expect companies industry: sector_id
-- expect companies license_number: licence_no
-- expect companies address: street
-- expect vacancies company_key: firm_id|key
-- expect vacancies title: headline
-- expect vacancies description: body_html
-- expect vacancies quota: headcount
-- expect vacancies job_type: contract_kind
-- expect vacancies region_id: municipality_id
-- expect vacancies industry: sector_id
-- expect vacancies min_education: degree_id
-- expect vacancies min_salary_amount: pay_low
-- expect vacancies max_salary_amount: pay_high
-- expect vacancies skills: skills
-- expect vacancies expire_at: closing_date
-- expect vacancies disability_allowed: disability_friendly
-- condition vacancies life_state: live
-- condition companies suspended: false
create schema hr;
create table hr.municipality (id integer primary key, name text not null); create table hr.sector (id integer primary key, name text not null); create table hr.degree (id integer primary key, name text not null); create table hr.skill (id integer primary key, name text not null);
create table hr.firm (id uuid primary key, trading_name text not null, municipality_id integer references hr.municipality, street text, postcode text, switchboard_tel text, homepage text, sector_id integer references hr.sector, licence_no text, licence_expiry date, staff_total integer, suspended boolean, tier text, source_system text);
create table hr.advert (id uuid primary key, headline text not null, body_html text, headcount integer, contract_kind text check (contract_kind in ('permanent','fixed_term','internship')), degree_id integer references hr.degree, municipality_id integer references hr.municipality, pay_low numeric, pay_high numeric, closing_date date, disability_friendly boolean, life_state text, advert_no integer, phone_ext integer, click_total integer, notice_type text, media text, function text, about_school text, age_from integer, review_round integer);
create table hr.advert_firm (advert_id uuid not null references hr.advert, firm_id uuid not null references hr.firm, is_lead boolean, primary key (advert_id, firm_id));
create table hr.advert_skill (advert_id uuid not null references hr.advert, skill_id integer not null references hr.skill, primary key (advert_id, skill_id));
create table hr.applicant (id uuid primary key, advert_id uuid references hr.advert, full_name text, born date);
insert into hr.municipality select i, (array['Kota Bandung','Kota Surabaya','Kota Medan','Kab. Sleman'])[i] from generate_series(1, 4) i;
insert into hr.sector select i, (array['Manufaktur','Perdagangan','Pendidikan'])[i] from generate_series(1, 3) i; insert into hr.degree select i, (array['SMA','D3','S1'])[i] from generate_series(1, 3) i; insert into hr.skill select i, 'skill ' || i from generate_series(1, 9) i;
insert into hr.firm select md5('f' || i)::uuid, 'Firm ' || i, 1 + i % 4, i || ' High Street', (50000 + i)::text, '021 4' || i, 'https://firm' || i || '.example', 1 + i % 3, 'L-' || i, date '2026-06-01' + i * 20, i * 5, i % 6 = 0, (array['gold','silver'])[1 + i % 2], 'core' from generate_series(1, 40) i;
insert into hr.advert select md5('a' || i)::uuid, (array['Nurse','Welder','Clerk'])[1 + i % 3], '<p>Work with care.</p>', 1 + i % 5, (array['permanent','fixed_term','internship'])[1 + i % 3], 1 + i % 3, 1 + i % 4, 3000000 + i * 1000, 5000000 + i * 1000, date '2026-11-20' + i, i % 3 = 0,
  (array['live','live','closed','draft'])[1 + i % 4], i, 100 + i, i * 13, (array['public','internal'])[1 + i % 2], (array['print','radio'])[1 + i % 2], (array['x1','x2'])[1 + i % 2], null, null, i % 3 from generate_series(1, 160) i;
insert into hr.advert_firm select md5('a' || i)::uuid, md5('f' || (1 + i % 40))::uuid, true from generate_series(1, 160) i;
insert into hr.advert_firm select md5('a' || i)::uuid, md5('f' || (1 + (i + 7) % 40))::uuid, false from generate_series(1, 40) i;
insert into hr.advert_skill select md5('a' || i)::uuid, 1 + (i + j) % 9 from generate_series(1, 160) i, generate_series(0, 1) j;
insert into hr.applicant select md5('p' || i)::uuid, md5('a' || i)::uuid, 'Rahasia', date '1990-01-01' from generate_series(1, 60) i;
