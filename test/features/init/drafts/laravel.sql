-- A Laravel portal: company_profiles of users, job_vacancies with enum checks, soft deletes, slugs, JSON lists, salary as a span of text.
-- expect companies name: company_name
-- expect companies about: description
-- expect companies address: address
-- expect companies region_id: regency_id
-- expect companies phone: phone
-- expect companies website: website
-- expect companies logo_uri: logo_path
-- expect companies license_number: nib
-- expect vacancies company_key: company_profile_id
-- expect vacancies title: title
-- expect vacancies description: job_description
-- expect vacancies qualification: qualifications
-- expect vacancies quota: slots
-- expect vacancies job_type: employment_type
-- expect vacancies min_education: education_level
-- expect vacancies region_id: regency_id
-- expect vacancies min_salary_amount: salary_min
-- expect vacancies max_salary_amount: salary_max
-- expect vacancies min_experience: min_experience_years
-- expect vacancies expire_at: deadline
-- expect vacancies disability_allowed: is_disability_friendly
-- expect vacancies gender: gender
-- condition vacancies status: published
-- condition vacancies deleted_at: null
create table users (id bigserial primary key, name varchar(255), email varchar(255) not null, password varchar(255), role varchar(20));
create table regencies (id char(4) primary key, province_id char(2), name varchar(255) not null);
create table company_profiles (id bigserial primary key, user_id bigint not null references users, company_name varchar(255) not null, slug varchar(255), description text, address text, regency_id char(4) references regencies, phone varchar(30), website varchar(255), logo_path varchar(255), nib varchar(30), employee_count integer, is_verified boolean, deleted_at timestamp, created_at timestamp, updated_at timestamp);
create table job_vacancies (id bigserial primary key, company_profile_id bigint not null references company_profiles, title varchar(255) not null, slug varchar(255), job_description text, qualifications text, benefits jsonb, employment_type varchar(20) check (employment_type in ('full_time','part_time','contract','internship')), education_level varchar(20), regency_id char(4) references regencies, slots integer, salary_min bigint, salary_max bigint, min_experience_years smallint, gender varchar(10), is_disability_friendly boolean, is_featured boolean, deadline date, status varchar(20) not null, view_count integer, deleted_at timestamp, created_at timestamp, updated_at timestamp);
create table job_applications (id bigserial primary key, job_vacancy_id bigint references job_vacancies, user_id bigint references users, status varchar(20), cv_path varchar(255));
insert into users select i, 'Rahasia', 'rahasia' || i || '@example.test', 'x', (array['company','seeker'])[1 + i % 2] from generate_series(1, 100) i;
insert into regencies select (array['3171','3273','3578'])[i], (array['31','32','35'])[i], (array['Kota Jakarta Selatan','Kota Bandung','Kota Surabaya'])[i] from generate_series(1, 3) i;
insert into company_profiles select i, i * 2, 'PT Laju ' || i, 'pt-laju-' || i, 'Perusahaan yang tumbuh.', 'Jl. Merdeka ' || i, (array['3171','3273','3578'])[1 + i % 3], '021-5' || i, 'https://laju' || i || '.example', 'logos/' || i || '.png', '91200' || (10000 + i), i * 4, i % 5 <> 0, null, timestamp '2026-01-01', timestamp '2026-02-01' from generate_series(1, 50) i;
insert into job_vacancies select i, 1 + i % 50, (array['Staf Pajak','Sopir','Perawat'])[1 + i % 3], 'v-' || i, 'Uraian tugas harian.', 'Teliti dan rajin.', '["BPJS","Makan"]', (array['full_time','contract','part_time','internship'])[1 + i % 4], (array['SMA','D3','S1'])[1 + i % 3], (array['3171','3273','3578'])[1 + i % 3], 1 + i % 8, 4000000 + i * 1000, 6000000 + i * 1000, i % 5, (array['male','female','any'])[1 + i % 3], i % 6 = 0, i % 9 = 0, date '2026-11-28' + i % 60, (array['published','published','draft','closed'])[1 + i % 4], i * 11, case when i % 12 = 0 then timestamp '2026-03-01' end, timestamp '2026-01-01', timestamp '2026-02-01' from generate_series(1, 160) i;
insert into job_applications select i, 1 + i % 160, 1 + i % 100, 'sent', 'cv.pdf' from generate_series(1, 60) i;
