-- A plugin of a content system: its own table of employers, jobs with nearly everything in rows of attributes.
-- expect companies name: employer_name
-- expect companies website: website
-- expect companies address: street
-- expect companies region_id: city
-- expect companies logo_uri: logo
-- expect companies about: about
-- expect vacancies company_key: employer_id
-- expect vacancies title: post_title
-- expect vacancies description: post_content
-- expect vacancies quota: vacancies
-- expect vacancies job_type: job_type
-- expect vacancies region_id: city
-- expect vacancies min_salary_amount: salary_min
-- expect vacancies max_salary_amount: salary_max
-- expect vacancies min_education: education
-- expect vacancies gender: gender
-- expect vacancies expire_at: expires
-- condition vacancies post_status: publish
create table wp_jm_employers (id bigserial primary key, employer_name text not null, website text, street text, city text, logo text, about text, total_jobs integer, view_count bigint, phone_verified smallint, sort_order integer);
create table wp_jm_jobs (id bigserial primary key, employer_id bigint not null, post_title text not null, post_content text, post_excerpt text, post_status varchar(20), comment_status varchar(20), post_type varchar(20), post_name text, menu_order integer, comment_count bigint, post_date timestamp, post_modified timestamp);
create table wp_jm_jobmeta (meta_id bigserial primary key, job_id bigint not null references wp_jm_jobs, meta_key varchar(255), meta_value text);
create table wp_jm_log (id bigserial primary key, job_id bigint, message text, created timestamp);
insert into wp_jm_employers select i, 'Toko ' || i, 'https://toko' || i || '.example', 'Jl. Anggrek ' || i, (array['Bandung Barat','Sleman','Surabaya','Depok'])[1 + i % 4], 'https://cdn.example/logo' || i || '.png', 'Toko bahan bangunan.', i, i * 300, 1, i from generate_series(1, 25) i;
insert into wp_jm_jobs select i, 1 + i % 25, (array['Kasir','Sopir','Penjaga Gudang'])[1 + i % 3], 'Melayani pembeli dengan ramah.', '', (array['publish','publish','draft','trash'])[1 + i % 4], 'open', 'job', 'lowongan-' || i, 0, i % 5, timestamp '2026-03-01 08:00', timestamp '2026-03-02 08:00' from generate_series(1, 120) i;
insert into wp_jm_jobmeta (job_id, meta_key, meta_value) select i, k, case k when 'vacancies' then (1 + i % 5)::text when 'job_type' then (array['Penuh waktu','Paruh waktu'])[1 + i % 2]
  when 'city' then (array['Sleman','Surabaya','Depok'])[1 + i % 3] when 'salary_min' then (2000000 + i * 1000)::text when 'salary_max' then (3000000 + i * 1000)::text when 'education' then (array['SMA','SMK'])[1 + i % 2]
  when 'gender' then (array['male','female','any'])[1 + i % 3] when 'expires' then to_char(date '2026-12-01' + i, 'YYYY-MM-DD') when 'views_total' then (i * 40)::text when 'job_level' then (array['Hot','Normal'])[1 + i % 2] else '0' end
  from generate_series(1, 120) i, unnest(array['vacancies','job_type','city','salary_min','salary_max','education','gender','expires','views_total','job_level','edit_lock']) k;
