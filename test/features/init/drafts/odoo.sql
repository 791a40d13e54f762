-- An ERP with a module of recruitment: res_ and hr_ tables, active flags, a partner table for companies and people alike.
-- expect companies name: name
-- expect companies address: street
-- expect companies postal_code: zip
-- expect companies region_id: city
-- expect companies phone: phone
-- expect companies email: email
-- expect companies website: website
-- expect vacancies company_key: (company|address|partner)_id
-- expect vacancies title: name
-- expect vacancies description: description
-- expect vacancies quota: no_of_recruitment
-- expect vacancies job_type: contract_type_id
-- expect vacancies expire_at: date_to
-- expect vacancies job_function: department_id
-- expect vacancies region_id: city
-- condition vacancies active: .active
-- condition vacancies is_published: .is_published
create table hr_contract_type (id serial primary key, name varchar not null, sequence integer);
create table hr_department (id serial primary key, name varchar not null, active boolean, manager_id integer);
create table res_company (id serial primary key, name varchar not null, street varchar, zip varchar, city varchar, phone varchar, email varchar, website varchar, vat varchar, active boolean, create_uid integer, create_date timestamp, write_uid integer, write_date timestamp);
create table hr_job (id serial primary key, name varchar not null, sequence integer, expected_employees integer, no_of_employee integer, no_of_recruitment integer, no_of_hired_employee integer, description text, department_id integer references hr_department, company_id integer references res_company, contract_type_id integer references hr_contract_type, user_id integer, color integer, date_from date, date_to date, active boolean, is_published boolean, create_uid integer, create_date timestamp, write_uid integer, write_date timestamp);
create table hr_applicant (id serial primary key, partner_name varchar, email_from varchar, job_id integer references hr_job, stage_id integer, salary_expected numeric);
insert into hr_contract_type select i, (array['Full-Time','Part-Time','Intern'])[i], i from generate_series(1, 3) i;
insert into hr_department select i, (array['Sales','Production','Finance'])[i], true, i from generate_series(1, 3) i;
insert into res_company select i, 'PT Anak ' || i, 'Jl. Industri ' || i, '17' || (100 + i), (array['Kab. Bekasi','Kab. Karawang'])[1 + i % 2], '021-8' || i, 'hrd@anak' || i || '.example', 'https://anak' || i || '.example', '01.' || i, i % 9 <> 0, 2, timestamp '2026-01-01', 2, timestamp '2026-02-01' from generate_series(1, 30) i;
insert into hr_job select i, (array['Operator','Staf Gudang','Analis'])[1 + i % 3] || ' ' || i, 10, 20 + i % 9, 15, 1 + i % 6, i % 3, '<p>Bekerja dalam tim.</p>', 1 + i % 3, 1 + i % 30, 1 + i % 3, 2, i % 11, date '2026-10-01', date '2026-12-01' + i % 60, i % 7 <> 0, i % 4 <> 0, 2, timestamp '2026-01-01', 2, timestamp '2026-02-01' from generate_series(1, 140) i;
insert into hr_applicant select i, 'Rahasia', 'rahasia' || i || '@example.test', 1 + i % 140, 1, 5000000 from generate_series(1, 50) i;
