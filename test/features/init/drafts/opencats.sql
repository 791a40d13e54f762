-- An applicant-tracking system of a staffing agency: joborder, client companies, a status word, pay as text, city as text.
-- expect companies name: name
-- expect companies address: address
-- expect companies region_id: city
-- expect companies postal_code: zip
-- expect companies phone: phone1
-- expect companies website: url
-- expect companies about: notes
-- expect vacancies company_key: company_id
-- expect vacancies title: title
-- expect vacancies description: description
-- expect vacancies quota: openings
-- expect vacancies region_id: city
-- expect vacancies job_type: type
-- condition vacancies status: Active
create table company (company_id integer primary key, site_id integer, name varchar(64) not null, address text, city varchar(64), state varchar(64), zip varchar(16), phone1 varchar(40), phone2 varchar(40), url varchar(128), key_technologies text, notes text, entered_by integer, owner integer, date_created timestamp, date_modified timestamp, is_hot smallint, fax_number varchar(40), default_company smallint);
create table joborder (joborder_id integer primary key, recruiter integer, contact_id integer, company_id integer, entered_by integer, owner integer, site_id integer, client_job_id varchar(32), title varchar(64) not null, description text, notes text, type varchar(64), duration varchar(64), rate_max varchar(255), salary varchar(64), status varchar(16) not null, is_hot smallint, openings integer, openings_available integer, city varchar(64), state varchar(64), start_date timestamp, date_created timestamp, date_modified timestamp, public smallint);
create table candidate (candidate_id integer primary key, last_name varchar(64), first_name varchar(64), phone_home varchar(40), email1 varchar(128), city varchar(64));
create table candidate_joborder (candidate_joborder_id integer primary key, candidate_id integer references candidate, joborder_id integer references joborder, status integer, date_submitted timestamp);
insert into company select i, 1, 'Client ' || i, i || ' Jalan Sudirman', (array['Surabaya','Medan','Makassar'])[1 + i % 3], 'Indonesia', (60000 + i)::text, '031-55' || i, '', 'https://client' || i || '.example', 'Java', 'A client since ' || (2000 + i % 20), 7, 7, timestamp '2026-01-01', timestamp '2026-02-01', i % 2, '', 0 from generate_series(1, 40) i;
insert into joborder select i, 7, 3, 1 + i % 40, 7, 7, 1, 'J' || i, (array['Java Developer','Accountant','Nurse'])[1 + i % 3], 'Good work with good people.', 'internal: margin 20', (array['Full Time','Contract','Part Time'])[1 + i % 3], '12 months', '100000', (array['Rp 5 - 7 juta','negotiable'])[1 + i % 2], (array['Active','Active','Closed','OnHold'])[1 + i % 4], 0, 1 + i % 4, 1, (array['Surabaya','Medan','Makassar'])[1 + i % 3], 'Indonesia', timestamp '2026-12-01', timestamp '2026-01-01', timestamp '2026-02-01', 1 from generate_series(1, 150) i;
insert into candidate select i, 'Rahasia', 'Rahasia', '0812', 'rahasia' || i || '@example.test', 'Medan' from generate_series(1, 30) i;
insert into candidate_joborder select i, 1 + i % 30, 1 + i % 150, 100, timestamp '2026-03-01' from generate_series(1, 60) i;
